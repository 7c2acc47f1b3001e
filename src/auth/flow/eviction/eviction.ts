import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Occurrence } from "../../../core/audit.ts";
import type { RunResult, Statement } from "../../../drivers/database/index.ts";
import type { Log } from "../../../observe/index.ts";
import type { Client } from "../../client.ts";
import { grantPurposes } from "../../grant/grant.columns.ts";
import { evictions, grantKinds, type Eviction, type LinkedIdentities, type Rule } from "./eviction.rules.ts";
import { takeBackTtlMs } from "../../grant/grant.service.ts";
import { byUser, type Journal } from "../../journal.ts";
import { userFactors } from "../../user/user.factors.repository.ts";
import type { Parts } from "../parts.ts";

interface Particulars {
  /** The session that goes on, where all but one end. */
  readonly exceptSession?: string | undefined;
  /** The mailed link that causes the eviction: a statement of its own uses it up. */
  readonly exceptGrant?: string | undefined;
  /** The ids of recent additions that stay; "all" where no mailbox was proven: then no identity and no second factor is removed. */
  readonly keep?: readonly string[] | "all";
  /** Does nothing where there is no session to end. */
  readonly onlyWithSessions?: boolean;
}

/** The statements of an eviction, for the batch that has written the user's row first, and the reading of their results. */
export interface Evicted {
  readonly statements: readonly Statement[];
  /** Returns how many sessions ended. `results` are those of the statements. */
  sessionsEnded(results: readonly RunResult[]): number;
  /** Returns the occurrences to tell: ended sessions of an unproven account, removed identities and removed second factors. */
  tell(results: readonly RunResult[], client: Client): readonly Occurrence[];
}

const UnlinkedRow = Type.Object({ id: Type.String(), provider: Type.String() });
const RemovedFactorRow = Type.Object({ factor: Type.Union([Type.Literal("totp"), Type.Literal("passkey")]) });

/** The parts of an eviction in the order of locks, behind the user's row. */
type Part =
  | "epoch"
  | "sessions"
  | "challenges"
  | "tokens"
  | "identities"
  | "addedIdentities"
  | "factors"
  | "addedFactors"
  | "grants";

const nothingRemoved = { identities: "kept", factors: "kept", added: "kept" } as const;

