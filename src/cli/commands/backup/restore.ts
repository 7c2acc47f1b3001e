import {
  inPlainFile,
  manifestOptions,
  readIdentities,
  restoreFrom,
  workPlace,
} from "../../../app/resources/archive.ts";
import type { Config } from "../../../config/index.ts";
import { systemClock, timestamp, type Millis } from "../../../core/clock.ts";
import { describeDatabase } from "../../../drivers/database/open.ts";
import {
  ageInWords,
  fetchChanges,
  readSource,
  sourceFiles,
  sourceOptions,
  unprovenTo,
  watched,
  withArchive,
  type BackupSource,
  type Running,
} from "./options.ts";
import { command, exitCode, type Terminal } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";

interface Input {
  readonly input: string;
  /** The input's name in messages. */
  readonly name: string;
  readonly sha256?: string | undefined;
}
type Put = (input: Input, running: Running) => Promise<void>;
/** What is fetched or decrypted lies beside the database, and once more while it is put in its place. */
const copies = 2;

/** Resolves to the time of the state that was restored, if known. */
async function putFrom(
  { place, file, at, identity }: BackupSource,
  {
    config,
    terminal,
    unproven,
  }: {
    readonly config: Config;
    readonly terminal: Terminal;
    readonly unproven: ((why: string) => void) | undefined;
  },
  put: Put,
): Promise<Millis | undefined> {
  if ("path" in place) {
    const identities = identity === undefined ? [] : await readIdentities(identity);
    const name = place.path;
    const reading = { ...manifestOptions(config, unproven), path: name, identities, place: workPlace(config) };
    await watched(terminal, "reading", (running) =>
      inPlainFile({ ...reading, work: { ...running, copies } }, (input, sha256) =>
        put({ input, name, sha256 }, running),
      ),
    );
    return undefined;
  }
  return withArchive({ config, disk: place.disk, identity, unproven }, async (archive) => {
    if (file === undefined)
      return fetchChanges(archive, { terminal, until: at ?? systemClock.now() }, async (input, state, running) => {
        await put({ input, name: "the continuous copies" }, running);
        return state;
      });
    await watched(terminal, "fetching", (running) =>
      archive.fetch(file, { ...running, copies }, (input) => put({ input, name: file }, running)),
    );
    return undefined;
  });
}

export const restore = command({
  args: {
    ...sourceOptions,
    force: { type: "boolean", description: "Replace the database that is there" },
    json: jsonObject,
  },
  files: sourceFiles,
  async run(context, args) {
    const { definition, terminal } = context;
    const source = readSource(args);
    const { place, file } = source;
    const settings = readSettings(definition, terminal);
    const { config } = settings;
    return recorded(context, settings, async () => {
      let pending: readonly string[] = [];
      const replace = args.force === true;
      const unproven = unprovenTo(terminal, args.unverified);
      const state = await putFrom(
        source,
        { config, terminal, unproven },
        async (input, { signal, threads, onChecked }) => {
          pending = await restoreFrom(config, { ...input, replace, signal, threads, onChecked });
        },
      );
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
