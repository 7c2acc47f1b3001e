import type { Client, ProviderProof, UserRow } from "../../auth/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import { newId } from "../../core/ids.ts";
import type { Profile } from "../exchange/profiles.ts";
import type { IdentityRepository } from "./identity.repository.ts";

/** An account that is about to be made. */
type Newborn = Pick<UserRow, "id" | "createdAt">;
type Linked = Omit<Parameters<IdentityRepository["insert"]>[0], "id">;

/** Makes what is told of an identity. */
export const identityEvent = (
  topic: "auth.identity-linked" | "auth.identity-unlinked",
  identity: { readonly id: string; readonly userId: string; readonly provider: string },
  client: Client,
  sessionId?: string,
): Occurrence => ({
  topic,
  payload: { user_id: identity.userId, identity_id: identity.id, provider: identity.provider },
  by: { actor: "user", origin: client },
  sessionId,
});

export function createAdding(identities: Pick<IdentityRepository, "insert">) {
  /** Returns the statement that adds an identity, with its audit row. `lastLoginAt` is null where a session that goes on links it. */
  function later(linked: Linked, profile: Profile, client: Client, sessionId?: string): ProviderProof {
    const identity = { ...linked, id: newId() };
    return {
      statements: [identities.insert(identity, profile)],
      tell: [identityEvent("auth.identity-linked", identity, client, sessionId)],
    };
  }

  return {
    later,

    /** For the batch that makes the account: its identity is as old as the account, which tells it from those that are linked later. */
    atOnce: (provider: string, profile: Profile, { id: userId, createdAt: at }: Newborn, client: Client) =>
      later({ provider, userId, linkedAt: at, lastLoginAt: at }, profile, client),
  };
}

export type Adding = ReturnType<typeof createAdding>;
