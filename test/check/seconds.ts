// About how long files take: for the order in which they are begun, and for parts of the check that are of one length. A figure that is
// wrong costs time, and no test.

/** The seconds of types, style and dead code on two cores. */
export const secondsOfSources = 25;

/** The seconds of a processor that a file takes which is not named here. */
const usual = 1;

/** The seconds of a processor that the others take. */
const slow: Readonly<Record<string, number>> = {
  "test/property/interleavings.test.ts": 38,
  "test/artefact/published.test.ts": 24,
  "test/contract/auth/takeover.table.test.ts": 18,
  "test/contract/staff/console.browser.test.ts": 18,
  "test/contract/app/proxies.test.ts": 15,
  "test/contract/account/states.test.ts": 15,
  "test/contract/account/factors.test.ts": 14,
  "test/openapi/clients.test.ts": 14,
  "test/openapi/fuzz.test.ts": 14,
  "test/property/disabling.test.ts": 12,
  "test/contract/auth/most-sessions.test.ts": 12,
  "test/contract/auth/mail-delivery.test.ts": 11,
  "test/contract/staff/people.browser.test.ts": 11,
  "test/contract/account/account.test.ts": 10,
  "test/contract/account/barriers.test.ts": 10,
  "test/contract/account/browser.test.ts": 10,
  "test/contract/account/journeys.test.ts": 10,
  "test/contract/app/split.test.ts": 10,
  "test/contract/auth/crowds.test.ts": 10,
  "test/contract/auth/cookie-domain.test.ts": 10,
  "test/contract/auth/lockout.test.ts": 10,
  "test/contract/auth/one-address.test.ts": 10,
  "test/contract/auth/passwords.test.ts": 10,
  "test/contract/auth/processes.test.ts": 10,
  "test/contract/auth/signing.test.ts": 10,
  "test/contract/auth/transfer.foreign.test.ts": 10,
  "test/contract/inspect/browser.test.ts": 10,
  "test/contract/invitations/browser.test.ts": 10,
  "test/contract/staff/browser.test.ts": 10,
  "test/contract/staff/two.step.browser.test.ts": 10,
  "test/contract/account/providers.test.ts": 9,
  "test/contract/auth/areas.test.ts": 9,
  "test/unit/backup.changes.test.ts": 9,
  "test/unit/release/cut.test.ts": 9,
  "test/contract/auth/factors.table.test.ts": 8,
  "test/drivers/database.copy.test.ts": 8,
  "test/drivers/database.postgres.failures.test.ts": 8,
  "test/drivers/database.postgres.test.ts": 8,
  "test/drivers/queue.redis.outage.test.ts": 8,
  "test/make.test.ts": 8,
  "test/openapi/document.test.ts": 8,
  "test/contract/auth/mail-fates.test.ts": 7,
  "test/contract/auth/strangers.test.ts": 7,
  "test/drivers/queue.database.test.ts": 7,
  "test/property/backup.flips.test.ts": 7,
  "test/property/continuous.test.ts": 7,
  "test/build.test.ts": 6,
  "test/contract/auth/factors.test.ts": 6,
  "test/contract/oauth/link.test.ts": 6,
  "test/contract/oauth/policy.test.ts": 6,
  "test/property/deletion.test.ts": 6,
  "test/property/start.test.ts": 6,
  "test/unit/password.stored.test.ts": 6,
};

/** The seconds of files that run one at a time, most of which they wait. */
const waiting: Readonly<Record<string, number>> = {
  "test/release/release.test.ts": 130,
  "test/hosts/hosts.test.ts": 80,
  "test/host/machine.test.ts": 60,
  "test/chaos/chaos.test.ts": 45,
  "test/artefact/debian.test.ts": 35,
  "test/chaos/abuse.test.ts": 20,
  "test/contract/app/hostile.costs.test.ts": 15,
  "test/contract/auth/enumeration.test.ts": 30,
};

/** The files that are named here. */
export const named: readonly string[] = [...Object.keys(slow), ...Object.keys(waiting)];

/** The seconds of a processor that a file takes among others. */
export const processorSecondsOf = (path: string): number => slow[path] ?? usual;

/** The seconds that a file adds to its lane on two cores. */
export const secondsOf = (path: string): number => waiting[path] ?? processorSecondsOf(path) / 2;
