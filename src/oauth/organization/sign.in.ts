import {
  domainOfKey,
  emailKey,
  hasStaffRole,
  type Client,
  type FederatedAuth,
  type SignIn,
  type UserRow,
} from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, overtaken } from "../../core/errors.ts";
import { countedProvider } from "../../core/people/providers.ts";
import type { Profile } from "../exchange/profiles.ts";
import type { IdentityRepository, IdentityRow } from "../identity/identity.repository.ts";
import type { Adding } from "../identity/adding.ts";
import { nameInMails, type OrganizationSignIn, type SpeakingOrganization } from "./speaking.ts";

interface SignInOptions {
  readonly auth: FederatedAuth;
  readonly identities: IdentityRepository;
  readonly organizations: OrganizationSignIn;
  readonly adding: Adding;
  readonly clock: Clock;
}

/** Somebody for whom the provider of an organization speaks, and the address below its domain by which they are known. */
interface Arrival {
  readonly organization: SpeakingOrganization;
  readonly profile: Profile;
  readonly client: Client;
  readonly key: string;
}

const maxTries = 3;

/**
 * Signs people in on the word of an organization's own provider. Its owners have chosen it, and not the operator: it speaks for addresses
 * below the organization's proven domains and for members alone, and makes nobody else's account its own.
 */
export function createOrganizationSignIns({ auth, identities, organizations, adding, clock }: SignInOptions) {
  /**
   * Throws `membership_required`: an identity that was linked once is worth nothing to somebody who has left. Staff, who may have become
   * that since, are refused as those are whom it is not linked to: a customer's word alone opens no account with rights on all others.
   */
  async function signInKnown(
    { organization, profile, client }: Omit<Arrival, "key">,
    identity: IdentityRow,
  ): Promise<SignIn | undefined> {
    const user = await auth.userById(identity.userId);
    if (user === undefined) return undefined;
    if (!(await organizations.signsIn(organization, user)))
      throw new AppError("membership_required", { userId: user.id });
    if (hasStaffRole(user.roles)) throw await refuse({ organization, profile, client }, user);
    const holds = [organizations.hold(organization.id, domainOfKey(user.emailKey))];
    const guard = identities.loggedIn(identity, profile, clock.now());
    return auth.signIn(user, client, {
      identityId: identity.id,
      provider: countedProvider(identity.provider),
      holds,
      guard,
    });
  }

  /** Makes the account of a newcomer, who is a member from the beginning. */
  async function signUp({ organization, profile, client, key }: Arrival, acceptedTerms: string | undefined) {
    if (!organization.hasRoom) throw new AppError("limit_reached");
    const { id, providerName } = organization;
    const hold = organizations.hold(id, domainOfKey(key));
    const welcome = await auth.welcomeOf({ organizationId: id, email: profile.email ?? key, emailKey: key, hold });
    return auth.signUpInvited({ ...profile, acceptedTerms }, welcome, client, (user) =>
      adding.atOnce(providerName, profile, user, client),
    );
  }

  /** Links the provider to an account, which is told by a mail that takes it back. Returns false where its person has to do that. */
  async function link({ organization, profile, client, key }: Arrival, user: UserRow): Promise<boolean> {
    if (user.emailKey !== key) return false;
    const linking = await organizations.linking(organization, user, { actor: "user", origin: client });
    if (linking === undefined) return false;
    const { id, providerName: provider } = organization;
    const added = adding.later(
      { provider, userId: user.id, linkedAt: clock.now(), lastLoginAt: null },
      profile,
      client,
    );
    const linked = await auth.journal.commit({
      statements: [
        auth.holdAddress(user),
        organizations.hold(id, domainOfKey(key)),
        ...linking.statements,
        ...added.statements,
      ],
      jobs: [auth.noticeOf("identity_linked", user.id, nameInMails(organization), client)],
      tell: [...linking.tell, ...added.tell],
    });
    return linked.applied;
  }

  /** Refuses to link by itself. The provider has spoken for the account in this browser: its person may sign in there, and link the two. */
  async function refuse({ organization, profile, client }: Omit<Arrival, "key">, user: UserRow): Promise<AppError> {
    const refusal = await auth.refuseLink(user.id, { ...profile, emailVerified: true }, client);
    return new AppError(refusal.reason, {
      userId: user.id,
      vouched: { userId: user.id, organizationId: organization.id },
    });
  }

  return {
    /** Throws `email_not_verified` and `domain_not_allowed` for an address that the provider may not speak for, `membership_required` and `identity_link_required`. */
    async signIn(
      organization: SpeakingOrganization,
      profile: Profile,
      client: Client,
      acceptedTerms?: string,
    ): Promise<SignIn | "terms_due"> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const identity = await identities.find(organization.providerName, profile);
        if (identity !== undefined) {
          const signIn = await signInKnown({ organization, profile, client }, identity);
          if (signIn !== undefined) return signIn;
          continue;
        }
        const key = emailKey(profile.email ?? "");
        if (key === undefined) throw new AppError("oauth_email_missing");
        // A person may have typed it there themselves: it could be a colleague's.
        if (profile.emailDoubted === true) throw new AppError("email_not_verified");
        if (!organization.domains.includes(domainOfKey(key))) throw new AppError("domain_not_allowed");
        const arrival = { organization, profile, client, key };
        const owner = await auth.claimantOf(key);
        if (owner !== undefined) {
          if (!(await link(arrival, owner)) && tries > 0) throw await refuse(arrival, owner);
          continue;
        }
        const result = await signUp(arrival, acceptedTerms);
        if (result !== "overtaken") return result;
      }
      throw overtaken();
    },

    /** Throws where a person may not link the provider to their account by themselves: it would sign nobody in. */
    async requireOwn(organization: SpeakingOrganization, userId: string): Promise<void> {
      const user = await auth.userById(userId);
      if (user === undefined || hasStaffRole(user.roles) || !(await organizations.signsIn(organization, user)))
        throw new AppError("membership_required", { userId });
    },
  };
}

export type OrganizationSignIns = ReturnType<typeof createOrganizationSignIns>;
