import type { Resources } from "./resources/index.ts";
import type { Module, ReadinessCheck } from "../core/module.ts";
import type { Queue } from "../drivers/queue/index.ts";
import type { Migrator } from "../drivers/database/migrate.ts";

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

/** Requests are served while workers can't be told of jobs. */
const workerChecks = ({ name, driver, reachWorkers }: Queue): readonly ReadinessCheck[] =>
  reachWorkers === undefined
    ? []
    : [{ type: "queue", name: `workers of ${name}`, driver, optional: true, check: reachWorkers }];

interface CheckedParts {
  readonly resources: Pick<Resources, "database" | "disks" | "caches" | "queues" | "buses">;
  /** The name of the disk that only backups use. */
  readonly backupDisk: string | undefined;
  readonly migrator: Migrator;
  readonly modules: readonly Module<unknown>[];
}

/** What has to answer before the app is ready. */
export function readinessChecks({ resources, backupDisk, migrator, modules }: CheckedParts): readonly ReadinessCheck[] {
  const { database, disks, caches, queues, buses } = resources;
  async function checkMigrations(): Promise<void> {
    const pending = await migrator.pending();
    if (pending.length > 0) throw new Error(`${pending.length} pending: run the migrate command`);
  }
  return [
    { type: "db", name: database.name, driver: database.driver, check: () => database.checkWritable() },
    // No request uses the disk of the backups: while it is away the app goes on serving, and the check says that it failed.
    ...disks.map((disk) => ({ ...resourceCheck("storage", disk), optional: disk.name === backupDisk })),
    // While Redis is away the last known state of maintenance counts. Once it no longer does, the check of maintenance fails.
    ...caches.map((cache) => ({
      ...resourceCheck("cache", cache),
      optional: cache.driver === "redis",
      check: () => cache.checkWritable(),
    })),
    ...queues.configured.map((each) => resourceCheck("queue", each)),
    ...queues.configured.flatMap(workerChecks),
    ...buses.map((bus) => resourceCheck("events", bus)),
    { type: "component", name: "migrations", driver: database.driver, check: checkMigrations },
    ...modules.flatMap((module) => module.checks ?? []),
  ];
}
