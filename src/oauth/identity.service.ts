import type { Client, FederatedAuth, SessionRow, SignedIn, UserRow } from "../auth/index.ts";
import { timestamp, type Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Queue } from "../drivers/queue/index.ts";
import type { IdentityRepository, IdentityRow } from "./identity.repository.ts";
import type { Profile } from "./profiles.ts";
import type { Provider, ProviderName } from "./providers.ts";

interface IdentityOptions {
  readonly auth: FederatedAuth;
  readonly queue: Queue;
  readonly identities: IdentityRepository;
  /** Those that are configured. */
  readonly providers: readonly Provider[];
  readonly clock: Clock;
}

const maxTries = 3;

/** Others were in the way and are gone: to be tried again. */
const overtaken = (): AppError => new AppError("unavailable", { retryAfterSeconds: 1 });

/** Whose identity it is, and who becomes whom by it: the policy of CONTRACT §5. */
export function createIdentityService({ auth, queue, identities, providers, clock }: IdentityOptions) {
  const inUse = providers.map(({ name }) => name);
  const labels: ReadonlyMap<string, string> = new Map(providers.map(({ name, label }) => [name, label]));

  const newIdentity = (provider: ProviderName, profile: Profile, userId: string, lastLoginAt: number | null) =>
    identities.insert({ id: newId(), userId, provider, profile, now: clock.now(), lastLoginAt });

  async function signInKnown(identity: IdentityRow, profile: Profile, client: Client): Promise<SignedIn | undefined> {
    const user = await auth.userById(identity.userId);
    return user && auth.signIn(user, client, identities.loggedIn(identity, profile, clock.now()));
  }

  async function signUp(provider: ProviderName, profile: Profile, client: Client) {
    const { email, emailVerified, username, displayName, avatarUrl } = profile;
    if (email === undefined) throw new AppError("oauth_email_missing");
    const newcomer = { email, emailVerified, username, displayName, avatarUrl };
    return auth.signUp(newcomer, client, (userId) => newIdentity(provider, profile, userId, clock.now()));
  }

  return {
    /**
     * The identity's user, or a new one. An address that belongs to somebody never links (SEED §5.9): whoever holds that
     * account signs in to it and links.
     */
    async signIn(provider: ProviderName, profile: Profile, client: Client): Promise<SignedIn> {
      let addressIsTaken = false;
      for (let tries = 0; tries < maxTries; tries += 1) {
        const identity = await identities.find(provider, profile);
        if (identity !== undefined) {
          const signedIn = await signInKnown(identity, profile, client);
          if (signedIn !== undefined) return signedIn;
          continue;
        }
        // Taken by a sign-up of the same subject at the same moment, perhaps: that one would have been found by now.
        if (addressIsTaken) throw new AppError("identity_link_required");
        const result = await signUp(provider, profile, client);
        if (typeof result === "object") return result;
        addressIsTaken = result === "email_taken";
      }
      throw overtaken();
    },

    /** Adds the identity to the user of a session that is live at the moment of the commit. */
    async link(provider: Provider, profile: Profile, session: SessionRow): Promise<void> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const owned = await identities.find(provider.name, profile);
        if (owned?.userId === session.userId) return;
        if (owned !== undefined) throw new AppError("identity_already_linked");
        const linked = await queue.commit(
          [
            auth.holdSession(session),
            auth.holdUser(session.userId),
            newIdentity(provider.name, profile, session.userId, null),
          ],
          [auth.noticeOf("identity_linked", session.userId, provider.label)],
        );
        if (linked.applied) return;
        if (linked.failedGuard < 2) throw new AppError("unauthorized");
      }
      throw overtaken();
    },

    /** Throws `identity_not_found` for an unknown or foreign one alike, `last_auth_method` when nothing else signs in. */
    async unlink(id: string, userId: string): Promise<void> {
      const identity = await identities.byId(id, userId);
      if (identity === undefined) throw new AppError("identity_not_found");
      const label = labels.get(identity.provider) ?? identity.provider;
      const unlinked = await queue.commit(
        [auth.holdUser(userId), identities.unlink(id, userId, inUse)],
        [auth.noticeOf("identity_unlinked", userId, label)],
      );
      if (unlinked.applied) return;
      if (unlinked.failedGuard === 0) throw new AppError("unauthorized");
      const isLeft = (await identities.byId(id, userId)) !== undefined;
      throw new AppError(isLeft ? "last_auth_method" : "identity_not_found");
    },

    list: async (userId: UserRow["id"]) =>
      (await identities.list(userId)).map((identity) => ({
        id: identity.id,
        provider: identity.provider,
        email: identity.email,
        username: identity.username,
        linked_at: timestamp(identity.linkedAt),
        last_login_at: timestamp(identity.lastLoginAt),
      })),
  };
}

export type IdentityService = ReturnType<typeof createIdentityService>;
