// About how long files take: for the order in which they are begun, and for parts of the check that are of one length. A figure that is
// wrong costs time, and no test.

/** The seconds of types, style and dead code on two cores. */
export const secondsOfSources = 25;

/** The seconds of a processor that a file takes which is not named here. */
const usual = 1;

/** The seconds of a processor that the others take. */
const slow: Readonly<Record<string, number>> = {
  "test/site/site.test.ts": 45,
  "test/contract/account/factors.test.ts": 43,
  "test/examples/backends.test.ts": 36,
  "test/contract/staff/people.browser.test.ts": 34,
  "test/idp/go.test.ts": 40,
  "test/kits/go.test.ts": 20,
  "test/kits/starlette.test.ts": 12,
  "test/kits/javascript.test.ts": 12,
  "test/contract/account/states.test.ts": 32,
  "test/contract/staff/console.browser.test.ts": 32,
  "test/contract/account/journeys.test.ts": 30,
  "test/artefact/published.test.ts": 28,
  "test/openapi/page.test.ts": 28,
  "test/openapi/fuzz.test.ts": 26,
  "test/contract/auth/passwords.test.ts": 25,
  "test/frameworks/svelte.test.ts": 25,
  "test/frameworks/vue.test.ts": 25,
  "test/frameworks/react.test.ts": 22,
  "test/contract/cli/organizations.test.ts": 20,
  "test/contract/account/account.test.ts": 18,
  "test/property/continuous.test.ts": 18,
  "test/contract/account/organizations.test.ts": 18,
  "test/property/interleavings.test.ts": 18,
  "test/kits/servers.test.ts": 17,
  "test/contract/account/barriers.test.ts": 16,
  "test/property/processes.test.ts": 16,
  "test/contract/app/durability.test.ts": 15,
  "test/contract/invitations/browser.test.ts": 15,
  "test/contract/staff/two.step.browser.test.ts": 15,
  "test/contract/staff/browser.test.ts": 14,
  "test/drivers/database.postgres.test.ts": 13,
  "test/contract/cli/copy.test.ts": 12,
  "test/contract/auth/takeover.table.test.ts": 11,
  "test/contract/maintenance/shared.test.ts": 11,
  "test/openapi/clients.test.ts": 11,
  "test/contract/auth/crowds.test.ts": 10,
  "test/contract/account/providers.test.ts": 9,
  "test/contract/app/proxies.test.ts": 9,
  "test/contract/cli/organizations.transfer.test.ts": 9,
  "test/contract/staff/organizations.browser.test.ts": 9,
  "test/contract/invitations/invite.test.ts": 9,
  "test/examples/pages.test.ts": 9,
  "test/make.test.ts": 9,
  "test/unit/release/cut.test.ts": 9,
  "test/build.test.ts": 8,
  "test/contract/account/browser.test.ts": 8,
  "test/contract/account/factors.older.test.ts": 8,
  "test/contract/staff/invitations.browser.test.ts": 8,
  "test/drivers/database.postgres.failures.test.ts": 8,
  "test/unit/backup.changes.test.ts": 8,
  "test/contract/app/clock.test.ts": 7,
  "test/idp/authlib.test.ts": 8,
  "test/contract/audit/processes.test.ts": 7,
  "test/contract/auth/processes.test.ts": 7,
  "test/contract/backup/backup.test.ts": 7,
  "test/contract/backup/stopped.test.ts": 7,
  "test/contract/inspect/browser.test.ts": 7,
  "test/contract/oauth/browser.test.ts": 7,
  "test/contract/oauth/id-token.test.ts": 7,
  "test/drivers/queue.postgres.test.ts": 7,
  "test/property/backup.flips.test.ts": 7,
  "test/client/browser.test.ts": 6,
  "test/contract/auth/signing.test.ts": 6,
  "test/contract/invitations/inviters.test.ts": 6,
  "test/contract/maintenance/maintenance.test.ts": 6,
  "test/contract/oauth/link.test.ts": 6,
  "test/drivers/database.schema.test.ts": 6,
  "test/contract/app/split.test.ts": 5,
  "test/contract/auth/areas.test.ts": 5,
  "test/contract/auth/most-sessions.test.ts": 5,
  "test/contract/auth/one-address.test.ts": 5,
  "test/contract/auth/refresh.test.ts": 5,
  "test/contract/auth/reset-confirm.test.ts": 5,
  "test/contract/auth/transfer.foreign.test.ts": 8,
  "test/contract/backend/users.test.ts": 5,
  "test/contract/backup/manifest.test.ts": 5,
  "test/drivers/queue.redis.outage.test.ts": 5,
  "test/examples/proxies.test.ts": 5,
  "test/contract/app/processes.test.ts": 4,
  "test/contract/auth/cookies.test.ts": 4,
  "test/contract/auth/mail-delivery.test.ts": 4,
  "test/contract/auth/mail-fates.test.ts": 4,
  "test/contract/auth/origins.browser.test.ts": 4,
  "test/contract/auth/passkeys.own.test.ts": 4,
  "test/contract/auth/passkeys.test.ts": 4,
  "test/contract/backup/disk.test.ts": 4,
  "test/contract/cli/auth.test.ts": 4,
  "test/contract/cli/people.test.ts": 4,
  "test/contract/inspect/storage.test.ts": 4,
  "test/contract/invitations/closed.test.ts": 4,
  "test/contract/oauth/policy.test.ts": 4,
  "test/contract/oauth/races.test.ts": 4,
  "test/contract/observe/metrics.test.ts": 4,
  "test/openapi/document.test.ts": 4,
  "test/unit/backup.daily.test.ts": 4,
  "test/unit/password.stored.test.ts": 4,
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
