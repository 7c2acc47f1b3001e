import { migrations } from "../../../../migrations/index.ts";
import { inPlainFile, readIdentities, workPlace, type Archive } from "../../../app/resources/archive.ts";
import type { Config } from "../../../config/index.ts";
import { systemClock, timestamp, type Millis } from "../../../core/clock.ts";
import { pendingInBackup } from "../../../drivers/database/migrate.ts";
import { describeDatabase, restoreDatabase } from "../../../drivers/database/open.ts";
import { ageInWords, diskOption, identityOption, placeOf, watched, withArchive, type Place } from "./options.ts";
import { command, exitCode, UsageError, type Terminal } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";
import { readTime, when } from "../../usage/time.option.ts";

/** Where a backup comes from that is to take the database's place. */
interface Source {
  readonly config: Config;
  readonly place: Place;
  /** Its name on the disk; undefined for continuous copies. */
  readonly file: string | undefined;
  /** The latest time that the state may have; undefined for the newest one. */
  readonly at: Millis | undefined;
  readonly identity: string | undefined;
}

type Put = (input: string, signal: AbortSignal) => Promise<void>;

async function fromChanges(archive: Archive, terminal: Terminal, at: Millis | undefined, put: Put): Promise<Millis> {
  const until = at ?? systemClock.now();
  const state = await watched(terminal, "fetching", (running) =>
    archive.changes.fetch(until, running, async (path, rebuilt) => {
      await put(path, running.signal);
      return rebuilt.at;
    }),
  );
  if (state === undefined) throw new Error(`${await archive.changes.whyNothing(until)}: backup:list has what is there`);
  return state;
}

/** Resolves to the time of the state that was put, where that is known. */
async function putFrom(source: Source, terminal: Terminal, put: Put): Promise<Millis | undefined> {
  const { config, place, file, at, identity } = source;
  if ("path" in place) {
    const identities = identity === undefined ? [] : await readIdentities(identity);
    await interruptible((signal) =>
      inPlainFile({ path: place.path, identities, place: workPlace(config), signal }, (path) => put(path, signal)),
    );
    return undefined;
  }
  return withArchive({ config, disk: place.disk, identity }, async (archive) => {
    if (file === undefined) return fromChanges(archive, terminal, at, put);
    await watched(terminal, "fetching", (running) => archive.fetch(file, running, (path) => put(path, running.signal)));
    return undefined;
  });
}

export const restore = command({
  args: {
    input: { type: "string", valueHint: "PATH", description: "The backup" },
    disk: { ...diskOption, description: "In place of --input: the storage disk that has it" },
    file: {
      type: "string",
      valueHint: "FILE",
      description: "Its name on that disk, as backup:list shows it. Without it: the continuous copies",
    },
    at: { type: "string", valueHint: "TIME", description: `Of continuous copies, the state at this time: ${when}` },
    identity: identityOption,
    force: { type: "boolean", description: "Replace the database that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const place = placeOf(args.input, args.disk, "--input");
    const { file, identity } = args;
    if ("path" in place && file !== undefined) throw new UsageError("--file is a name on a disk: give --disk with it");
    const at = readTime("at", args.at);
    if (at !== undefined && (file !== undefined || "path" in place))
      throw new UsageError("--at is for continuous copies: give --disk with it, and no file");
    const settings = readSettings(definition, terminal);
    const { config } = settings;
    return recorded(context, settings, async () => {
      const pending: string[] = [];
      const put: Put = (input, signal) =>
        restoreDatabase(config.database, {
          input,
          replace: args.force === true,
          check: async (backup) => void pending.push(...(await pendingInBackup(backup, migrations))),
          signal,
        });
      const state = await putFrom({ config, place, file, at, identity }, terminal, put);
      const { location } = describeDatabase(config.database);
      const from = "path" in place ? { from: place.path } : { disk: place.disk, ...(file !== undefined && { file }) };
      if (args.json === true) {
        const as_of = state === undefined ? {} : { as_of: timestamp(state) };
        terminal.out(jsonLine({ database: location, ...from, ...as_of, pending_migrations: pending }));
        return exitCode.done;
      }
      const name = file ?? "the continuous copies";
      terminal.out(`restored ${location} from ${"path" in place ? place.path : `${name} on disk ${place.disk}`}`);
      if (state !== undefined)
        terminal.out(
          `it has all that was committed before ${timestamp(state)}, ${ageInWords(systemClock.now() - state)} ago`,
        );
      if (pending.length > 0) terminal.out(`${pending.length} migrations are pending: run the migrate command`);
      return exitCode.done;
    });
  },
});
