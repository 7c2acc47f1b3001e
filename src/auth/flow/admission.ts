import type { Config } from "../../config/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { SessionDebug, SignInProof } from "../../core/flaws.ts";
import type { Millis } from "../../core/clock.ts";
import type { Job } from "../../core/job.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { acceptedLogin } from "./accepted.login.ts";
import type { DomainArrivals } from "./organization/domain.arrivals.ts";
import type { HookGate } from "./hook.gate.ts";
import { byUser } from "../journal.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import type { FirstProof, IssuedChallenge } from "../factor/challenges.ts";
import type { WayIn } from "../factor/level.ts";
import type { FactorName } from "../factor/method.ts";
import type { IssuedSession } from "../session/issuer.ts";
import type { UserRow } from "../user/user.repository.ts";
import type { Parts } from "./parts.ts";
import type { ProviderDemand } from "./organization/provider.demand.ts";
import { createNewDevices } from "./new.device.ts";
import { refusedLogin } from "./refused.login.ts";
import { termsAccepted, type RegistrationRules } from "./registration.rules.ts";

type AdmissionOptions = Parts<"journal" | "users" | "sessions" | "challenges" | "devices" | "clock"> & {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly rules: RegistrationRules;
  /** Programs of the operator that are asked before; undefined where there are none. */
  readonly gate?: Pick<HookGate, "beforeRegister" | "beforeSignIn" | "isAskedAtSignIn"> | undefined;
  /** Asks whether the account may be signed in to by other ways than the provider of an organization. */
  readonly demand?: ProviderDemand;
  /** Called with each person who was let in, for what their address makes them a member of. */
  readonly arrived?: DomainArrivals | undefined;
  /** Called with each person who was let in, where inspects are on. */
  readonly watch?: ((event: SessionDebug) => void) | undefined;
};

interface ProofStatements {
  readonly by: SignInProof;
  readonly cameBy: WayIn;
  /** The provider of a known identity, by the name under which it is counted. */
  readonly provider?: string | undefined;
  /** Guards of what stands above the account, such as an organization: its rows are locked after sessions, and before all that follows. */
  readonly holds?: readonly Statement[] | undefined;
  /** Guards for everything else that the proof rests on, such as the identity at a provider. */
  readonly guards?: readonly Statement[];
  /** Statements that a right proof commits even where the user is not let in: they settle counters of failures. */
  readonly settled?: readonly Statement[];
}

export interface UserProof extends ProofStatements {
  /**
   * Makes the guarded write of the user's own row, which is the first lock of the batch. The guard holds only while the account has the
   * second factors that it was read with. `signedInAt` is null where a second factor is still to come.
   */
  holdUser(signedInAt: Millis | null): Statement | Promise<Statement>;
  /** The second factor that this proof includes: nothing more is asked for. */
  readonly factor?: FactorName;
  /** The identity by which the person came before a second factor was asked for. */
  readonly identityId?: string | null | undefined;
  /** Statements that go along with the session but not with a challenge, such as the use of a code. `jobs` do so as well. */
  readonly statements?: readonly Statement[] | undefined;
  readonly jobs?: readonly Job[] | undefined;
  readonly tell?: readonly Occurrence[] | undefined;
  /** The parts of the proof that a challenge keeps, and the statements that the first proof settles by itself. */
  readonly challenge?: Pick<FirstProof, "identityId" | "provider" | "invitationHash" | "forgives"> & {
    readonly settled?: readonly Statement[];
  };
}

/** A proof that makes the account: the same batch inserts it. */
export interface NewcomerProof extends ProofStatements {
  /** `isInvited`: the address is one that was invited. `isAllowed`: `mayRegister` has been asked already. */
  readonly registers: {
    readonly tell: readonly Occurrence[];
    readonly isInvited?: true;
    readonly isAllowed?: true;
  };
}

/** A person who has proved to be this user and asks to be let in. The proof must still hold when the session is committed. */
export interface Arrival<Proof = UserProof | NewcomerProof> {
  readonly user: UserRow;
  readonly proof: Proof;
  readonly client: Client;
  readonly remember: boolean;
}

