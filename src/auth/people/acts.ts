import type { By, Occurrence } from "../../core/audit.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import type { RunResult, Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "../user/user.repository.ts";
import { upkeep } from "./upkeep.repository.ts";
import type { Parts } from "../flow/parts.ts";

/** A guard besides the change itself, and the refusal where it does not hold. */
interface Hold {
  readonly statement: Statement;
  readonly refusal: ErrorCode;
}

interface Act {
  readonly user: UserRow;
  readonly by: By;
  /** Whether the act could end the account's being an admin's: nobody does that to themselves, and no service to the last admin. */
  readonly unseats?: boolean;
  /** Statements in the order of locks. The first is guarded: where it changes nothing, there was nothing to do. */
  readonly statements: readonly Statement[];
  /** What is charged for the act. Throws its refusal where it is used up. */
  readonly shares?: { readonly statements: readonly Statement[]; refusal(): Promise<AppError> } | undefined;
  readonly jobs?: readonly Job[];
  readonly tell: readonly Occurrence[];
}

/**
 * Commits acts on an account by others than its user. Rows, audit rows, events and jobs are one batch. Staff act only while they are active
 * admins: that is read in the same commit, so that of two admins who disable each other one stays.
 */
export function createActs({ users, journal }: Parts<"users" | "journal">) {
  /** The users' rows come first, by their ids: two batches that lock the same two take turns. */
  function holdsOf({ user, by, unseats = false }: Pick<Act, "user" | "by" | "unseats">): readonly Hold[] {
    if (by.actor === "staff" && by.userId === user.id) {
      if (unseats) throw new AppError("own_account");
      return [{ statement: upkeep.holdAdmin(user.id), refusal: "forbidden" }];
    }
    if (by.actor === "staff") {
      const own = { id: by.userId, statement: upkeep.holdAdmin(by.userId), refusal: "forbidden" } as const;
      const theirs = { id: user.id, statement: upkeep.holdAny(user.id), refusal: "not_found" } as const;
      return own.id < theirs.id ? [own, theirs] : [theirs, own];
    }
    if (by.actor === "service" && unseats)
      return [
        { statement: upkeep.holdAdmins(), refusal: "last_admin" },
        { statement: upkeep.holdUnlessLastAdmin(user.id), refusal: "last_admin" },
      ];
    return [];
  }

  /** An account that is gone is not found, whatever other refusal its missing row causes. */
  async function refusalOf({ refusal }: Hold, { id }: UserRow): Promise<AppError> {
    return new AppError(refusal === "last_admin" && (await users.byId(id)) === undefined ? "not_found" : refusal);
  }

  return {
    holdsOf,

    /** Returns the guards for an account that is yet to be made. */
    holdsOfNewcomer: (by: By): readonly Statement[] => (by.actor === "staff" ? [upkeep.holdAdmin(by.userId)] : []),

    /** Returns the results of the statements; undefined when there was nothing to do. Throws what keeps this actor from the act. */
    async commit({ statements, shares, jobs = [], tell, ...act }: Act): Promise<readonly RunResult[] | undefined> {
      const holds = holdsOf(act);
      const done = await journal.commit({
        statements: [...holds.map(({ statement }) => statement), ...statements, ...(shares?.statements ?? [])],
        jobs,
        tell,
      });
      if (done.applied) return done.results.slice(holds.length);
      if (shares !== undefined && done.failedGuard >= holds.length + statements.length) throw await shares.refusal();
      const refused = holds[done.failedGuard];
      if (refused === undefined) return undefined;
      throw await refusalOf(refused, act.user);
    },

    refusalOf,
  };
}