/** The one list of what ends other people's hold on an account: a flow names its eviction, and adds statements of its own. */
export function createEvictions(
  options: Parts<"users" | "personalTokens" | "sessionRows" | "challenges" | "storedFactors" | "grants" | "clock"> & {
    readonly identities: LinkedIdentities;
  },
) {
  const { users, personalTokens, sessionRows, challenges, identities, storedFactors, grants, clock } = options;

  function endSessions(userId: string, { sessions }: Rule, { exceptSession, onlyWithSessions }: Particulars) {
    if (sessions === "kept") return [];
    const now = clock.now();
    const ending =
      sessions.of === "an unproven account"
        ? sessionRows.revokeUnproven(userId, now)
        : sessionRows.revokeAll(userId, now, sessions.as, sessions.of === "all" ? "" : exceptSession);
    return [onlyWithSessions === true ? { ...ending, guard: true } : ending];
  }

  function removeFactors(userId: string, { factors }: Rule): readonly Statement[] {
    if (factors === "kept") return [];
    const clearing =
      factors === "all"
        ? { ...userFactors.clear(userId, clock.now()), guard: false }
        : userFactors.clearUnproven(userId);
    return [clearing, ...storedFactors.removeUnset(userId)];
  }

  function voidGrants(userId: string, rule: Rule, exceptGrant: string | undefined): Statement {
    const voided = grantPurposes.filter((purpose) => grantKinds[purpose] === "lets in" || rule.takeBacks === "voided");
    return grants.voidOpen(userId, voided, { except: exceptGrant, butOwners: rule.ownersLinks === "kept" });
  }

  function partsOf(
    userId: string,
    named: Rule,
    particulars: Particulars,
  ): Readonly<Record<Part, readonly Statement[]>> {
    const { keep = [], exceptGrant } = particulars;
    const since = clock.now() - takeBackTtlMs;
    const rule = keep === "all" ? { ...named, ...nothingRemoved } : named;
    const removes = { identities: rule.added !== "kept", factors: rule.added === "removed" };
    return {
      epoch: [users.endHolds(userId)],
      sessions: endSessions(userId, rule, particulars),
      challenges: rule.sessions === "kept" ? [] : [challenges.voidAll(userId)],
      tokens: rule.tokens === "kept" ? [] : [personalTokens.revokeAll(userId, clock.now())],
      identities: rule.identities === "kept" ? [] : [identities[rule.identities](userId)],
      addedIdentities: removes.identities && keep !== "all" ? [identities.unlinkSince(userId, since, keep)] : [],
      factors: removeFactors(userId, rule),
      addedFactors: removes.factors && keep !== "all" ? storedFactors.removeSince(userId, since, keep) : [],
      grants: [voidGrants(userId, rule, exceptGrant)],
    };
  }

  function evict(userId: string, eviction: Eviction, particulars: Particulars = {}): Evicted {
    const parts = partsOf(userId, evictions[eviction], particulars);
    const all = Object.entries(parts).flatMap(([part, made]) => made.map((statement) => ({ part, statement })));
    const of = (results: readonly RunResult[], part: Part) => results.filter((_, at) => all[at]?.part === part);
    return {
      statements: all.map(({ statement }) => statement),
      sessionsEnded: (results) => changesOf(of(results, "sessions")),
      tell: (results, client) => [
        ...(eviction === "address_proven" ? endedOf(userId, of(results, "sessions"), client) : []),
        ...unlinkedOf(userId, of(results, "identities"), client, "address_not_proven"),
        ...unlinkedOf(userId, of(results, "addedIdentities"), client, "taken_back"),
        ...(evictions[eviction].factors === "all" ? [] : clearedOf(userId, of(results, "factors"), client)),
        ...removedOf(userId, of(results, "addedFactors"), client),
      ],
    };
  }

  return {
    evict,

    /** Returns statements for a change of the account's own second factors: the first factor and the end of the last one are evictions. */
    ofFactors(
      { id, factors: from }: { readonly id: string; readonly factors: number },
      to: number,
    ): readonly Statement[] {
      if ((from === 0) === (to === 0)) return [];
      return evict(id, from === 0 ? "first_factor_added" : "last_factor_removed").statements;
    },
  };
}

export type Evictions = ReturnType<typeof createEvictions>;

/**
 * Writes down what an eviction has removed, which is known only once it is committed. A failure here undoes nothing: the log then has the
 * removals.
 */
export async function recordEvicted(journal: Journal, log: Log, tell: readonly Occurrence[]): Promise<void> {
  if (tell.length === 0) return;
  try {
    await journal.commit({ tell });
  } catch (error) {
    log.error("what the proof of an address has ended is not in the audit log", { ended: tell, error });
  }
}

const changesOf = (results: readonly RunResult[]): number => results.reduce((sum, { changes }) => sum + changes, 0);
const rowsOf = (results: readonly RunResult[]): readonly unknown[] => results.flatMap(({ rows }) => rows);

const endedOf = (userId: string, results: readonly RunResult[], client: Client): readonly Occurrence[] =>
  changesOf(results) === 0
    ? []
    : [
        {
          topic: "auth.session-revoked",
          payload: { user_id: userId, session_id: null },
          by: byUser(client),
          reason: "address_not_proven",
        },
      ];

const unlinkedOf = (userId: string, results: readonly RunResult[], client: Client, reason: string) =>
  rowsOf(results).flatMap((row): Occurrence[] => {
    if (!Value.Check(UnlinkedRow, row)) return [];
    const payload = { user_id: userId, identity_id: row.id, provider: row.provider };
    return [{ topic: "auth.identity-unlinked", payload, by: byUser(client), reason }];
  });

const clearedOf = (userId: string, [cleared]: readonly RunResult[], client: Client): readonly Occurrence[] =>
  (cleared?.changes ?? 0) === 0
    ? []
    : [{ topic: "auth.factors-reset", payload: { user_id: userId }, by: byUser(client), reason: "address_not_proven" }];

const removedOf = (userId: string, results: readonly RunResult[], client: Client): readonly Occurrence[] =>
  rowsOf(results).flatMap((row): Occurrence[] => {
    if (!Value.Check(RemovedFactorRow, row)) return [];
    const payload = { user_id: userId, factor: row.factor };
    return [{ topic: "auth.factor-removed", payload, by: byUser(client), reason: "taken_back" }];
  });
