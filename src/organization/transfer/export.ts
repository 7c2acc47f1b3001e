import type { Journal } from "../../auth/index.ts";
import { byOperator } from "../../core/audit.ts";
import type { MemberRepository, TransferredRow } from "../member.repository.ts";
import type { Organization, OrganizationRepository } from "../organization.repository.ts";
import { furtherRecord, membersPerLine, organizationRecord } from "./record.ts";

interface ExportOptions {
  readonly journal: Journal;
  readonly rows: Pick<OrganizationRepository, "page" | "count">;
  readonly memberRows: Pick<MemberRepository, "transferred">;
}

const organizationsPerPage = 100;

/** Yields the members of an organization: owners first, since the first line of a file has to have one. */
async function* membersOf({ id }: Organization, { transferred }: ExportOptions["memberRows"]) {
  const written = new Set<string>();
  for (const ownersAlone of [true, false]) {
    let after = "";
    for (;;) {
      const page: readonly TransferredRow[] = await transferred(id, ownersAlone, after, membersPerLine);
      const last = page.at(-1);
      if (last === undefined) break;
      after = last.userId;
      yield page.filter(({ userId }) => !written.has(userId));
      if (ownersAlone) for (const { userId } of page) written.add(userId);
    }
  }
}

/**
 * Writes organizations out, a few lines at a time: one that is made, changed or deleted meanwhile is in the export or not. The audit log
 * tells of the export before its first line.
 */
export function createOrganizationExport({ journal, rows, memberRows }: ExportOptions) {
  async function* linesOf(organization: Organization) {
    let left: readonly TransferredRow[] = [];
    let isFirst = true;
    const line = (members: readonly TransferredRow[]) => {
      const record = isFirst ? organizationRecord(organization, members) : furtherRecord(organization, members);
      isFirst = false;
      return record;
    };
    for await (const page of membersOf(organization, memberRows)) {
      left = [...left, ...page];
      if (left.length < membersPerLine) continue;
      yield line(left.slice(0, membersPerLine));
      left = left.slice(membersPerLine);
    }
    if (left.length > 0) yield line(left);
  }

  return {
    count: rows.count,

    /** Yields the lines of every organization, in the form that an import reads, and whether a line begins one. */
    async *lines(): AsyncGenerator<object & { readonly slug: string }> {
      await journal.commit({
        record: [{ topic: "organization.exported", payload: { count: 1 }, by: byOperator }],
      });
      let after = "";
      for (;;) {
        const page = await rows.page(after, organizationsPerPage);
        const last = page.at(-1);
        if (last === undefined) return;
        for (const organization of page) yield* linesOf(organization);
        after = last.id;
      }
    },
  };
}
