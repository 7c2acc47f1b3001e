import { createAdmission, type AdmissionService } from "../flow/admission.ts";
import { createEmailSignIn } from "../flow/email.sign.in.service.ts";
import { createChallengeService } from "../flow/factor/challenge.service.ts";
import { createPasskeyLogin } from "../flow/factor/passkey.login.ts";
import { createFederation } from "../flow/federation.service.ts";
import { createAcceptance } from "../flow/invitation/invitation.acceptance.ts";
import { createLoginService } from "../flow/login.service.ts";
import { createNewcomerWelcome } from "../flow/organization/newcomer.welcome.ts";
import { createRegistrationService } from "../flow/registration.service.ts";
import type { PressureParts } from "./pressure.ts";
import type { SessionRooms, Sessions } from "./sessions.ts";

/** What all flows are made of. */
export interface FlowRooms extends SessionRooms {
  readonly pressure: PressureParts;
  readonly sessions: Sessions;
}

export type WaysIn = ReturnType<typeof wireWaysIn>;

/** How somebody new gets an account: by registering, by an invitation, or as a provider's newcomer. */
function wireNewcomers(
  {
    options: { config, memberships, watch, clock },
    base: { users, metadata, journal, rules },
    mails: { invitationRows: invitations, invitationTokens: tokens },
    pressure: { hasher, policy, pressure },
  }: FlowRooms,
  admission: AdmissionService,
) {
  const registration = createRegistrationService({
    config: config.auth,
    rules,
    admission,
    journal,
    users,
    metadata,
    hasher,
    policy,
    pressure,
    watch: watch?.session,
    clock,
  });
  const acceptance = createAcceptance({
    admission,
    registration,
    memberships,
    journal,
    users,
    invitations,
    tokens,
    clock,
  });
  const federation = createFederation({
    config: config.auth,
    rules,
    admission,
    acceptance,
    journal,
    users,
    pressure,
    clock,
  });
  const welcomeOf = createNewcomerWelcome({ acceptance, memberships, clock });
  return { registration, acceptance, federation, welcomeOf };
}

/** The ways to sign in and up. All of them end in one admission, which lets people in once they have proven enough. */
export function wireWaysIn(rooms: FlowRooms) {
  const { config: settings, watch, clock, log } = rooms.options;
  const { users, journal, gate, demand, arrived, rules } = rooms.base;
  const { hasher, policy, pressure, devices, refusals } = rooms.pressure;
  const { challenges, passkeyParts } = rooms.factors;
  const { sessions, evictions } = rooms.sessions;
  const { grants } = rooms.mails;
  const config = settings.auth;
  const admission = createAdmission({
    config,
    rules,
    journal,
    users,
    sessions,
    challenges,
    devices,
    gate,
    demand,
    arrived,
    watch: watch?.session,
    clock,
  });
  const newcomers = wireNewcomers(rooms, admission);
  return {
    admission,
    ...newcomers,
    login: createLoginService({ admission, users, hasher, policy, pressure, devices }),
    challenge: createChallengeService({ admission, users, challenges, acceptance: newcomers.acceptance, pressure }),
    emailSignIn: createEmailSignIn({
      config,
      admission,
      journal,
      users,
      grants,
      evictions,
      pressure,
      devices,
      clock,
      log,
    }),
    passkeyLogin: createPasskeyLogin({ passkeyParts, admission, users, pressure, refusals, clock }),
  };
}
