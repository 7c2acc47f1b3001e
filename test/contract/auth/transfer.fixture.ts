import type { Rows } from "../../support/rows.ts";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import type { Target } from "../../support/target.ts";

export const password = "a long walk by the sea";
/** The hash of `password` by Go's bcrypt. */
export const bcrypt = "$2a$10$Q1t13EvbFsx5PafRqwfxpumFGHMiGxW7/2UiENtvJMrlEOaHznbju";

/** Runs commands on the database of the target. */
export function commandsOn({ folder, env }: Target) {
  const run = (args: readonly string[], stdin = ""): Promise<CommandResult> =>
    runGatehouse(args, { cwd: folder, env, stdin, limitMs: 60_000 });
  return {
    run,
    /** Runs `user:import` on these accounts, one on each line. */
    importing: (accounts: readonly object[], ...args: string[]): Promise<CommandResult> =>
      run(["user:import", "-", ...args], accounts.map((account) => JSON.stringify(account)).join("\n")),
  };
}

export const storedIn =
  (rows: Rows) =>
  (email: string): Readonly<Record<string, unknown>> =>
    rows.get("select * from users where email = ?", email);

/** Resolves to the status of a login. */
export const signsIn = async (url: string, login: string, secret = password): Promise<number> =>
  (await createClient(url).post(auth("login"), { login, password: secret })).status;
