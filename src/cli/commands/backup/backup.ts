import { openDatabase, describeDatabase, toolsOfTheServer } from "../../../drivers/database/open.ts";
import {
  backUpToFile,
  examineWith,
  manifestEnding,
  manifestOptions,
  type SeriesSummary,
} from "../../../app/resources/archive.ts";
import { timestamp, type Millis } from "../../../core/clock.ts";
import { hasTable } from "../../../drivers/database/catalogue.ts";
import type { BackupCapability } from "../../../drivers/database/index.ts";
import { backupDisk, diskOption, ofBackupDisk, placeOf, watched, withArchive } from "./options.ts";
import { megabytes, moment, table, type Column } from "../../terminal/columns.ts";
import { command, exitCode } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonLines, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";

interface Written {
  readonly fields: object;
  readonly words: string;
  /** Objects in the database that no migration made. */
  readonly strange: readonly string[];
}

export const create = command({
  args: {
    output: { type: "string", valueHint: "PATH", description: "The file to write, in a folder that exists" },
    disk: { ...diskOption, description: "In place of --output: the storage disk to put it on" },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: jsonObject,
  },
  files: { output: { way: "writes", beside: [manifestEnding] } },
  async run(context, args) {
    const { definition, terminal } = context;
    const place = placeOf(args.output, args.disk, "--output");
    const settings = readSettings(definition, terminal);

    async function write(backups: BackupCapability): Promise<Written> {
      if ("disk" in place) {
        const { name, size, strange } = await withArchive({ config: settings.config, disk: place.disk }, (archive) =>
          watched(terminal, "backing up", (running) => archive.add(backups, running)),
        );
        const words = `wrote ${name} to disk ${place.disk} (${size} bytes)`;
        return { fields: { disk: place.disk, file: name, bytes: size }, words, strange };
      }
      const { path } = place;
      const options = { ...manifestOptions(settings.config), examine: examineWith(settings.config) };
      const { strange } = await watched(terminal, "backing up", (running) =>
        backUpToFile(backups, { path, replace: args.force === true, ...options, work: running }),
      );
      const { size } = Bun.file(path);
      return { fields: { path, bytes: size }, words: `wrote ${path} (${size} bytes)`, strange };
    }

    return recorded(context, settings, async ({ log, watch }) => {
      const { database: plain, backups } = openDatabase(settings.config.database, { create: false, log });
      const database = watch(plain);
      try {
        if (backups === undefined) throw new Error(toolsOfTheServer);
        if (!(await hasTable(database, "schema_migrations"))) {
          const { location } = describeDatabase(settings.config.database);
          terminal.err(`${location} holds nothing yet: is DB_DATABASE the right path?`);
          return exitCode.failed;
        }
        const { fields, words, strange } = await write(backups);
        if (strange.length > 0)
          terminal.err(
            `the schema of the database was changed, so that no restore takes this backup: ${strange.join("; ")}`,
          );
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
  /** Whether a manifest lies beside the backup. */
  readonly manifest: boolean;
}

const columns: readonly Column<ListedBackup>[] = [
  { head: "FILE", of: ({ file }) => file },
  { head: "SIZE", of: ({ bytes }) => megabytes(bytes) },
  { head: "MADE (UTC)", of: ({ modified_at }) => moment(Date.parse(modified_at)) },
  { head: "MANIFEST", of: ({ manifest }) => (manifest ? "yes" : "none") },
];

const momentOf = (at: Millis | undefined): string => (at === undefined ? "-" : moment(at));

const seriesColumns: readonly Column<SeriesSummary>[] = [
  { head: "CONTINUOUS COPIES", of: ({ owner, series }) => `${owner}/${series}`, least: 24 },
  { head: "FROM (UTC)", of: ({ from }) => momentOf(from) },
  { head: "TO (UTC)", of: ({ to }) => momentOf(to) },
  { head: "SIZE", of: ({ bytes }) => megabytes(bytes) },
];

const seriesFields = ({ owner, series, from, to, copies, changes, bytes, isEncrypted }: SeriesSummary) => ({
  series: `${owner}/${series}`,
  from: timestamp(from ?? null),
  to: timestamp(to ?? null),
  copies,
  changes,
  bytes,
  encrypted: isEncrypted,
});

export const list = command({
  args: { disk: { ...diskOption, description: ofBackupDisk }, json: jsonLines },
  async run({ definition, terminal }, { disk: named, json }) {
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const disk = backupDisk(config, named);
    const [found, series] = await withArchive(
      { config, disk },
      async (archive) => [await archive.list({ own: false }), await archive.changes.list()] as const,
    );
    const { backups, strayManifests } = found;
    const rows = backups.map(({ name, size, modifiedAt, hasManifest }) => ({
      file: name,
      bytes: size,
      modified_at: timestamp(modifiedAt),
      manifest: hasManifest,
    }));
    for (const stray of strayManifests) terminal.err(`${stray} lies there alone: its backup is gone`);
    if (json === true) {
      for (const row of [...rows, ...series.map(seriesFields)]) terminal.out(jsonLine(row));
      return exitCode.done;
    }
    if (rows.length > 0) terminal.out(table(rows, columns, terminal.columns));
    if (series.length > 0) terminal.out(table(series, seriesColumns, terminal.columns));
    if (rows.length + series.length === 0) terminal.out(`no backups on disk ${disk}`);
    return exitCode.done;
  },
});
