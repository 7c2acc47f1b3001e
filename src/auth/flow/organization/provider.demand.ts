import { AppError } from "../../../core/errors.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import type { Client } from "../../client.ts";
import type { UserRow } from "../../user/user.repository.ts";
import type { Memberships } from "./memberships.ts";
import type { Parts } from "../parts.ts";
import { refusedLogin } from "../refused.login.ts";
import type { Vouchers } from "./vouchers.ts";

type DemandOptions = Parts<"journal"> & {
  readonly memberships: Pick<Memberships, "requiredProvider">;
  readonly vouchers: Pick<Vouchers, "holds">;
};

interface Proven {
  /** The identity at a provider by which the person came, if they did. */
  readonly identityId?: string | null | undefined;
  /** Statements for a right proof, which settle counters of failures. */
  readonly settled?: readonly Statement[] | undefined;
}

/**
 * Asks whether an organization wants the account signed in by its own provider. Every way to a session asks, and every way to a new password.
 * Undefined where there are no organizations.
 */
export function createProviderDemand({ memberships, vouchers, journal }: DemandOptions) {
  const { requiredProvider } = memberships;
  if (requiredProvider === undefined) return undefined;
  return {
    /** Whether the account's person signs in by a provider of that kind, and so keeps the address that it speaks for. */
    concerns: async (user: UserRow): Promise<boolean> => (await requiredProvider(user)) !== undefined,

    /** Throws `provider_required`, unless the provider has let the person in, or has just spoken for the account in this browser. */
    async require(user: UserRow, client: Client, { identityId, settled = [] }: Proven = {}): Promise<void> {
      const required = await requiredProvider(user, identityId ?? undefined);
      if (required === undefined || vouchers.holds(client.vouched, user.id, required.organizationId)) return;
      await journal.commit({ statements: settled, tell: [refusedLogin(user.id, "provider_required", client)] });
      throw new AppError("provider_required", { redirect: required.redirect, userId: user.id });
    },
  };
}

export type ProviderDemand = ReturnType<typeof createProviderDemand>;
