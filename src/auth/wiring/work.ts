import type { Module } from "../../core/module.ts";
import { staleAuthRows } from "../cleanup.ts";
import { createCleanupRepository } from "../cleanup.repository.ts";
import { createJobHandlers } from "../mail/job.handlers.ts";
import { createLetters } from "../mail/letters.ts";
import { createMailCap } from "../mail/withheld.ts";
import { createFoldNames } from "../people/fold.names.ts";
import { createPeopleRepository } from "../people/people.repository.ts";
import type { PressureParts, PressureRooms } from "./pressure.ts";

interface WorkRooms extends PressureRooms {
  readonly pressure: PressureParts;
}

/** The work behind the routes, for every app on the database: jobs, old rows, and what is written behind an answer. */
export function wireWork({
  options: { config, words, database, mailLook, metrics, clock, log },
  base: { users, journal },
  mails: { grants, invitationTokens: invitations, fates },
  pressure: { pressure, refusals },
}: WorkRooms): Module {
  const { app, auth } = config;
  const cap = createMailCap({ journal, hourlyShare: pressure.hourlyShare, fates, counter: metrics.mailsWithheld, log });
  const letters = createLetters({ appUrl: app.url, product: app.displayName, look: mailLook, words });
  return {
    jobs: createJobHandlers({ users, grants, invitations, cap, letters, fates, clock }),
    schedules: [createFoldNames({ database, people: createPeopleRepository(database), log })],
    stale: staleAuthRows({
      rows: createCleanupRepository(database, app.name),
      sessionIdleTtlMs: auth.sessionIdleTtlMs,
    }),
    /** Writes what is still to be written of refused logins. */
    close: () => refusals.close(),
  };
}
