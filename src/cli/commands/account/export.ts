import { existsSync, fstatSync } from "node:fs";
import { resolve } from "node:path";
import { command, exitCode, UsageError, type CommandContext, type ExitCode } from "../../command.ts";
import { interruptible } from "../../terminal/interruptible.ts";
import { jsonLine, jsonObject, jsonOf } from "../../terminal/json.ts";
import { createProgress } from "../../terminal/progress.ts";
import { fileAt, standardOutput } from "../../terminal/sink.ts";
import { withApp } from "../../app/with.app.ts";

const readableByOthers = 0o044;

export const exportUsers = command({
  args: {
    user: {
      type: "string",
      valueHint: "LOGIN",
      description: "Write all that is kept of one account in place of all accounts, for its person",
    },
    output: {
      type: "string",
      valueHint: "PATH",
      description: "The file to write, for its owner alone. Default: standard output",
    },
    "with-hashes": {
      type: "boolean",
      description: "Write password hashes as well: keep the file as you keep the database",
    },
    force: { type: "boolean", description: "Replace a file that is there" },
    json: jsonObject,
  },
  files: { output: { way: "writes" } },
  async run(context, args) {
    const { terminal } = context;
    const withHashes = args["with-hashes"] === true;
    const path = args.output === undefined ? undefined : resolve(args.output);
    if (path !== undefined && args.force !== true && existsSync(path))
      throw new UsageError(`${path} is there already: --force replaces it`);
    if (withHashes && path === undefined && standardOutputIsOpenToOthers()) {
      terminal.err("standard output is a file that others may read, and hashes are not for them: use --output");
      return exitCode.failed;
    }
    const { user } = args;
    if (user !== undefined && withHashes) throw new UsageError("--with-hashes is about all accounts: leave --user out");
    if (user !== undefined) return writeOne(context, { user, path, json: args.json === true });
    return withApp(context, async ({ transfer }) => {
      const sink = path === undefined ? standardOutput(terminal.out) : fileAt(path);
      const progress = createProgress(terminal, { doing: "exporting" });
      try {
        const total = await transfer.countAccounts();
        let written = 0;
        await interruptible(async (signal) => {
          for await (const accounts of transfer.pages(withHashes)) {
            signal.throwIfAborted();
            sink.write(jsonOf(accounts));
            written += accounts.length;
            if (path !== undefined) progress.show(written, total);
          }
        });
        sink.keep();
        progress.end();
        if (path === undefined) return "";
        if (args.json === true) return jsonLine({ path, accounts: written });
        return `wrote ${written.toLocaleString("en")} accounts to ${path}`;
      } finally {
        progress.end();
        sink.close();
      }
    });
  },
});

interface OneOptions {
  readonly user: string;
  readonly path: string | undefined;
  readonly json: boolean;
}

/** Writes what is kept of one account, as its person can download it. The audit log says so first. */
const writeOne = (context: CommandContext, { user, path, json }: OneOptions): Promise<ExitCode> =>
  withApp(context, async ({ accounts, accountFile }) => {
    const id = await accounts.recordExport(user);
    const sink = path === undefined ? standardOutput(context.terminal.out) : fileAt(path);
    try {
      await interruptible(async (signal) => {
        for await (const lines of accountFile(id)) {
          signal.throwIfAborted();
          sink.write(lines);
        }
      });
      sink.keep();
    } finally {
      sink.close();
    }
    if (path === undefined) return "";
    return json ? jsonLine({ path, user_id: id }) : `wrote what is kept of ${user} to ${path}`;
  });

function standardOutputIsOpenToOthers(): boolean {
  const status = fstatSync(1);
  return status.isFile() && (status.mode & readableByOthers) !== 0;
}
