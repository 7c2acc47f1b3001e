import { createAdmission } from "../flow/admission.ts";
import { createEmailSignIn } from "../flow/email.sign.in.service.ts";
import { createChallengeService } from "../flow/factor/challenge.service.ts";
import { createPasskeyLogin } from "../flow/factor/passkey.login.ts";
import { createFederation } from "../flow/federation.service.ts";
import { createAcceptance } from "../flow/invitation/invitation.acceptance.ts";
import { createLoginService } from "../flow/login.service.ts";
import { createRegistrationService } from "../flow/registration.service.ts";
import type { PressureParts } from "./pressure.ts";
import type { SessionRooms, Sessions } from "./sessions.ts";

/** What all flows are made of. */
export interface FlowRooms extends SessionRooms {
  readonly pressure: PressureParts;
  readonly sessions: Sessions;
}

export type WaysIn = ReturnType<typeof wireWaysIn>;

/** The ways to sign in and up. All of them end in one admission, which lets people in once they have proven enough. */
export function wireWaysIn({
  options: { config: settings, watch, clock, log },
  base: { users, metadata, journal, gate, rules },
  mails: { grants, invitationRows: invitations, invitationTokens: tokens },
  pressure: { hasher, policy, pressure, devices, refusals },
  factors: { challenges, passkeyParts },
  sessions: { sessions, evictions },
}: FlowRooms) {
  const config = settings.auth;
  const session = watch?.session;
  const admission = createAdmission({
    config,
    rules,
    journal,
    users,
    sessions,
    challenges,
    gate,
    watch: session,
    clock,
  });
  const registration = createRegistrationService({
    config,
    rules,
    admission,
    journal,
    users,
    metadata,
    hasher,
    policy,
    pressure,
    watch: session,
    clock,
  });
  const acceptance = createAcceptance({ admission, registration, journal, users, invitations, tokens, clock });
  return {
    admission,
    registration,
    acceptance,
    login: createLoginService({ admission, users, hasher, pressure, devices }),
    challenge: createChallengeService({ admission, users, challenges, acceptance, pressure }),
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
    passkeyLogin: createPasskeyLogin({
      passkeyParts,
      admission,
      users,
      pressure,
      refusals,
      clock,
    }),
    federation: createFederation({ config, rules, admission, acceptance, journal, users, pressure, clock }),
  };
}