export interface SignedIn {
  readonly user: UserRow;
  readonly issued: IssuedSession;
}

/** The first proof was right, and a second factor is asked for. Routes hand the secret of the challenge to the browser. */
export interface Challenged {
  readonly challenge: IssuedChallenge;
  readonly userId: string;
}

export const isChallenged = (result: unknown): result is Challenged =>
  typeof result === "object" && result !== null && "challenge" in result && "userId" in result;

/** The result of a right proof: the secrets of a session, or the question for the second factor. */
export type SignIn = SignedIn | Challenged;

/** `challenged`: the proof was right, and nothing is open before a second factor answers the challenge. */
export type Admission = NewcomerAdmission | { readonly outcome: "challenged"; readonly challenged: Challenged };

/**
 * `overtaken`: a guard of the proof no longer held, and nothing was written. Refused with `email_not_verified`, a new account has been
 * created all the same, and the verification mail is on its way.
 */
export type NewcomerAdmission =
  | { readonly outcome: "admitted"; readonly signedIn: SignedIn }
  | { readonly outcome: "refused"; readonly reason: "inactive" | "email_not_verified" }
  | { readonly outcome: "overtaken" };

/**
 * The one way in. A person who comes by password, registration, provider, mail or passkey is let in, refused or asked for a second factor
 * here: the decision, the session, the audit row and the commit exist once. A new way to sign in is a new proof, not another decision.
 */
