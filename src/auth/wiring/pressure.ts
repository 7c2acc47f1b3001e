import { createPasswordHasher } from "../password/password.hash.ts";
import { createPasswordPolicy } from "../password/password.policy.ts";
import { createAttemptRepository } from "../pressure/attempt.repository.ts";
import { createDeviceProofs } from "../pressure/device.proof.ts";
import { createLocks } from "../pressure/locks.ts";
import { createPressure } from "../pressure/pressure.ts";
import { createRefusals } from "../pressure/refusals.ts";
import type { MailRooms, Mails } from "./mails.ts";

export interface PressureRooms extends MailRooms {
  readonly mails: Mails;
}

export type PressureParts = ReturnType<typeof wirePressure>;

/** How passwords are checked, and what limits those who guess them. */
export function wirePressure({
  options: { config, database, passwordCost, clock, log },
  base: { users, journal },
  mails: { grants, invitationTokens },
}: PressureRooms) {
  const { auth } = config;
  const hasher = createPasswordHasher({
    concurrency: auth.hashConcurrency,
    queueLimit: auth.hashQueue,
    anyOldHash: users.anyOldHash,
    cost: passwordCost,
    log,
  });
  const attempts = createAttemptRepository(database);
  const refusals = createRefusals({ journal, clock, log });
  const pressure = createPressure({
    config: auth,
    attempts,
    database,
    refusals,
    hasRoom: hasher.hasRoom,
    isRedeemable: async (token) => (await grants.isOpen(token)) || invitationTokens.isOpen(token),
    clock,
  });
  return {
    hasher,
    policy: createPasswordPolicy(auth),
    refusals,
    pressure,
    locks: createLocks({ config: auth, attempts, clock }),
    devices: createDeviceProofs({ secret: auth.jwtSecret, previousSecrets: auth.jwtPreviousSecrets, clock }),
  };
}
