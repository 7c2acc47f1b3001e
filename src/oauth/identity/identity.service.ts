import type { Client, FederatedAuth, SessionRow, SignIn, UserRow } from "../../auth/index.ts";
import { timestamp, type Clock } from "../../core/clock.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import { countedProvider } from "../../core/people/providers.ts";
import { identityEvent, type Adding } from "./adding.ts";
import type { IdentityRepository, IdentityRow } from "./identity.repository.ts";
import type { Profile } from "../exchange/profiles.ts";
import type { OrganizationSignIns } from "../organization/sign.in.ts";
import type { Provider } from "../provider.ts";

interface IdentityOptions {
  readonly auth: FederatedAuth;
  readonly identities: IdentityRepository;
  readonly adding: Adding;
  readonly providers: readonly Provider[];
  /** The providers of organizations. */
  readonly own: {
    readonly signIns: OrganizationSignIns;
    /** Returns those that sign the person in, by their names in rows, with what people call their organizations. */
    readonly namesOf: (userId: string) => Promise<ReadonlyMap<string, string>>;
    readonly find: (name: string) => Promise<Provider | undefined>;
  };
  readonly clock: Clock;
}

const maxTries = 3;

/** Decides which account an identity signs in to, and links and unlinks identities. */
export function createIdentityService({ auth, identities, adding, providers, own, clock }: IdentityOptions) {
  const displayNames = new Map(providers.map(({ name, displayName }) => [name, displayName]));
  const inUse = [...displayNames.keys()];

  async function isAskedAnew({ userId }: IdentityRow, profile: Profile): Promise<boolean> {
    if (profile.emailVerified) return false;
    const user = await auth.userById(userId);
    return user !== undefined && auth.isAskedAnew(user, profile);
  }

  async function signInKnown(
    identity: IdentityRow,
    profile: Profile,
    client: Client,
    invitationHash?: string,
  ): Promise<SignIn | undefined> {
    const user = await auth.userById(identity.userId);
    const guard = identities.loggedIn(identity, profile, clock.now());
    const provider = countedProvider(identity.provider);
    return user && auth.signIn(user, client, { identityId: identity.id, provider, invitationHash, guard });
  }

  async function signUp(provider: string, profile: Profile, client: Client, acceptedTerms: string | undefined) {
    const { email, emailVerified, username, displayName, avatarUrl } = profile;
    if (email === undefined) throw new AppError("oauth_email_missing");
    const newcomer = { email, emailVerified, username, displayName, avatarUrl, acceptedTerms };
    return auth.signUp(newcomer, client, (user) => adding.atOnce(provider, profile, user, client));
  }

  async function remove(identity: IdentityRow | undefined, sessionId: string, client: Client): Promise<void> {
    if (identity === undefined) throw new AppError("identity_not_found");
    const { id, userId } = identity;
    const displayName =
      displayNames.get(identity.provider) ?? (await own.find(identity.provider))?.displayName ?? identity.provider;
    const ways = [...inUse, ...(await own.namesOf(userId)).keys()];
    const unlinked = await auth.journal.commit({
      statements: [auth.holdUser(userId), identities.unlink(id, userId, ways)],
      jobs: [auth.noticeOf("identity_unlinked", userId, displayName, client)],
      tell: [identityEvent("auth.identity-unlinked", identity, client, sessionId)],
    });
    if (unlinked.applied) return;
    if (unlinked.failedGuard === 0) throw new AppError("unauthorized");
    const isLeft = (await identities.byId(id, userId)) !== undefined;
    throw new AppError(isLeft ? "last_auth_method" : "identity_not_found");
  }

  return {
    /**
     * Signs in the user of the identity, or a new user. An address that an account already has never links the two, because the provider's
     * word for it is not the account holder's: that person signs in to the account and links the identity. `terms_due`: nothing is made
     * before a newcomer has accepted the terms.
     */
    async signIn(
      { name: provider, organization }: Provider,
      profile: Profile,
      client: Client,
      acceptedTerms?: string,
    ): Promise<SignIn | "terms_due"> {
      if (organization !== undefined) return own.signIns.signIn(organization, profile, client, acceptedTerms);
      let addressOf: string | undefined;
      for (let tries = 0; tries < maxTries; tries += 1) {
        const identity = await identities.find(provider, profile);
        if (identity !== undefined) {
          if (acceptedTerms === undefined && (await isAskedAnew(identity, profile))) return "terms_due";
          const signIn = await signInKnown(identity, profile, client);
          if (signIn !== undefined) return signIn;
          continue;
        }
        // The address was taken before. Had a simultaneous sign-up of the same subject taken it, its identity would have been
        // found this time.
        if (addressOf !== undefined) throw await auth.refuseLink(addressOf, profile, client);
        const result = await signUp(provider, profile, client, acceptedTerms);
        if (result === "terms_due" || (result !== "overtaken" && "issued" in result)) return result;
        addressOf = result === "overtaken" ? undefined : result.addressOf;
      }
      throw overtaken();
    },

    /**
     * Signs in somebody who was invited. A newcomer's account gets the invited address and this identity, whatever address the provider
     * knows: the token proves the address, the provider the identity. A known identity must belong to the account that has the invited
     * address. Another account's is refused with `identity_already_linked`.
     */
    async signInInvited(
      provider: string,
      profile: Profile,
      invitationHash: string,
      client: Client,
      acceptedTerms?: string,
    ): Promise<SignIn | "terms_due"> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const welcome = await auth.acceptance.welcomeByHash(invitationHash);
        const identity = await identities.find(provider, profile);
        if (identity === undefined) {
          const result = await auth.signUpInvited({ ...profile, acceptedTerms }, welcome, client, (user) =>
            adding.atOnce(provider, profile, user, client),
          );
          if (result !== "overtaken") return result;
          continue;
        }
        const user = await auth.userById(identity.userId);
        if (user !== undefined && user.emailKey !== welcome.emailKey) throw new AppError("identity_already_linked");
        const signIn = await signInKnown(identity, profile, client, invitationHash);
        if (signIn !== undefined) return signIn;
      }
      throw overtaken();
    },

    /** Links the identity to the user of a session, which must still be live at the moment of the commit. */
    async link(provider: Provider, profile: Profile, session: SessionRow, client: Client): Promise<void> {
      const { id, userId } = session;
      if (provider.organization !== undefined) await own.signIns.requireOwn(provider.organization, userId);
      for (let tries = 0; tries < maxTries; tries += 1) {
        const owned = await identities.find(provider.name, profile);
        if (owned?.userId === userId) return;
        if (owned !== undefined) throw new AppError("identity_already_linked");
        const linking = { provider: provider.name, userId, linkedAt: clock.now(), lastLoginAt: null };
        const added = adding.later(linking, profile, client, id);
        const linked = await auth.journal.commit({
          statements: [auth.holdUser(userId), auth.holdSession(session), ...added.statements],
          jobs: [auth.noticeOf("identity_linked", userId, provider.displayName, client)],
          tell: added.tell,
        });
        if (linked.applied) return;
        if (linked.failedGuard < 2) throw new AppError("unauthorized");
      }
      throw overtaken();
    },

    /**
     * Unlinks an identity. Throws `reauthentication_required` without a fresh proof, `identity_not_found` for an unknown identity and for
     * another user's, and `last_auth_method` when nothing else signs in.
     */
    async unlink(id: string, session: SessionRow, client: Client): Promise<void> {
      const { id: sessionId, userId } = session;
      await auth.requireFreshProof(session);
      const identity = await identities.byId(id, userId);
      // Metrics get the provider as a label: an identity may be left of a provider that is no longer configured.
      const counted = countedProvider(identity?.provider ?? "");
      const provider = counted === "organization" || inUse.includes(counted) ? counted : "unknown";
      await auth.watch("identity_unlink", () => remove(identity, sessionId, client), provider);
    },

    async list(userId: UserRow["id"]) {
      const linked = await identities.list(userId);
      const ofOrganizations = await own.namesOf(userId);
      return linked.map((identity) => ({
        id: identity.id,
        provider: identity.provider,
        label: displayNames.get(identity.provider) ?? ofOrganizations.get(identity.provider) ?? null,
        email: identity.email,
        username: identity.username,
        linked_at: timestamp(identity.linkedAt),
        last_login_at: timestamp(identity.lastLoginAt),
      }));
    },
  };
}

export type IdentityService = ReturnType<typeof createIdentityService>;
