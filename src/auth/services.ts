import { keepsMails, secretValues, type Config } from "../config/index.ts";
import type { Clock } from "../core/clock.ts";
import type { Database } from "../drivers/database/index.ts";
import type { EventBus } from "../drivers/events/index.ts";
import type { Mailer } from "../drivers/mail/index.ts";
import type { JobMentions, UnitOfWork } from "../drivers/queue/index.ts";
import type { Log } from "../observe/index.ts";
import { createEvictions } from "./flow/eviction.ts";
import type { LinkedIdentities } from "./flow/eviction.rules.ts";
import { createAddedList, type AddedIdentities } from "./flow/added.ts";
import { createAdmission } from "./flow/admission.ts";
import { createEmailSignIn } from "./flow/email.sign.in.service.ts";
import { createChallengeService } from "./flow/factor/challenge.service.ts";
import { createDeletion } from "./flow/deletion.service.ts";
import { createExport, type KeptElsewhere } from "./flow/export.service.ts";
import { createFactorService } from "./flow/factor/factor.service.ts";
import { createFederation } from "./flow/federation.service.ts";
import { createAcceptance } from "./flow/invitation.acceptance.ts";
import { createInvitations } from "./flow/invitation.service.ts";
import { createLoginService } from "./flow/login.service.ts";
import { createPasswordService } from "./flow/password.service.ts";
import { createProfileService } from "./flow/profile.service.ts";
import { createReauthentication } from "./flow/reauthentication.service.ts";
import { createRegistrationService } from "./flow/registration.service.ts";
import { createVerificationService } from "./flow/verification.service.ts";
import { createInvitationRepository } from "./invitation/invitation.repository.ts";
import { createInvitationTokens } from "./invitation/invitation.tokens.ts";
import { createJournal, type JournalOptions } from "./journal.ts";
import { createMailFates } from "./mail/fates.ts";
import { createMailRepository } from "./mail/mail.repository.ts";
import { createPasswordHasher } from "./password/password.hash.ts";
import { createPasswordPolicy } from "./password/password.policy.ts";
import { createAttemptRepository } from "./pressure/attempt.repository.ts";
import { createDeviceProofs } from "./pressure/device.proof.ts";
import { createLocks } from "./pressure/locks.ts";
import { createPressure } from "./pressure/pressure.ts";
import { createRefusals } from "./pressure/refusals.ts";
import type { TransferredIdentities } from "./transfer/import.service.ts";
import { createPeopleRepository } from "./people/people.repository.ts";
import { createUserRepository } from "./user/user.repository.ts";
import { createGrantServices } from "./services.grants.ts";
import { createFactorServices } from "./services.factors.ts";
import { createSessionRows, createSessionServices } from "./services.sessions.ts";
import type { AuthWatch } from "./watch.ts";

