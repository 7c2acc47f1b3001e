import type { Resources } from "../resources/index.ts";
import type { Module, ReadinessCheck } from "../../core/module.ts";
import type { Queue } from "../../drivers/queue/index.ts";
import type { Migrator } from "../../drivers/database/migrate.ts";

interface Resource {
  readonly name: string;
  readonly driver: string;
  ping(): Promise<void>;
}

const resourceCheck = (type: ReadinessCheck["type"], resource: Resource): ReadinessCheck => ({
  type,
  name: resource.name,
  driver: resource.driver,
  check: () => resource.ping(),
});

/** Checks whether workers can be told of jobs. Requests are served without that, so the check is optional. */
const workerChecks = ({ name, driver, reachWorkers }: Queue): readonly ReadinessCheck[] =>
  reachWorkers === undefined
    ? []
    : [{ type: "queue", name: `workers of ${name}`, driver, optional: true, check: reachWorkers }];

interface CheckedParts {
  readonly resources: Pick<Resources, "health" | "disks" | "caches" | "queues" | "buses" | "sentinels">;
  readonly backupDisk: string | undefined;
  readonly migrator: Migrator;
  readonly modules: readonly Module<unknown>[];
}

export function readinessChecks({ resources, backupDisk, migrator, modules }: CheckedParts): readonly ReadinessCheck[] {
  const { health, disks, caches, queues, buses, sentinels } = resources;
  async function checkMigrations(): Promise<void> {
    const pending = await migrator.pending();
    if (pending.length > 0) throw new Error(`${pending.length} pending: run the migrate command`);
  }
  return [
    { type: "db", name: health.name, driver: health.driver, check: () => health.checkWritable() },
    // No request uses the disk of the backups: while it is away the app goes on serving, and readiness names the failed check.
    ...disks.map((disk) => ({ ...resourceCheck("storage", disk), optional: disk.name === backupDisk })),
    // A Redis cache is optional: while it is away the last known state of maintenance counts, and the check of maintenance fails once that
    // is too old.
    ...caches.map((cache) => ({
      ...resourceCheck("cache", cache),
      optional: cache.driver === "redis",
      check: () => cache.checkWritable(),
    })),
    ...queues.configured.map((each) => resourceCheck("queue", each)),
    ...queues.configured.flatMap(workerChecks),
    ...buses.map((bus) => resourceCheck("events", bus)),
    // Nothing is missing yet while no other primary could be chosen: what is on Redis has checks of its own.
    ...(sentinels.check === undefined
      ? []
      : [{ type: "component", name: "sentinels", driver: "redis", optional: true, check: sentinels.check } as const]),
    { type: "component", name: "migrations", driver: health.driver, check: checkMigrations },
    ...modules.flatMap((module) => module.checks ?? []),
  ];
}