export function createAdmission(options: AdmissionOptions) {
  const { config, rules, journal, users, sessions, challenges, devices, gate, demand, arrived, watch, clock } = options;

  const newDevice = createNewDevices(devices);

  const registered = ({ user, client }: Arrival, { registers }: NewcomerProof, sessionId: string | null) => [
    { topic: "auth.registered" as const, payload: { user_id: user.id, session_id: sessionId }, by: byUser(client) },
    ...(user.termsVersion === null ? [] : [termsAccepted(user.id, user.termsVersion, client)]),
    ...registers.tell,
  ];
  const insertUser = ({ user }: Arrival, signedInAt: Millis | null): Statement =>
    users.insert({ ...user, lastLoginAt: signedInAt, lastSeenAt: signedInAt }, clock.now());

  const firstMail = ({ id, emailVerifiedAt }: UserRow, client: Client): readonly Job[] =>
    emailVerifiedAt === null ? [emailVerificationJob(id, client)] : [];

  async function letIn(arrival: Arrival): Promise<NewcomerAdmission> {
    const { user, proof, client, remember } = arrival;
    // A hook may take longer than a check of a password may, and what it refuses is no failure: the counters are settled before it is asked.
    const isSettledFirst = gate?.isAskedAtSignIn === true && proof.settled !== undefined;
    if (isSettledFirst) await journal.commit({ statements: proof.settled });
    await gate?.beforeSignIn?.({ user, client, method: proof.cameBy });
    const signedInAt = clock.now();
    const isNew = "registers" in proof;
    const { holds = [], guards = [] } = proof;
    const settled = isSettledFirst ? [] : (proof.settled ?? []);
    const along = (isNew ? undefined : proof.statements) ?? [];
    const level = { cameBy: proof.cameBy, factor: isNew ? null : (proof.factor ?? null) };
    const session = await sessions.open(user, client, remember, level);
    const holdUser = isNew ? insertUser(arrival, signedInAt) : await proof.holdUser(signedInAt);
    const committed = await journal.commit({
      statements: [holdUser, ...session.statements, ...holds, ...guards, ...along, ...settled],
      jobs: isNew ? firstMail(user, client) : [...(proof.jobs ?? []), ...newDevice(user, session.id, client)],
      tell: isNew
        ? registered(arrival, proof, session.id)
        : [acceptedLogin({ userId: user.id, sessionId: session.id, client }, proof), ...(proof.tell ?? [])],
    });
    if (!committed.applied) return { outcome: "overtaken" };
    const displaced = committed.results[1]?.rows ?? [];
    if (displaced.length > 0) await sessions.recordDisplaced(user.id, displaced, client);
    await arrived?.(user, client);
    watch?.({
      outcome: isNew ? "registration_accepted" : "login_accepted",
      reason: proof.by,
      session: {
        id: session.id,
        userId: user.id,
        username: user.username,
        createdAt: signedInAt,
        remembered: remember ? 1 : 0,
        lastSeenAt: signedInAt,
        expiresAt: session.issued.expiresAt,
        revokedAt: null,
      },
    });
    const signedIn = { user: { ...user, lastLoginAt: signedInAt, lastSeenAt: signedInAt }, issued: session.issued };
    return { outcome: "admitted", signedIn };
  }

  /** Sends the verification mail instead of opening a session; a newcomer's account is created all the same. */
  async function askToVerify(arrival: Arrival): Promise<NewcomerAdmission> {
    const { user, proof, client } = arrival;
    const isNew = "registers" in proof;
    const { applied } = await journal.commit({
      statements: [
        ...(isNew ? [insertUser(arrival, null), ...(proof.holds ?? []), ...(proof.guards ?? [])] : []),
        ...(proof.settled ?? []),
      ],
      jobs: [emailVerificationJob(user.id, client)],
      tell: isNew ? registered(arrival, proof, null) : [refusedLogin(user.id, "email_not_verified", client)],
    });
    if (!applied) return { outcome: "overtaken" };
    const outcome = { reason: "email_not_verified", userId: user.id, session: undefined } as const;
    if (isNew) watch?.({ outcome: "registration_accepted", ...outcome });
    return { outcome: "refused", reason: "email_not_verified" };
  }

  /** Asks for a second factor. Changes nothing of the account and opens no session. */
  async function challenge(user: UserRow, proof: UserProof, remember: boolean): Promise<Admission> {
    const { settled = [], ...kept } = proof.challenge ?? {};
    const { issued, statements } = await challenges.issue(user, { ...kept, cameBy: proof.cameBy, remember });
    const { applied } = await journal.commit({
      statements: [
        await proof.holdUser(null),
        ...(proof.holds ?? []),
        ...statements,
        ...(proof.guards ?? []),
        ...settled,
      ],
    });
    const challenged = { challenge: issued, userId: user.id };
    return applied ? { outcome: "challenged", challenged } : { outcome: "overtaken" };
  }

  const mustVerify = ({ emailVerifiedAt }: Pick<UserRow, "emailVerifiedAt">): boolean =>
    config.registerRequiresEmailVerification && emailVerifiedAt === null;

  /** Asks whether this account may be made. Throws `domain_not_allowed`, `terms_required` and `denied_by_hook`. */
  async function mayRegister({ user, proof, client }: Arrival<NewcomerProof>): Promise<void> {
    if (proof.registers.isInvited !== true) rules.requireDomain(user.emailKey);
    rules.requireTerms(user.termsVersion);
    await gate?.beforeRegister?.({ user, client, method: proof.cameBy });
  }

  return {
    mustVerify,
    mayRegister,

    /** Resolves to the decision. Writes nothing for an inactive user: each way in tells of that in its own words. */
    async admit(arrival: Arrival<UserProof>): Promise<Admission> {
      const { user, proof, client, remember } = arrival;
      if (user.active !== 1) return { outcome: "refused", reason: "inactive" };
      // Counters of failures are settled as they are for a first proof that a second one follows.
      const settled = proof.challenge?.settled ?? proof.settled;
      await demand?.require(user, client, { identityId: proof.challenge?.identityId ?? proof.identityId, settled });
      if (mustVerify(user)) return askToVerify(arrival);
      const isProven = user.factors === 0 || proof.factor !== undefined;
      return isProven ? letIn(arrival) : challenge(user, proof, remember);
    },

    /** Lets in somebody whose account this very proof makes: the account has no second factor yet. */
    async admitNewcomer(arrival: Arrival<NewcomerProof>): Promise<NewcomerAdmission> {
      if (arrival.proof.registers.isAllowed !== true) await mayRegister(arrival);
      return mustVerify(arrival.user) ? askToVerify(arrival) : letIn(arrival);
    },
  };
}

export type AdmissionService = ReturnType<typeof createAdmission>;