export interface AuthServiceOptions {
  readonly config: Config;
  readonly database: Database;
  readonly work: UnitOfWork;
  readonly audit: JournalOptions["audit"] & KeptElsewhere["audit"];
  readonly jobMentions: JobMentions;
  readonly mailer: Mailer;
  readonly events: EventBus;
  readonly jobsOf?: JournalOptions["jobsOf"];
  /** Identities that providers have linked to accounts; the proof of an address may end them. */
  readonly identities: LinkedIdentities & AddedIdentities & KeptElsewhere["identities"] & TransferredIdentities;
  /** Present where inspects are on. */
  readonly watch?: AuthWatch | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** Stores, rules and flows of local accounts, wired by hand. None of them knows HTTP. */
export async function createAuthServices(options: AuthServiceOptions) {
  const { config, database, work, audit, jobMentions, events, jobsOf, identities, watch, clock, log } = options;
  const { auth, app } = config;

  const users = createUserRepository(database);
  const journal = createJournal({ work, audit, events, jobsOf, concerns: watch?.concerns, clock });
  const refusals = createRefusals({ journal, clock, log });
  const { grantRows, grants, mailedTokens: tokens } = createGrantServices({ config: auth, database, users, clock });
  const invitationRows = createInvitationRepository(database);
  const invitationTokens = createInvitationTokens({ database, invitations: invitationRows, tokens, clock });
  const fates = createMailFates({
    app: app.name,
    database,
    rows: createMailRepository(database),
    mailer: options.mailer,
    jobMentions,
    secrets: secretValues(config),
    concerns: watch?.concerns,
    clock,
    log,
  });
  const hasher = await createPasswordHasher({
    concurrency: auth.hashConcurrency,
    queueLimit: auth.hashQueue,
    anyOldHash: users.anyOldHash,
    log,
  });
  const attempts = createAttemptRepository(database);
  const pressure = createPressure({
    config: auth,
    attempts,
    database,
    refusals,
    hasRoom: hasher.hasRoom,
    isRedeemable: async (token) => (await grants.isOpen(token)) || invitationTokens.isOpen(token),
    clock,
  });
  const locks = createLocks({ config: auth, attempts, clock });
  const devices = createDeviceProofs({ secret: auth.jwtSecret, previousSecrets: auth.jwtPreviousSecrets, clock });
  const policy = createPasswordPolicy(auth);
  const stores = { database, journal, users, clock, log };
  const factorServices = createFactorServices({ ...stores, config });
  const { challenges, passkeyParts, storedFactors } = factorServices;
  const sessionRows = createSessionRows({ config, database, watch });
  const evictions = createEvictions({ users, sessionRows, challenges, identities, storedFactors, grants, clock });
  const { sessions, liveness, introspect, publishedKeys } = await createSessionServices({
    ...stores,
    sessionRows,
    evictEverywhere: (userId) => evictions.evict(userId, "signed_out_everywhere", { onlyWithSessions: true }),
    config,
    watch,
  });

  const admission = createAdmission({ ...stores, config: auth, sessions, challenges, watch: watch?.session });
  const reauthentication = createReauthentication({ ...stores, sessions, challenges, hasher, pressure });
  const factors = createFactorService({
    ...stores,
    ...factorServices,
    product: app.displayName,
    sessions,
    evictions,
    grants,
    pressure,
  });
  const registration = createRegistrationService({
    ...stores,
    config: auth,
    admission,
    hasher,
    policy,
    pressure,
    watch: watch?.session,
  });
  const profiles = createProfileService({ ...stores, config: auth, grants, sessions, pressure, reauthentication });
  const login = createLoginService({ ...stores, admission, hasher, pressure, devices });
  const emailSignIn = createEmailSignIn({
    ...stores,
    config: auth,
    admission,
    grants,
    evictions,
    pressure,
    devices,
  });
  const invitations = createInvitations({ ...stores, invitations: invitationRows, mails: fates, pressure });
  const acceptance = createAcceptance({
    ...stores,
    admission,
    registration,
    invitations: invitationRows,
    tokens: invitationTokens,
  });
  const challenge = createChallengeService({ ...stores, admission, challenges, acceptance, pressure });
  const federation = createFederation({ ...stores, config: auth, admission, acceptance, pressure });
  const passwords = createPasswordService({
    ...stores,
    returnToken: auth.passwordResetReturnToken,
    mailToo: keepsMails(config),
    sessions,
    grants,
    evictions,
    added: createAddedList({ identities, storedFactors, clock }),
    hasher,
    policy,
    pressure,
    locks,
    reauthentication,
  });
  const verification = createVerificationService({
    ...stores,
    returnToken: auth.emailVerificationReturnToken,
    mailToo: keepsMails(config),
    grants,
    evictions,
  });
  const deletion = createDeletion({
    ...stores,
    sessions,
    pressure,
    invitations: invitationRows,
    mails: fates,
    jobMentions,
    reauthentication,
  });
  const exports = createExport({
    users,
    sessions,
    sessionRows,
    grantRows,
    identities,
    storedFactors,
    invitations: invitationRows,
    mails: fates,
    audit,
    jobMentions,
    pressure,
  });
  return {
    users,
    people: createPeopleRepository(database),
    sessionRows,
    journal,
    locks,
    liveness,
    grants,
    fates,
    pressure,
    refusals,
    devices,
    publishedKeys,
    challenges,
    passkeyParts,
    storedFactors,
    evictions,
    factors,
    sessions,
    admission,
    introspect,
    login,
    emailSignIn,
    challenge,
    reauthentication,
    registration,
    profiles,
    passwords,
    verification,
    federation,
    deletion,
    exports,
    invitations,
    invitationTokens,
    acceptance,
    /** Writes the refused logins that are still to be written. */
    close: () => refusals.close(),
  };
}
