import type { Log } from "../../../observe/index.ts";
import type { Client } from "../../client.ts";
import { byUser } from "../../journal.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { Memberships } from "./memberships.ts";
import type { Parts } from "../parts.ts";

type ArrivalOptions = Parts<"journal" | "users"> & {
  readonly memberships: Pick<Memberships, "joiningByDomain">;
  readonly log: Log;
};

/**
 * Makes somebody a member who has just signed in, or proven their address, where the organization of the address's domain takes everybody in. Nothing fails because of it: where there is no room, or the database can't take it, the person is asked again at the next sign-in.
 * Undefined where there are no organizations.
 */
export function createDomainArrivals({ journal, users, memberships, log }: ArrivalOptions) {
  const { joiningByDomain } = memberships;
  if (joiningByDomain === undefined) return undefined;
  return async (user: Pick<UserRow, "id" | "emailKey" | "emailVerifiedAt">, client: Client): Promise<void> => {
    try {
      const joining = await joiningByDomain(user, byUser(client));
      if (joining === undefined) return;
      await journal.commit({ statements: [users.lock(user.id), ...joining.statements], tell: joining.tell });
    } catch (error) {
      log.warn("somebody could not join the organization of their domain", { user: user.id, error });
    }
  };
}

export type DomainArrivals = ReturnType<typeof createDomainArrivals>;
