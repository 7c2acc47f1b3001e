import type { By, Occurrence } from "../../core/audit.ts";
import { AppError, type ErrorCode } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import { mayDoTo, type StaffAct, type StaffRole } from "../../core/people/staff.ts";
import type { RunResult, Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "../user/user.repository.ts";
import { readRoles } from "../user/roles.ts";
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

/** Throws `forbidden` where the role by which one of the staff acts is not enough for that, or for that account. */
export function requireMay(may: StaffAct, user: UserRow, by: By): void {
  if (by.actor === "staff" && !mayDoTo(may, [by.role], readRoles(user.roles))) throw new AppError("forbidden");
}

const holdOfSubject = (id: string, role: StaffRole): Hold =>
  role === "admin"
    ? { statement: upkeep.holdAny(id), refusal: "not_found" }
    : { statement: upkeep.holdNoStaff(id), refusal: "forbidden" };

/**
 * Commits acts on an account by others than its user. Rows, audit rows, events and jobs are one batch. Staff act only while they are active
 * and have the role by which they act: that is read in the same commit, so that of two admins who disable each other one stays. Only admins
 * act on accounts of staff, which is read there, too: whom support helps may have become one of the staff meanwhile.
 */
export function createActs({ users, journal }: Parts<"users" | "journal">) {
  /** The users' rows come first, by their ids: two batches that lock the same two take turns. */
  function holdsOf({ user, by, unseats = false }: Pick<Act, "user" | "by" | "unseats">): readonly Hold[] {
    if (by.actor === "staff" && by.userId === user.id) {
      if (unseats) throw new AppError("own_account");
      return [{ statement: upkeep.holdRole(user.id, by.role), refusal: "forbidden" }];
    }
    if (by.actor === "staff") {
      const own = { id: by.userId, statement: upkeep.holdRole(by.userId, by.role), refusal: "forbidden" } as const;
      const theirs = { id: user.id, ...holdOfSubject(user.id, by.role) } as const;
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
    return new AppError((await users.byId(id)) === undefined ? "not_found" : refusal);
  }

  return {
    holdsOf,

    /** Returns the guards for an account that is yet to be made. */
    holdsOfNewcomer: (by: By): readonly Statement[] =>
      by.actor === "staff" ? [upkeep.holdRole(by.userId, by.role)] : [],

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
