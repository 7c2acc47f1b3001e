import {
  drill as drillNewest,
  inPlainFile,
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
  identityOption,
  readSource,
  sourceOptions,
  watched,
  withArchive,
} from "./options.ts";
import { table, type Column } from "../../terminal/columns.ts";
import { command, exitCode, UsageError, type Terminal } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const columns: readonly Column<Contents["tables"][number]>[] = [
  { head: "TABLE", of: ({ table: name }) => name },
  { head: "ROWS", of: ({ rows }) => rows.toLocaleString("en") },
];

interface Verified extends Contents {
  readonly source: string;
  /** Of the state, where it is known. */
  readonly at?: Millis;
}

const fieldsOf = ({ source, at, tables, pending }: Verified) => ({
  source,
  ...(at !== undefined && { as_of: timestamp(at) }),
  pending_migrations: pending,
  rows: Object.fromEntries(tables.map(({ table: name, rows }) => [name, rows])),
});

function say(terminal: Terminal, { source, at, tables, pending }: Verified): void {
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
  async run({ definition, terminal }, args) {
    const { place, file, at, identity } = readSource(args);
    const { config } = readSettings(definition, terminal, { onlyLooks: true });
    const verified =
      "path" in place
        ? await verifyFile(config, terminal, place.path, identity)
        : await verifyOnDisk({ config, terminal, disk: place.disk, identity, file, at });
    if (args.json === true) terminal.out(jsonLine(fieldsOf(verified)));
    else say(terminal, verified);
    return exitCode.done;
  },
});

async function verifyFile(
  config: Config,
  terminal: Terminal,
  path: string,
  identity: string | undefined,
): Promise<Verified> {
  const identities = identity === undefined ? [] : await readIdentities(identity);
  return watched(terminal, "reading", ({ signal }) =>
    inPlainFile({ path, identities, place: workPlace(config), signal }, async (plain) => ({
      source: path,
      ...(await readContents(config, plain, path)),
    })),
  );
}

interface OnDisk {
  readonly config: Config;
  readonly terminal: Terminal;
  readonly disk: string;
  readonly identity: string | undefined;
  readonly file: string | undefined;
  readonly at: Millis | undefined;
}

const verifyOnDisk = ({ config, terminal, disk, identity, file, at }: OnDisk): Promise<Verified> =>
  withArchive({ config, disk, identity }, async (archive) => {
    if (file !== undefined)
      return watched(terminal, "fetching", (running) =>
        archive.fetch(file, running, async (path) => ({ source: file, ...(await readContents(config, path, file)) })),
      );
    const source = `what the continuous copies on disk ${disk} hold`;
    return fetchChanges(archive, { terminal, until: at ?? systemClock.now() }, async (path, state) => ({
      source,
      at: state,
      ...(await readContents(config, path, source)),
    }));
  });

export const drill = command({
  args: {
    disk: { ...diskOption, description: ofBackupDisk },
    identity: identityOption,
    "max-age": {
      type: "string",
      valueHint: "DURATION",
      description: "How old the newest state may be. Default: 5m with BACKUP_CHANGES_INTERVAL, else 26h",
    },
    json: jsonObject,
  },
  async run({ definition, terminal }, args) {
    const { config, log } = readSettings(definition, terminal);
    const disk = backupDisk(config, args.disk);
    const mostAge = args["max-age"];
    const mostAgeMs = mostAge === undefined ? mostAgeOf(config.backup) : parseDuration(mostAge);
    if (mostAgeMs === undefined) throw new UsageError("--max-age takes a duration such as 5m or 26h");
    const { identity } = args;
    try {
      const done = await withArchive({ config, disk, identity }, (archive) =>
        watched(terminal, "restoring", (running) =>
          drillNewest(
            {
              archive,
              changes: archive.changes,
              verify: (path, name) => readContents(config, path, name),
              mostAgeMs,
              clock: systemClock,
            },
            running,
          ),
        ),
      );
      await recordDrill({ config, log }, false);
      if (args.json === true) terminal.out(jsonLine(fieldsOf(done)));
      else say(terminal, done);
      return exitCode.done;
    } catch (error) {
      if (!(error instanceof UsageError)) await recordDrill({ config, log }, true);
      throw error;
    }
  },
});
