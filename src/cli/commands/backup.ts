import { resolve } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import { pendingInBackup } from "../../drivers/database/migrate.ts";
import { describeDatabase, openDatabase, restoreDatabase, type BackupReader } from "../../drivers/database/open.ts";
import { command, exitCode } from "../command.ts";
import { readSettings } from "../environment.ts";
import { interruptible } from "../interruptible.ts";
import { recorded } from "../recorded.ts";

export const create = command({
  args: {
    output: {
      type: "string",
      required: true,
      valueHint: "PATH",
      description: "The file to write, in a folder that exists",
    },
    force: { type: "boolean", description: "Replace a file that is there" },
  },
  async run(context, args) {
    const { definition, terminal } = context;
    const settings = readSettings(definition, terminal);
    const output = resolve(args.output);
    return recorded(context, settings, async ({ log, watch }) => {
      const database = watch(openDatabase(settings.config.database, { create: false, log }));
      try {
        const { backup } = database;
        if (backup === undefined) {
          terminal.err(`the ${database.driver} driver makes no backups: use the tools of its server (pg_dump)`);
          return exitCode.failed;
        }
        if (!(await database.hasTable("schema_migrations"))) {
          const { location } = describeDatabase(settings.config.database);
          terminal.err(`${location} holds nothing yet: is DB_DATABASE the right path?`);
          return exitCode.failed;
        }
        await interruptible((signal) => backup(output, { replace: args.force === true, signal }));
      } finally {
        await database.close();
      }
      terminal.out(`wrote ${output} (${Bun.file(output).size} bytes)`);
      return exitCode.done;
    });
  },
});

export const restore = command({
  args: {
    input: { type: "string", required: true, valueHint: "PATH", description: "The backup" },
    force: { type: "boolean", description: "Replace the database that is there" },
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
      terminal.out(`restored ${describeDatabase(database).location} from ${input}`);
      if (pending.length > 0) terminal.out(`${pending.length} migrations are pending: run the migrate command`);
      return exitCode.done;
    });
  },
});
