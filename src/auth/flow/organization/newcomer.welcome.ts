import type { Clock } from "../../../core/clock.ts";
import type { Statement } from "../../../drivers/database/index.ts";
import { byUser } from "../../journal.ts";
import type { AcceptanceService, Welcome } from "../invitation/invitation.acceptance.ts";
import type { Memberships } from "./memberships.ts";

interface WelcomeOptions {
  readonly acceptance: Pick<AcceptanceService, "welcomeTo">;
  readonly memberships: Pick<Memberships, "joining">;
  readonly clock: Clock;
}

interface Newcomer {
  readonly organizationId: string;
  readonly email: string;
  readonly emailKey: string;
  /** A guard of the provider's right to speak for the address. */
  readonly hold: Statement;
}

/**
 * Makes what somebody gets for whom the provider of an organization speaks: a proven address and a membership, with the roles of an
 * invitation that waits for them.
 */
export const createNewcomerWelcome =
  ({ acceptance, memberships, clock }: WelcomeOptions) =>
  async ({ organizationId, email, emailKey, hold }: Newcomer): Promise<Welcome> => {
    const invited = await acceptance.welcomeTo(emailKey, organizationId);
    const plain: Welcome = {
      email,
      emailKey,
      displayName: null,
      locale: null,
      receive: (user) => ({ ...user, emailVerifiedAt: clock.now() }),
      proofFor: (userId, client) => ({
        statements: memberships.joining({ organizationId, userId, roles: "member" }),
        tell: [
          {
            topic: "organization.member-added",
            payload: { organization_id: organizationId, user_id: userId, roles: ["member"] },
            by: byUser(client),
          },
        ],
      }),
    };
    const welcome = invited ?? plain;
    return {
      ...welcome,
      proofFor(userId, client) {
        const { statements, tell } = welcome.proofFor(userId, client);
        return { statements: [hold, ...statements], tell };
      },
    };
  };

export type NewcomerWelcome = ReturnType<typeof createNewcomerWelcome>;
