import { resolve } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import { pendingInBackup } from "../../drivers/database/migrate.ts";
import {
  describeDatabase,
  openDatabase,
  restoreDatabase,
  toolsOfTheServer,
  type BackupReader,
} from "../../drivers/database/open.ts";
import { command, exitCode } from "../command.ts";
import { readSettings } from "../environment.ts";
import { interruptible } from "../interruptible.ts";
import { jsonLine, jsonObject } from "../json.ts";
import { createProgress } from "../progress.ts";
import { recorded } from "../recorded.ts";

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

export const create = command({
  args: {
    output: {
      type: "string",
      required: true,
      valueHint: "PATH",
      description: "The file to write, in a folder that exists",
    },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const output = resolve(args.output);
    return recorded(context, settings, async ({ log, watch }) => {
      const database = watch(openDatabase(settings.config.database, { create: false, log }));
      try {
        const { backup } = database;
        if (backup === undefined) throw new Error(toolsOfTheServer);
        if (!(await database.hasTable("schema_migrations"))) {
          const { location } = describeDatabase(settings.config.database);
          terminal.err(`${location} holds nothing yet: is DB_DATABASE the right path?`);
          return exitCode.failed;
        }
        const progress = createProgress(terminal, { doing: "backing up", inWords: megabytes });
        const replace = args.force === true;
        await interruptible((signal) => backup(output, { replace, signal, onProgress: progress.show })).finally(
          progress.end,
        );
      } finally {
        await database.close();
      }
      const { size } = Bun.file(output);
      terminal.out(args.json === true ? jsonLine({ path: output, bytes: size }) : `wrote ${output} (${size} bytes)`);
      return exitCode.done;
    });
  },
});

export const restore = command({
  args: {
    input: { type: "string", required: true, valueHint: "PATH", description: "The backup" },
    force: { type: "boolean", description: "Replace the database that is there" },
    json: jsonObject,
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const { database } = settings.config;
    const [input, replace] = [resolve(args.input), args.force === true];
    return recorded(context, settings, async () => {
      const pending: string[] = [];
      const check = async (backup: BackupReader): Promise<void> =>
        void pending.push(...(await pendingInBackup(backup, migrations)));
      await interruptible((signal) => restoreDatabase(database, { input, replace, check, signal }));
      const { location } = describeDatabase(database);
      if (args.json === true) {
        terminal.out(jsonLine({ database: location, from: input, pending_migrations: pending }));
        return exitCode.done;
      }
      terminal.out(`restored ${location} from ${input}`);
      if (pending.length > 0) terminal.out(`${pending.length} migrations are pending: run the migrate command`);
      return exitCode.done;
    });
  },
});
