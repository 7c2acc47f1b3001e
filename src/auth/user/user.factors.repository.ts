import type { Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { UserRow } from "./user.repository.ts";

/** Writes of `users.factors`, each the first lock of its batch. The bits are those of factor/method.ts. */
export const userFactors = {
  /** Holds only while the account is active and has the factors that were read, so that two changes at once do not undo each other. */
  change: ({ id, factors: from }: Pick<UserRow, "id" | "factors">, to: number, now: Millis): Statement => ({
    guard: true,
    sql: `update users set factors = $to, updated_at = $now where id = $id and active = 1 and factors = $from`,
    params: { id, from, to, now },
  }),

  /** Removes all factors. Holds only where the account has one. Reaches disabled accounts, too. */
  clear: (id: string, now: Millis): Statement => ({
    guard: true,
    sql: `update users set factors = 0, updated_at = $now where id = $id and factors <> 0`,
    params: { id, now },
  }),

  /** Removes all factors while the address is not proven. */
  clearUnproven: (id: string): Statement => ({
    sql: `update users set factors = 0 where id = $id and factors <> 0 and email_verified_at is null`,
    params: { id },
  }),

  /** Writes the bits anew from the tables that store each kind. */
  recount: (id: string, kinds: readonly { readonly bit: number; readonly isSetUp: string }[]): Statement => ({
    sql: `update users set factors = ${kinds.map(({ bit, isSetUp }) => `case when ${isSetUp} then ${bit} else 0 end`).join(" + ")}
          where id = $id`,
    params: { id },
  }),
} as const;
