import type { Journal, OrganizationAuth } from "../../auth/index.ts";
import { byOperator } from "../../core/audit.ts";
import type { MemberRepository, TransferredRow } from "../member.repository.ts";
import type { Organization, OrganizationRepository } from "../organization.repository.ts";
import { readPosition } from "../../core/text/position.ts";
import type { DomainRepository } from "../domain/domain.repository.ts";
import type { ProviderRepository } from "../provider/provider.repository.ts";
import { invitationsPerLine } from "./parts.record.ts";
import { furtherRecord, invitationsRecord, membersPerLine, organizationRecord } from "./record.ts";

interface ExportOptions {
  readonly journal: Journal;
  readonly rows: Pick<OrganizationRepository, "page" | "count">;
  readonly memberRows: Pick<MemberRepository, "transferred">;
  readonly domains: Pick<DomainRepository, "list">;
  readonly providers: Pick<ProviderRepository, "find">;
  readonly invitations: Pick<OrganizationAuth["invitations"], "page">;
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
export function createOrganizationExport(options: ExportOptions) {
  const { journal, rows, memberRows, domains, providers, invitations } = options;
  /** Yields the invitations that could be accepted now. */
  async function* waitingFor({ id }: Organization) {
    for (let before: string | undefined; ;) {
      const position = before === undefined ? undefined : readPosition(before);
      const { invitations: page, next } = await invitations.page(id, position, invitationsPerLine);
      const waiting = page.filter(({ state }) => state === "waiting");
      if (waiting.length > 0) yield waiting;
      if (next === undefined) return;
      before = next;
    }
  }

  async function* linesOf(organization: Organization) {
    const held = { domains: await domains.list(organization.id), provider: await providers.find(organization.id) };
    let left: readonly TransferredRow[] = [];
    let isFirst = true;
    const line = (members: readonly TransferredRow[]) => {
      const record = isFirst ? organizationRecord(organization, held, members) : furtherRecord(organization, members);
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
    for await (const waiting of waitingFor(organization)) yield invitationsRecord(organization, waiting);
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
