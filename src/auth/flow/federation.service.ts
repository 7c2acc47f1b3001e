import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { addressTakenJob } from "../mail/jobs.ts";
import { emailKey, isLookAlike } from "../user/identifiers.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { AcceptanceService, Welcome } from "./invitation/invitation.acceptance.ts";
import {
  type Arrival,
  type NewcomerAdmission,
  type NewcomerProof,
  type SignedIn,
  type SignIn,
  type AdmissionService,
} from "./admission.ts";
import { createNewcomers, type Newcomer } from "./newcomer/newcomer.user.ts";
import type { Parts } from "./parts.ts";
import { refusedLogin } from "./refused.login.ts";
import type { RegistrationRules } from "./registration.rules.ts";

interface IdentityProof {
  readonly identityId: string;
  /** The name of its provider, under which the sign-in is counted. */
  readonly provider: string;
  /** The hash of the token of an invitation that is accepted with the sign-in. */
  readonly invitationHash?: string | undefined;
  readonly guard: Statement;
  /** Guards of the organization whose provider it is. */
  readonly holds?: readonly Statement[] | undefined;
}

type FederationOptions = Parts<"journal" | "users" | "pressure" | "clock"> & {
  readonly admission: AdmissionService;
  readonly rules: RegistrationRules;
  readonly config: Pick<Config["auth"], "registrationEnabled">;
  readonly acceptance: Pick<AcceptanceService, "joiningByHash">;
};

/** Somebody who was invited and comes by a provider. The address is the invitation's. */
type InvitedNewcomer = Omit<Newcomer, "email" | "emailVerified">;

/**
 * The statements by which the caller holds on to the provider's word, and the occurrences to tell. The statements guard the batch that opens
 * the session: both commit, or neither.
 */
export interface ProviderProof {
  readonly statements: readonly Statement[];
  readonly tell: readonly Occurrence[];
}

/**
 * `terms_due`: nothing is made before the person has accepted the terms. `overtaken`: another request got in between, look again.
 */
type InvitedResult = SignedIn | "terms_due" | "overtaken";
/** `addressOf`: the user who has the address already. */
type SignUpResult = InvitedResult | { readonly addressOf: string };

