import {
  drill as drillNewest,
  inPlainFile,
  manifestOptions,
  mostAgeOf,
  readContents,
  readIdentities,
  recordDrill,
  workPlace,
  type Contents,
} from "../../../app/resources/archive.ts";
import type { Config } from "../../../config/index.ts";
import { systemClock, timestamp, type Millis } from "../../../core/clock.ts";
import { parseDuration } from "../../../core/text/duration.ts";
import {
  ageInWords,
  backupDisk,
  diskOption,
  ofBackupDisk,
  fetchChanges,
  identityFile,
  identityOption,
  readSource,
  sourceFiles,
  sourceOptions,
  type BackupSource,
  unprovenTo,
  unverifiedOption,
  watched,
  withArchive,
} from "./options.ts";
import { table, type Column } from "../../terminal/columns.ts";
import { command, exitCode, UsageError, type Terminal } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { namingCaller } from "../../app/with.app.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const columns: readonly Column<Contents["tables"][number]>[] = [
  { head: "TABLE", of: ({ table: name }) => name },
  { head: "ROWS", of: ({ rows }) => rows.toLocaleString("en") },
];

interface Verified extends Contents {
  readonly source: string;
  /** The time of the state, if known. */
  readonly at?: Millis;
}

const fieldsOf = ({ source, at, tables, pending }: Verified) => ({
  source,
  ...(at !== undefined && { as_of: timestamp(at) }),
  pending_migrations: pending,
  rows: Object.fromEntries(tables.map(({ table: name, rows }) => [name, rows])),
});

function show(terminal: Terminal, { source, at, tables, pending }: Verified): void {
  terminal.out(table(tables, columns, terminal.columns));
  const age = at === undefined ? "" : `, as of ${timestamp(at)}, ${ageInWords(systemClock.now() - at)} ago`;
  terminal.out(`whole: ${source}${age}`);
  terminal.out(
    pending.length === 0 ? "its schema is that of this release" : `${pending.length} migrations are pending in it`,
  );
}

export const verify = command({
  args: {
    ...sourceOptions,
    json: jsonObject,
  },
  files: sourceFiles,
  async run({ definition, terminal }, args) {
    const source = readSource(args);
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    let isProven = true;
    const say = unprovenTo(terminal, args.unverified);
    const unproven =
      say &&
      ((why: string): void => {
        isProven = false;
        say(why);
      });
    const reading = { config, terminal, unproven };
    const verified = await ("path" in source.place
      ? verifyFile(reading, source.place.path, source.identity)
      : verifyOnDisk(reading, source.place.disk, source));
    if (args.json === true) terminal.out(jsonLine({ ...fieldsOf(verified), verified: isProven }));
    else show(terminal, verified);
    return exitCode.done;
  },
});

interface Reading {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly unproven: ((why: string) => void) | undefined;
}

async function verifyFile(
  { config, terminal, unproven }: Reading,
  path: string,
  identity: string | undefined,
): Promise<Verified> {
  const identities = identity === undefined ? [] : await readIdentities(identity);
  const reading = { ...manifestOptions(config, unproven), path, identities, place: workPlace(config) };
  return watched(terminal, "reading", (work) =>
    inPlainFile({ ...reading, work }, async (plain) => ({
      source: path,
      ...(await readContents(config, plain, path, work)),
    })),
  );
}

const verifyOnDisk = (
  { config, terminal, unproven }: Reading,
  disk: string,
  { identity, file, at }: BackupSource,
): Promise<Verified> =>
  withArchive({ config, disk, identity, unproven }, async (archive) => {
    if (file !== undefined)
      return watched(terminal, "fetching", (running) =>
        archive.fetch(file, running, async (path) => ({
          source: file,
          ...(await readContents(config, path, file, running)),
        })),
      );
    const source = `what the continuous copies on disk ${disk} hold`;
    return fetchChanges(archive, { terminal, until: at ?? systemClock.now() }, async (path, state, running) => ({
      source,
      at: state,
      ...(await readContents(config, path, source, running)),
    }));
  });

export const drill = command({
  args: {
    disk: { ...diskOption, description: ofBackupDisk },
    identity: identityOption,
    unverified: unverifiedOption,
    "max-age": {
      type: "string",
      valueHint: "DURATION",
      description: "How old the newest state may be. Default: 5m with BACKUP_CHANGES_INTERVAL, else 26h",
    },
    json: jsonObject,
  },
  files: identityFile,
  async run({ definition, terminal }, args) {
    const { config, log } = namingCaller(readSettings(definition, terminal), terminal);
    const disk = backupDisk(config, args.disk);
    const mostAge = args["max-age"];
    const mostAgeMs = mostAge === undefined ? mostAgeOf(config.backup) : parseDuration(mostAge);
    if (mostAgeMs === undefined) throw new UsageError("--max-age takes a duration such as 5m or 26h");
    const { identity } = args;
    const unproven = unprovenTo(terminal, args.unverified);
    try {
      const done = await withArchive({ config, disk, identity, unproven }, (archive) =>
        watched(terminal, "restoring", (running) =>
          drillNewest(
            {
              archive,
              changes: archive.changes,
              verify: (path, name) => readContents(config, path, name, running),
              mostAgeMs,
              clock: systemClock,
            },
            running,
          ),
        ),
      );
      await recordDrill({ config, log }, false);
      if (args.json === true) terminal.out(jsonLine(fieldsOf(done)));
      else show(terminal, done);
      return exitCode.done;
    } catch (error) {
      if (!(error instanceof UsageError)) await recordDrill({ config, log }, true);
      throw error;
    }
  },
});
