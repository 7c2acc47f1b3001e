import { migrations } from "../../../../migrations/index.ts";
import { inPlainFile, readIdentities, workPlace } from "../../../app/resources/archive.ts";
import type { Config } from "../../../config/index.ts";
import { systemClock, timestamp, type Millis } from "../../../core/clock.ts";
import { pendingInBackup } from "../../../drivers/database/migrate.ts";
import { describeDatabase, restoreDatabase } from "../../../drivers/database/open.ts";
import {
  ageInWords,
  fetchChanges,
  readSource,
  sourceOptions,
  watched,
  withArchive,
  type BackupSource,
} from "./options.ts";
import { command, exitCode, type Terminal } from "../../command.ts";
import { readSettings } from "../../app/environment.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { recorded } from "../../app/recorded.ts";

type Put = (input: string, signal: AbortSignal) => Promise<void>;

/** Resolves to the time of the state that was put, where that is known. */
async function putFrom(
  { place, file, at, identity }: BackupSource,
  { config, terminal }: { readonly config: Config; readonly terminal: Terminal },
  put: Put,
): Promise<Millis | undefined> {
  if ("path" in place) {
    const identities = identity === undefined ? [] : await readIdentities(identity);
    await interruptible((signal) =>
      inPlainFile({ path: place.path, identities, place: workPlace(config), signal }, (path) => put(path, signal)),
    );
    return undefined;
  }
  return withArchive({ config, disk: place.disk, identity }, async (archive) => {
    if (file === undefined)
      return fetchChanges(archive, { terminal, until: at ?? systemClock.now() }, async (path, state, signal) => {
        await put(path, signal);
        return state;
      });
    await watched(terminal, "fetching", (running) => archive.fetch(file, running, (path) => put(path, running.signal)));
    return undefined;
  });
}

export const restore = command({
  args: {
    ...sourceOptions,
    force: { type: "boolean", description: "Replace the database that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const source = readSource(args);
    const { place, file } = source;
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
      const state = await putFrom(source, { config, terminal }, put);
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
