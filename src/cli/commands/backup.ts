import { resolve } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import { openArchive, type Archive } from "../../app/resources/archive.ts";
import { timestamp } from "../../core/clock.ts";
import type { Database } from "../../drivers/database/index.ts";
import { pendingInBackup } from "../../drivers/database/migrate.ts";
import {
  describeDatabase,
  openDatabase,
  restoreDatabase,
  toolsOfTheServer,
  type BackupReader,
} from "../../drivers/database/open.ts";
import { moment, table, type Column } from "../columns.ts";
import { command, exitCode, UsageError, type Terminal } from "../command.ts";
import { readSettings, type Settings } from "../environment.ts";
import { interruptible } from "../interruptible.ts";
import { jsonLine, jsonLines, jsonObject } from "../json.ts";
import { createProgress } from "../progress.ts";
import { recorded } from "../recorded.ts";

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Runs the work with a signal that Ctrl-C aborts and a bar that shows how far it is. */
function watched<T>(
  terminal: Terminal,
  doing: string,
  work: (running: {
    readonly signal: AbortSignal;
    readonly onProgress: (done: number, total: number) => void;
  }) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal, { doing, inWords: megabytes });
  return interruptible((signal) => work({ signal, onProgress: progress.show })).finally(progress.end);
}

/** Where a command finds or leaves a backup: a file of this host, or a storage disk. */
type Place = { readonly path: string } | { readonly disk: string };

function placeOf(path: string | undefined, disk: string | undefined, option: "--output" | "--input"): Place {
  if (path !== undefined && disk === undefined) return { path: resolve(path) };
  if (path === undefined && disk !== undefined) return { disk };
  throw new UsageError(`${option} or --disk says where the backup is: give one of them`);
}

async function withArchive<T>({ config }: Settings, disk: string, use: (archive: Archive) => Promise<T>): Promise<T> {
  const archive = openArchive(config, disk);
  if (archive === undefined)
    throw new UsageError(`--disk must name a storage disk: ${Object.keys(config.storage).join(", ")}`);
  try {
    return await use(archive);
  } finally {
    await archive.close();
  }
}

const diskOption = {
  type: "string",
  valueHint: "NAME",
  description: "The storage disk, default or a named one",
} as const;

export const create = command({
  args: {
    output: { type: "string", valueHint: "PATH", description: "The file to write, in a folder that exists" },
    disk: { ...diskOption, description: "In place of --output: the storage disk to put it on" },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const place = placeOf(args.output, args.disk, "--output");
    const settings = readSettings(definition, terminal);

    async function write(database: Database): Promise<{ readonly fields: object; readonly words: string }> {
      if ("disk" in place) {
        const { name, size } = await withArchive(settings, place.disk, (archive) =>
          watched(terminal, "backing up", (running) => archive.add(database, running)),
        );
        const words = `wrote ${name} to disk ${place.disk} (${size} bytes)`;
        return { fields: { disk: place.disk, file: name, bytes: size }, words };
      }
      const { path } = place;
      const replace = args.force === true;
      await watched(terminal, "backing up", async (running) => database.backup?.(path, { replace, ...running }));
      const { size } = Bun.file(path);
      return { fields: { path, bytes: size }, words: `wrote ${path} (${size} bytes)` };
    }

    return recorded(context, settings, async ({ log, watch }) => {
      const database = watch(openDatabase(settings.config.database, { create: false, log }));
      try {
        if (database.backup === undefined) throw new Error(toolsOfTheServer);
        if (!(await database.hasTable("schema_migrations"))) {
          const { location } = describeDatabase(settings.config.database);
          terminal.err(`${location} holds nothing yet: is DB_DATABASE the right path?`);
          return exitCode.failed;
        }
        const { fields, words } = await write(database);
        terminal.out(args.json === true ? jsonLine(fields) : words);
        return exitCode.done;
      } finally {
        await database.close();
      }
    });
  },
});

interface ListedBackup {
  readonly file: string;
  readonly bytes: number;
  readonly modified_at: string;
}

const columns: readonly Column<ListedBackup>[] = [
  { head: "FILE", of: ({ file }) => file },
  { head: "SIZE", of: ({ bytes }) => megabytes(bytes) },
  { head: "MADE (UTC)", of: ({ modified_at }) => moment(Date.parse(modified_at)) },
];

export const list = command({
  args: { disk: { ...diskOption, required: true }, json: jsonLines },
  async run({ definition, terminal }, args) {
    const settings = readSettings(definition, terminal, { onlyLooks: true });
    const found = await withArchive(settings, args.disk, (archive) => archive.list({ own: false }));
    const rows = found.map(({ name, size, modifiedAt }) => ({
      file: name,
      bytes: size,
      modified_at: timestamp(modifiedAt),
    }));
    if (args.json === true) for (const row of rows) terminal.out(jsonLine(row));
    else terminal.out(rows.length === 0 ? `no backups on disk ${args.disk}` : table(rows, columns, terminal.columns));
    return exitCode.done;
  },
});

export const restore = command({
  args: {
    input: { type: "string", valueHint: "PATH", description: "The backup" },
    disk: { ...diskOption, description: "In place of --input: the storage disk that has it" },
    file: { type: "string", valueHint: "FILE", description: "Its name on that disk, as backup:list shows it" },
    force: { type: "boolean", description: "Replace the database that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const place = placeOf(args.input, args.disk, "--input");
    const { file } = args;
    if ("disk" in place !== (file !== undefined)) throw new UsageError("--disk and --file are given together");
    const settings = readSettings(definition, terminal);
    const { database } = settings.config;
    const replace = args.force === true;
    return recorded(context, settings, async () => {
      const pending: string[] = [];
      const check = async (backup: BackupReader): Promise<void> =>
        void pending.push(...(await pendingInBackup(backup, migrations)));
      const put = (input: string, signal: AbortSignal): Promise<void> =>
        restoreDatabase(database, { input, replace, check, signal });
      if ("disk" in place && file !== undefined)
        await withArchive(settings, place.disk, (archive) =>
          watched(terminal, "fetching", (running) => archive.fetch(file, running, (path) => put(path, running.signal))),
        );
      else if ("path" in place) await interruptible((signal) => put(place.path, signal));
      const { location } = describeDatabase(database);
      const from = "path" in place ? { from: place.path } : { disk: place.disk, file };
      if (args.json === true) {
        terminal.out(jsonLine({ database: location, ...from, pending_migrations: pending }));
        return exitCode.done;
      }
      terminal.out(`restored ${location} from ${"path" in place ? place.path : `${file} on disk ${place.disk}`}`);
      if (pending.length > 0) terminal.out(`${pending.length} migrations are pending: run the migrate command`);
      return exitCode.done;
    });
  },
});
