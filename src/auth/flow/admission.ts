import type { Config } from "../../config/index.ts";
import type { Occurrence } from "../../core/audit.ts";
import type { SessionDebug, SignInProof } from "../../core/flaws.ts";
import type { Clock, Millis } from "../../core/clock.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import { byNobody, byUser, type Journal } from "../journal.ts";
import { emailVerificationJob } from "../mail/jobs.ts";
import type { IssuedSession } from "../session/issuer.ts";
import type { SessionService } from "../session/session.service.ts";
import type { UserRepository, UserRow } from "../user/user.repository.ts";

interface AdmissionOptions {
  readonly config: Pick<Config["auth"], "registerRequiresEmailVerification">;
  readonly journal: Journal;
  readonly users: UserRepository;
  readonly sessions: Pick<SessionService, "open" | "recordDisplaced">;
  /** Called with whoever was let in, where inspects are on. */
  readonly watch?: ((event: SessionDebug) => void) | undefined;
  readonly clock: Clock;
}

interface ProofStatements {
  /** What it is, for inspects. */
  readonly by: SignInProof;
  /** What else the proof rests on, such as the identity at a provider. */
  readonly guards?: readonly Statement[];
  /** What a right proof settles even where the user is not let in: counters of failures. */
  readonly settled?: readonly Statement[];
}

/** A proof to be a user that exists. */
export interface UserProof extends ProofStatements {
  /** The guarded write of the user's own row, which is the first lock of the batch. */
  holdUser(signedInAt: Millis): Statement | Promise<Statement>;
}

/** A proof by which the account comes to be: the same batch inserts it. */
export interface NewcomerProof extends ProofStatements {
  /** What is told of besides the registration. */
  readonly registers: { readonly tell: readonly Occurrence[] };
}

/** Somebody who has proved to be this user and asks to be let in. The proof must still hold when the session is committed. */
export interface Arrival {
  readonly user: UserRow;
  readonly proof: UserProof | NewcomerProof;
  readonly client: Client;
  readonly remember: boolean;
}

export interface SignedIn {
  readonly user: UserRow;
  readonly issued: IssuedSession;
}

/**
 * `overtaken`: a guard of the proof no longer held, and nothing was written. Refused with `email_not_verified`, a new
 * account has been created and the verification mail is on its way.
 */
export type Admission =
  | { readonly outcome: "admitted"; readonly signedIn: SignedIn }
  | { readonly outcome: "refused"; readonly reason: "inactive" | "email_not_verified" }
  | { readonly outcome: "overtaken" };

/**
 * The one way in. Whoever comes by password, registration or provider is let in or refused here: the decision, the
 * session, the audit row and the commit exist once. A new way to sign in is a new proof, not another decision.
 */
export function createAdmission({ config, journal, users, sessions, watch, clock }: AdmissionOptions) {
  const registered = ({ user, client }: Arrival, { registers }: NewcomerProof, sessionId: string | null) => [
    { topic: "auth.registered" as const, payload: { user_id: user.id, session_id: sessionId }, by: byUser(client) },
    ...registers.tell,
  ];
  const insertUser = ({ user }: Arrival, signedInAt: Millis | null): Statement =>
    users.insert({ ...user, lastLoginAt: signedInAt, lastSeenAt: signedInAt });
  const rest = ({ guards = [], settled = [] }: ProofStatements): readonly Statement[] => [...guards, ...settled];

  async function letIn(arrival: Arrival): Promise<Admission> {
    const { user, proof, client, remember } = arrival;
    const signedInAt = clock.now();
    const session = await sessions.open(user, client, remember);
    const isNew = "registers" in proof;
    const holdUser = isNew ? insertUser(arrival, signedInAt) : await proof.holdUser(signedInAt);
    const committed = await journal.commit({
      statements: [holdUser, ...session.statements, ...rest(proof)],
      jobs: isNew && user.emailVerifiedAt === null ? [emailVerificationJob(user.id, client)] : [],
      tell: isNew
        ? registered(arrival, proof, session.id)
        : [{ topic: "auth.logged-in", payload: { user_id: user.id, session_id: session.id }, by: byUser(client) }],
    });
    if (!committed.applied) return { outcome: "overtaken" };
    await sessions.recordDisplaced(user.id, committed.results[1]?.rows ?? [], client);
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
  async function askToVerify(arrival: Arrival): Promise<Admission> {
    const { user, proof, client } = arrival;
    const isNew = "registers" in proof;
    const { applied } = await journal.commit({
      statements: isNew ? [insertUser(arrival, null), ...rest(proof)] : (proof.settled ?? []),
      jobs: [emailVerificationJob(user.id, client)],
      tell: isNew ? registered(arrival, proof, null) : [refusedLogin(user.id, "email_not_verified", client)],
    });
    if (!applied) return { outcome: "overtaken" };
    const outcome = { reason: "email_not_verified", userId: user.id, session: undefined } as const;
    if (isNew) watch?.({ outcome: "registration_accepted", ...outcome });
    return { outcome: "refused", reason: "email_not_verified" };
  }

  const mustVerify = ({ emailVerifiedAt }: Pick<UserRow, "emailVerifiedAt">): boolean =>
    config.registerRequiresEmailVerification && emailVerifiedAt === null;

  return {
    mustVerify,

    /** Resolves with the decision. Writes nothing for an inactive user: how that is told depends on the way in. */
    async admit(arrival: Arrival): Promise<Admission> {
      if (arrival.user.active !== 1) return { outcome: "refused", reason: "inactive" };
      return mustVerify(arrival.user) ? askToVerify(arrival) : letIn(arrival);
    },
  };
}

export type AdmissionService = ReturnType<typeof createAdmission>;

/** The audit row of somebody who was refused although the proof was right. */
export const refusedLogin = (userId: string, reason: string, client: Client): Occurrence => ({
  topic: "auth.login-failed",
  payload: { user_id: userId, reason, count: 1 },
  by: byNobody(client),
  outcome: "failure",
});
