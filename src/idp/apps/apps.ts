import { AppError } from "../../core/errors.ts";
import type { Millis } from "../../core/clock.ts";
import type { Client as Requester, ProviderAuth, SessionRow } from "../../auth/index.ts";
import type { Database } from "../../drivers/database/index.ts";
import { createCodeRepository } from "../authorize/code.repository.ts";
import { createConsentRepository } from "../authorize/consent.repository.ts";
import { disclosedIn } from "../authorize/consents.ts";
import { asksConsent, scopesOf } from "../client/client.ts";
import { nameOfClient } from "../client/client.name.ts";
import { createClientRepository } from "../client/client.repository.ts";
import { createDeviceRepository } from "../device/device.repository.ts";
import { readDelegation } from "../token/delegation.ts";

interface AppsOptions {
  readonly database: Database;
  readonly auth: Pick<ProviderAuth, "delegations" | "journal">;
}

/** What a client holds for a person. */
interface Hold {
  readonly scopes: ReadonlySet<string>;
  /** The resource servers that it may call in the person's name. */
  readonly resources: ReadonlySet<string>;
  readonly grantedAt: Millis;
  /** Null where the client holds no session. */
  readonly lastUsedAt: Millis | null;
  readonly sessions: number;
}

const together = (earlier: Hold | undefined, more: Hold): Hold => ({
  scopes: new Set([...(earlier?.scopes ?? []), ...more.scopes]),
  resources: new Set([...(earlier?.resources ?? []), ...more.resources]),
  grantedAt: Math.min(earlier?.grantedAt ?? more.grantedAt, more.grantedAt),
  lastUsedAt: Math.max(earlier?.lastUsedAt ?? 0, more.lastUsedAt ?? 0) || null,
  sessions: (earlier?.sessions ?? 0) + more.sessions,
});

/** What programs hold for people: sessions, and the consent that they were given. */
export function createApps({ database, auth: { delegations, journal } }: AppsOptions) {
  const clients = createClientRepository(database);
  const consents = createConsentRepository(database);
  const codes = createCodeRepository(database);
  const devices = createDeviceRepository(database);

  async function holdsOf(userId: string): Promise<ReadonlyMap<string, Hold>> {
    const [sessions, consented] = await Promise.all([delegations.ofUser(userId), consents.ofUser(userId)]);
    const holds = new Map<string, Hold>();
    const add = (clientId: string, hold: Hold): void => void holds.set(clientId, together(holds.get(clientId), hold));
    for (const { clientId, grantedAt, ...row } of consented) {
      const { scopes, resources } = disclosedIn(row);
      const allowed = { scopes: new Set(scopes), resources: new Set(resources) };
      add(clientId, { ...allowed, grantedAt, lastUsedAt: null, sessions: 0 });
    }
    for (const { clientId, delegation, createdAt, lastSeenAt } of sessions) {
      const { scope, resources } = readDelegation(delegation);
      const granted = { scopes: new Set(scopesOf(scope)), resources: new Set(resources) };
      add(clientId, { ...granted, grantedAt: createdAt, lastUsedAt: lastSeenAt, sessions: 1 });
    }
    return holds;
  }

  return {
    /** Returns the clients that hold anything for a person, the one used last first. */
    async list(userId: string) {
      const [holds, known] = await Promise.all([holdsOf(userId), clients.ofUser(userId)]);
      const byId = new Map(known.map((client) => [client.id, client]));
      return [...holds]
        .map(([id, hold]) => {
          const client = byId.get(id);
          const isThirdParty = client === undefined || asksConsent(client);
          return { ...hold, id, name: client === undefined ? id : nameOfClient(client), isThirdParty };
        })
        .toSorted((a, b) => (b.lastUsedAt ?? b.grantedAt) - (a.lastUsedAt ?? a.grantedAt));
    },

    /**
     * Takes back what a person has let a client have, and ends what it holds for them. Throws `client_not_found` where that is nothing. Codes that
     * the client has not swapped yet are worthless then, those of devices included.
     */
    async revoke({ id: sessionId, userId }: Pick<SessionRow, "id" | "userId">, clientId: string, requester: Requester) {
      const [holds, clientsOfUser] = await Promise.all([holdsOf(userId), clients.ofUser(userId)]);
      if (!holds.has(clientId)) throw new AppError("client_not_found");
      const known = clientsOfUser.find(({ id }) => id === clientId);
      const { applied } = await journal.commit({
        statements: [
          ...delegations.withdraw(clientId, userId),
          consents.withdraw(userId, clientId),
          codes.withdraw(userId, clientId),
          devices.withdraw(userId, clientId),
        ],
        tell: [
          {
            topic: "auth.client-withdrawn",
            payload: { user_id: userId, client_id: clientId },
            by: { actor: "user", origin: requester },
            program: known && nameOfClient(known),
            sessionId,
          },
        ],
      });
      // The lock holds for an account that is active: this one was disabled meanwhile, which has ended its sessions.
      if (!applied) throw new AppError("unauthorized");
    },
  };
}

export type Apps = ReturnType<typeof createApps>;
