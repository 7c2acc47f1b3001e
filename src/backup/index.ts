import { timestamp, type Millis } from "../core/clock.ts";
import { type AgeClock, byAge } from "../core/clock.trust.ts";
import type { Module, Schedule } from "../core/module.ts";
import type { BackupCapability, ChangeCapability } from "../drivers/database/index.ts";
import type { Log } from "../observe/index.ts";
import { createArchive, type ArchiveOptions } from "./archive.ts";
import type { Contents } from "./drill.ts";
import { createVault } from "./vault.ts";

interface BackupSettings {
  /** How many of the newest daily backups are kept. */
  readonly keep: number;
  /** How often changes go to the disk; undefined where continuous copies are off. */
  readonly changesIntervalMs: number | undefined;
  readonly changesKeepMs: number;
  /** The public age key that everything is encrypted for. */
  readonly ageRecipient: string | undefined;
}

interface DrillDeps {
  readonly verify: (path: string, name: string) => Promise<Contents>;
  readonly record: (failed: boolean) => Promise<void>;
}

interface BackupOptions extends Omit<ArchiveOptions, "workFile" | "recipient" | "identities" | "unproven"> {
  readonly backups: BackupCapability;
  readonly changes: ChangeCapability;
  readonly settings: BackupSettings;
  readonly drills: DrillDeps;
  /** Called with the time up to which everything is on the disk. */
  readonly onCopied?: ((kind: "daily" | "changes", at: Millis) => void) | undefined;
  readonly ages: AgeClock;
  readonly log: Log;
}

/**
 * Makes the module of backups: `backup:daily`, which the scheduler's lock lets one process at a time run, drills, and continuous copies.
 */
export function createBackups({
  backups: capability,
  changes,
  settings,
  drills,
  onCopied,
  ages,
  log,
  ...options
}: BackupOptions): Module {
  const { keep, ageRecipient: recipient } = settings;
  const archive = createArchive({ ...options, recipient, workFile: "copy.db" });
  const copies = continuous({ changes, settings, onCopied, ages, log, ...options });
  // Encrypted backups are not drilled: the secret key that reads them is not here.
  const drilled = recipient === undefined ? [createDrill({ settings, drills, log, ...options })] : [];
  return {
    schedules: [
      {
        name: "backup:daily",
        cron: "40 3 * * *",
        async run(signal) {
          const began = options.clock.now();
          const { name, size, strange } = await archive.add(capability, { signal });
          onCopied?.("daily", began);
          const { backups, strayManifests } = await archive.list({ own: true });
          // The backup just made is kept even if the clock was ahead when others were made, whose names then sort after it.
          const others = backups.filter((other) => other.name !== name).toReversed();
          // A clock that can't be trusted does not say how old backups are: all are kept, until the backup of the next day.
          const heldBack = await byAge(ages, async () => {
            for (const other of others.slice(keep - 1)) await archive.remove(other.name);
          });
          for (const stray of strayManifests) await archive.removeStray(stray);
          if (strange.length > 0) log.warn("no restore takes this backup: the schema was changed", { name, strange });
          const removed = heldBack === undefined ? Math.max(0, others.length - keep + 1) : 0;
          log.info("backup made", {
            name,
            disk: options.disk.name,
            bytes: size,
            removed,
            ...(heldBack && { held_back: true }),
          });
        },
      },
      ...drilled,
    ],
    ...copies,
  };
}

function createDrill({
  settings,
  drills,
  log,
  ...options
}: Omit<BackupOptions, "backups" | "changes" | "onCopied" | "ages">): Schedule {
  const place = { ...options, workFile: "drill.db" };
  return {
    name: "backup:drill",
    cron: "20 4 * * 0",
    async run(signal) {
      const [{ drill, mostAgeOf }, { createChangeReader }] = await Promise.all([
        import("./drill.ts"),
        import("./changes/reader.ts"),
      ]);
      const { verify, record } = drills;
      const sources = { archive: createArchive(place), changes: createChangeReader(place) };
      const limits = { mostAgeMs: mostAgeOf(settings), clock: options.clock };
      try {
        const { source, at, tables } = await drill({ ...sources, ...limits, verify }, { signal });
        log.info("backup restored on trial", { source, as_of: timestamp(at), tables: tables.length });
      } catch (error) {
        await record(true);
        throw error;
      }
      await record(false);
    },
  };
}

type ChangesOptions = Omit<BackupOptions, "backups" | "drills">;

/** Runs the continuous copies, which begin with the schedules and end with the app. Only processes that run them load their code. */
function continuous(options: ChangesOptions): Pick<Module, "background" | "close"> {
  const { changes, settings, installation, disk, workFolder, examine, clock, ages, log } = options;
  const onCopied = (at: Millis): void => options.onCopied?.("changes", at);
  const { changesIntervalMs: everyMs, changesKeepMs: keepMs, ageRecipient: recipient } = settings;
  if (everyMs === undefined) return {};
  const vault = createVault({ disk, recipient, installation, clock });
  const place = { workFolder, workFile: "changes.db" };
  const begin = async () => {
    // Until the first copy is made, the age of the copies counts from here.
    onCopied(clock.now());
    const { createShipper } = await import("./changes/shipper.ts");
    const times = { everyMs, keepMs, clock, ages };
    const shipper = createShipper({ changes, installation, vault, place, examine, ...times, onCopied, log });
    shipper.start();
    return shipper;
  };
  let begun: ReturnType<typeof begin> | undefined;
  return {
    background: () => void (begun ??= begin()),
    close: async () => (await begun)?.stop(),
  };
}
