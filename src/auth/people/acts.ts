import type { By, Occurrence } from "../../core/audit.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import type { RunResult, Statement } from "../../drivers/database/index.ts";
import type { Journal } from "../journal.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";
import { upkeep } from "./upkeep.repository.ts";

interface ActsOptions {
  readonly users: UserRepository;
  readonly journal: Journal;
}

/** What has to hold besides the change itself, and the refusal where it does not. */
interface Hold {
  readonly statement: Statement;
  readonly refusal: ErrorCode;
}

interface Act {
  readonly user: UserRow;
  readonly by: By;
  /** Whether the account could be an admin's no longer: nobody takes that from themselves, and no service from the last one. */
  readonly unseats?: boolean;
  /** In the order of locks. The first is guarded: where it changes nothing, there was nothing to do. */
  readonly statements: readonly Statement[];
  readonly jobs?: readonly Job[];
  readonly tell: readonly Occurrence[];
}

/**
 * The commit of whatever is done to an account by somebody else than its user. Rows, audit rows, events and jobs are one batch. Staff act
 * only while they are active admins: that is read in the same commit, so that of two admins who disable each other one stays.
 */
export function createActs({ users, journal }: ActsOptions) {
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

  /** An account that is gone is not found, whatever else was asked of its row. */
  async function refusalOf({ refusal }: Hold, { id }: UserRow): Promise<AppError> {
    return new AppError(refusal === "last_admin" && (await users.byId(id)) === undefined ? "not_found" : refusal);
  }

  return {
    holdsOf,

    /** For an account that is yet to be made. */
    holdsOfNewcomer: (by: By): readonly Statement[] => (by.actor === "staff" ? [upkeep.holdAdmin(by.userId)] : []),

    /** What the statements came to; undefined when there was nothing to do. Throws what keeps this actor from it. */
    async commit({ statements, jobs = [], tell, ...act }: Act): Promise<readonly RunResult[] | undefined> {
      const holds = holdsOf(act);
      const done = await journal.commit({
        statements: [...holds.map(({ statement }) => statement), ...statements],
        jobs,
        tell,
      });
      if (done.applied) return done.results.slice(holds.length);
      const refused = holds[done.failedGuard];
      if (refused === undefined) return undefined;
      throw await refusalOf(refused, act.user);
    },

    refusalOf,
  };
}

export type Acts = ReturnType<typeof createActs>;