/** Signing in without a password, on the word of a provider that vouches for the user. */
export function createFederation(options: FederationOptions) {
  const { config, admission, rules, acceptance, journal, users, pressure, clock } = options;
  const newUser = createNewcomers({ users, rules, clock });

  /**
   * Turns the decision into a session. Undefined when the proof no longer held. Throws `account_inactive`, or `email_not_verified` as a
   * login would.
   */
  async function answer(decision: NewcomerAdmission, userId: string, client: Client): Promise<SignedIn | undefined> {
    if (decision.outcome === "admitted") return decision.signedIn;
    if (decision.outcome === "overtaken") return undefined;
    if (decision.reason !== "inactive") throw new AppError(decision.reason, { userId });
    await journal.commit({ tell: [refusedLogin(userId, "inactive", client)] });
    throw new AppError("account_inactive", { userId });
  }

  /** Whether a stranger may have typed the address at the provider, and must not learn here whether it has an account. */
  const isSilent = ({ emailVerified }: Pick<Newcomer, "emailVerified">): boolean =>
    admission.mustVerify({ emailVerifiedAt: emailVerified ? clock.now() : null });

  const arrivalOf = (
    user: UserRow,
    client: Client,
    proofs: readonly ProviderProof[],
    invited?: { readonly isInvited: true },
  ): Arrival<NewcomerProof> => ({
    user,
    proof: {
      by: "valid_identity",
      cameBy: "provider",
      registers: { tell: proofs.flatMap(({ tell }) => tell), ...invited },
      guards: proofs.flatMap(({ statements }) => statements),
    },
    client,
    remember: false,
  });

  async function signUpAs(
    user: UserRow,
    client: Client,
    proofs: readonly ProviderProof[],
    invited?: { readonly isInvited: true },
  ): Promise<SignedIn | "overtaken"> {
    const decision = await admission.admitNewcomer(arrivalOf(user, client, proofs, invited));
    return (await answer(decision, user.id, client)) ?? "overtaken";
  }

  return {
    requireTerms: rules.requireTerms,

    /**
     * Whether somebody who comes again, and whose address nobody has proven, is asked for the terms again. A stranger would learn by not
     * being asked that the first time has made an account.
     */
    isAskedAnew: (user: UserRow, profile: Pick<Newcomer, "emailVerified">): boolean =>
      isSilent(profile) && user.emailVerifiedAt === null && rules.termsDue(undefined) !== null,

    /**
     * Writes down that a person came whose address is that user's, and was not let in. Where addresses must be verified and the provider
     * does not vouch for this one, a stranger may have typed it there. The answer is then that for a free address, and only the owner is
     * told, by the mail that registering it would send.
     */
    async refuseLink(
      userId: string,
      { email = "", emailVerified }: Pick<Newcomer, "emailVerified"> & { readonly email?: string | undefined },
      client: Client,
    ): Promise<AppError> {
      const tell = [refusedLogin(userId, "identity_link_required", client)];
      if (!isSilent({ emailVerified })) {
        await journal.commit({ tell });
        return new AppError("identity_link_required", { userId });
      }
      const owner = await users.byId(userId);
      const { applied } = await journal.commit({
        statements: [pressure.mailShare(userId)],
        jobs:
          owner === undefined ? [] : [addressTakenJob(owner, { email, emailKey: emailKey(email) ?? email }, client)],
        tell,
      });
      // Once the hour's share of mails is used up, only the refusal is written down.
      if (!applied) await journal.commit({ tell });
      return new AppError(config.registrationEnabled ? "email_not_verified" : "registration_closed");
    },

    /**
     * Signs in by an identity, which `guard` holds on to. Undefined when the proof no longer held. Throws `account_inactive`, or
     * `email_not_verified` as a login would.
     */
    async signIn(
      user: UserRow,
      client: Client,
      { guard, holds, ...challenge }: IdentityProof,
    ): Promise<SignIn | undefined> {
      const holdUser = (signedInAt: number | null): Statement => users.signedIn(user, signedInAt);
      const { invitationHash, provider } = challenge;
      const joining = invitationHash && (await acceptance.joiningByHash(invitationHash, user, client));
      const proof = {
        by: "valid_identity",
        cameBy: "provider",
        provider,
        holdUser,
        holds,
        guards: [guard],
        challenge,
        ...joining,
      } as const;
      const decision = await admission.admit({ user, proof, client, remember: false });
      if (decision.outcome === "challenged") return decision.challenged;
      const signedIn = await answer(decision, user.id, client);
      return signedIn && joining ? { ...signedIn, user: (await users.byId(user.id)) ?? signedIn.user } : signedIn;
    },

    /**
     * Makes a new account without a password, `proofFor` it and its first session in one commit. Throws `oauth_email_missing` where no
     * account can have the address, `registration_closed` where nobody may register, and `domain_not_allowed`.
     */
    async signUp(
      newcomer: Newcomer,
      client: Client,
      proofFor: (user: Pick<UserRow, "id" | "createdAt">) => ProviderProof,
    ): Promise<SignUpResult> {
      const key = emailKey(newcomer.email);
      if (key === undefined || isLookAlike(newcomer.email)) throw new AppError("oauth_email_missing");
      const owner = await users.claimantOfEmail(key, clock.now());
      // Where nobody is to learn which addresses have an account, a taken one passes all that a free one does before it is refused.
      if (owner !== undefined && !(isSilent(newcomer) && config.registrationEnabled)) return { addressOf: owner.id };
      if (!config.registrationEnabled) throw new AppError("registration_closed");
      rules.requireDomain(key);
      if (rules.termsDue(newcomer.acceptedTerms) !== null) return "terms_due";
      const user = await newUser(newcomer, key, client);
      if (user === undefined) return "overtaken";
      if (owner === undefined) return signUpAs(user, client, [proofFor(user)]);
      await admission.mayRegister(arrivalOf(user, client, []));
      return { addressOf: owner.id };
    },

    /**
     * Registers somebody who was invited. The account gets the invited address, which the token has proven, whatever address the provider
     * knows. Throws `invitation_sign_in_required` where an account has the address.
     */
    async signUpInvited(
      newcomer: InvitedNewcomer,
      welcome: Welcome,
      client: Client,
      proofFor: (user: Pick<UserRow, "id" | "createdAt">) => ProviderProof,
    ): Promise<InvitedResult> {
      if ((await users.claimantOfEmail(welcome.emailKey, clock.now())) !== undefined)
        throw new AppError("invitation_sign_in_required");
      if (rules.termsDue(newcomer.acceptedTerms) !== null) return "terms_due";
      const { email, emailKey: key, displayName, locale } = welcome;
      const invited = { ...newcomer, email, emailVerified: true, displayName: displayName ?? newcomer.displayName };
      const user = await newUser(invited, key, locale === null ? client : { ...client, locale });
      if (user === undefined) return "overtaken";
      const proofs = [welcome.proofFor(user.id, client), proofFor(user)];
      return signUpAs(welcome.receive(user), client, proofs, { isInvited: true });
    },
  };
}

export type Federation = ReturnType<typeof createFederation>;
