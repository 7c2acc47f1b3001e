import { foldedName, recordsOf, type Journal, type SourceRecord } from "../../auth/index.ts";
import { byOperator, type Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { MemberRepository } from "../member.repository.ts";
import type { OrganizationRepository } from "../organization.repository.ts";
import { owner, readRoles } from "../roles.ts";
import { slugKey } from "../slug.ts";
import { createJudge, type JudgeOptions, type Met, type NewMember, type Verdict } from "./judge.ts";
import { createParts, type PartOptions } from "./parts.ts";
import { createOrganizationReader, type TransferredOrganization } from "./record.ts";

interface ImportOptions extends Omit<JudgeOptions, "maxMembers" | "parts"> {
  readonly config: { readonly maxPerPerson: number; readonly maxMembers: number };
  readonly rows: JudgeOptions["rows"] & Pick<OrganizationRepository, "insert" | "countMembers" | "hold">;
  readonly memberRows: JudgeOptions["memberRows"] & Pick<MemberRepository, "insert">;
  readonly parts: Omit<PartOptions, "journal" | "clock" | "organizations">;
  readonly journal: Journal;
  readonly lockAnyUser: (userId: string) => Statement;
  readonly clock: Clock;
}

export interface ImportSettings {
  /** Whether members who have no account here are left out. Otherwise their line is refused. */
  readonly skipsUnknown: boolean;
  /** Whether nothing is written. */
  readonly isTrial: boolean;
  readonly signal: AbortSignal;
}

/** What came of a line. `left` are members without an account. */
type Outcome =
  | { readonly outcome: "refused"; readonly reason: string }
  | {
      readonly outcome: "created" | "present";
      readonly added: number;
      readonly already: number;
      readonly left: number;
      readonly domains: number;
      readonly providers: number;
      readonly invitations: number;
      /** Providers that are left out, since nothing opens their secret. */
      readonly secretless: number;
    };

export type ImportReport = Outcome & { readonly line: number; readonly slug: string | undefined };

/** Few enough that the database is held only for milliseconds. */
const membersPerCommit = 100;
/** After so much work comes half as long a rest, in which the running service has the database to itself. */
const workMs = 100;

const refused = (reason: string): Outcome => ({ outcome: "refused", reason });

/** Returns what is wrong with a line, in words that hold nothing of it. */
function explain(error: unknown): string {
  if (error instanceof SyntaxError) return "is no JSON";
  if (!(error instanceof AppError)) throw error;
  const faults = Object.entries(error.fields ?? {}).map(([field, { complaint }]) => `${field}: ${complaint}`);
  return faults.length === 0 ? error.message : faults.join("; ");
}

/** Brings in the members of lines, a hundred in a commit, with the organization where there is none yet. */
function createWriter({ config, rows, memberRows, journal, lockAnyUser, clock }: ImportOptions) {
  /** The rows of the audit log. Nobody is told: a hundred thousand messages would help no one. */
  const recordsOf = (id: string, isNew: boolean, members: readonly NewMember[]): readonly Occurrence[] => [
    ...(isNew ? [{ topic: "organization.created", payload: { organization_id: id }, by: byOperator } as const] : []),
    ...members.map(
      ({ userId, roles }) =>
        ({
          topic: "organization.member-added",
          payload: { organization_id: id, user_id: userId, roles: readRoles(roles) },
          by: byOperator,
        }) as const,
    ),
  ];

  function made(id: string, one: TransferredOrganization): Statement {
    const { slug, name = slug, metadata } = one;
    const row = { id, slug, slugKey: slugKey(slug), name, nameKey: foldedName(name), metadata };
    return rows.insert(row, one.createdAt ?? clock.now());
  }

  async function commit(id: string, one: TransferredOrganization, isNew: boolean, members: readonly NewMember[]) {
    const owners = members.filter(({ rank }) => rank === owner).length;
    // An organization is inserted with its first owner counted.
    const counted = isNew ? 1 : 0;
    const { applied } = await journal.commit({
      statements: [
        ...members
          .map(({ userId }) => userId)
          .toSorted()
          .map(lockAnyUser),
        ...(isNew ? [made(id, one)] : []),
        rows.countMembers(id, members.length - counted, owners - counted, config.maxMembers),
        ...members.map(({ joinedAt, ...member }) =>
          memberRows.insert({ organizationId: id, ...member }, config.maxPerPerson, joinedAt ?? clock.now()),
        ),
      ],
      record: recordsOf(id, isNew, members),
    });
    return applied;
  }

  /** Resolves to the id of the organization, or to false. What was written of a line that fails is found and left by the next import. */
  return async (one: TransferredOrganization, { existing, isNew, added }: Verdict): Promise<string | false> => {
    const id = existing ?? one.id ?? newId();
    for (let start = 0; start < added.length; start += membersPerCommit) {
      const some = added.slice(start, start + membersPerCommit);
      if (!(await commit(id, one, isNew && start === 0, some))) return false;
    }
    return id;
  };
}

/** Reads a file of organizations line by line, so that it may be of any size. */
export function createOrganizationImport(options: ImportOptions) {
  const { journal, clock, rows } = options;
  const parts = createParts({ ...options.parts, organizations: rows, journal, clock });
  const judge = createJudge({ ...options, parts, maxMembers: options.config.maxMembers });
  const write = createWriter(options);
  const read = createOrganizationReader(clock);

  async function bring(one: TransferredOrganization, met: Met, settings: ImportSettings): Promise<Outcome> {
    const verdict = await judge(one, { skipsUnknown: settings.skipsUnknown, met });
    if (typeof verdict === "string") return refused(verdict);
    const written = settings.isTrial ? undefined : await write(one, verdict);
    if (written === false || (written !== undefined && !(await parts.write(written, verdict.parts))))
      return refused("was changed at this moment, or somebody is in too many organizations: import it again");
    const { isNew, added, already, left } = verdict;
    const { domains, providers, invitations, secretless } = verdict.parts;
    return {
      outcome: isNew ? "created" : "present",
      added: added.length,
      already,
      left,
      domains: domains.length,
      providers: providers.length,
      invitations: invitations.length,
      secretless,
    };
  }

  async function reportOn({ line, text }: SourceRecord, met: Met, settings: ImportSettings): Promise<ImportReport> {
    if (text === undefined) return { line, slug: undefined, ...refused("is longer than a line can be") };
    let slug: string | undefined;
    try {
      const one = await read(JSON.parse(text));
      slug = one.slug;
      return { line, slug, ...(await bring(one, met, settings)) };
    } catch (error) {
      return { line, slug, ...refused(explain(error)) };
    }
  }

  return async function* run(stream: AsyncIterable<Uint8Array>, settings: ImportSettings) {
    const met: Met = { keys: new Map(), last: undefined };
    let startedAt = performance.now();
    for await (const record of recordsOf(stream, "lines")) {
      settings.signal.throwIfAborted();
      yield { report: await reportOn(record, met, settings), bytesRead: record.bytesRead };
      if (settings.isTrial || performance.now() - startedAt < workMs) continue;
      await Bun.sleep((performance.now() - startedAt) / 2);
      startedAt = performance.now();
    }
  };
}
