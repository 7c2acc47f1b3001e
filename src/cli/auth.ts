import type { App } from "../app.ts";
import { AppError } from "../core/errors.ts";
import { command, exitCode, type CommandContext, type ExitCode } from "./command.ts";
import { readSettings } from "./environment.ts";

// The longest password (256 code points) in UTF-16 and some room, so that the policy names what is wrong with a longer one.
const secretLimit = 1_024;

const login = { type: "positional", required: true, description: "Username or email address" } as const;

export const createUser = command({
  args: {
    email: { type: "string", required: true, description: "Email address" },
    username: { type: "string", description: "Username (default: the email address)" },
    "display-name": { type: "string", description: "Display name (default: the username)" },
    verified: { type: "boolean", description: "Count the email address as verified" },
  },
  async run(context, args) {
    const password = await context.terminal.readSecret("Password: ", secretLimit);
    return withApp(context, async ({ accounts }) => {
      const user = await accounts.create({
        email: args.email,
        username: args.username,
        displayName: args["display-name"],
        password,
        verified: args.verified === true,
      });
      return `created ${user.id}`;
    });
  },
});

export const setPassword = command({
  args: { login },
  async run(context, args) {
    const password = await context.terminal.readSecret("New password: ", secretLimit);
    return withApp(context, async ({ accounts }) => {
      await accounts.setPassword(args.login, password);
      return "password set, every session ended";
    });
  },
});

export const revokeSessions = command({
  args: { login },
  async run(context, args) {
    return withApp(context, async ({ accounts }) => {
      const ended = await accounts.revokeSessions(args.login);
      return `${ended} ${ended === 1 ? "session" : "sessions"} ended`;
    });
  },
});

/** Prints what was done, or the refusal and which field it is about. */
async function withApp(context: CommandContext, act: (app: App) => Promise<string>): Promise<ExitCode> {
  const { definition, build, terminal } = context;
  const { config, log } = readSettings(definition.name, terminal);
  const { createApp } = await import("../app.ts");
  const app = await createApp({ definition, config, build, log });
  try {
    if (!(await app.ready())) {
      terminal.err("the database is not migrated: run the migrate command");
      return exitCode.failed;
    }
    terminal.out(await act(app));
    return exitCode.done;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    terminal.err(error.reason === "not_found" ? "no such account" : error.message);
    for (const [field, complaint] of Object.entries(error.fields ?? {})) terminal.err(`  ${field}: ${complaint}`);
    return exitCode.failed;
  } finally {
    await app.close();
  }
}
