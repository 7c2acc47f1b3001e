import type { App } from "../index.ts";
import type { Config } from "../../config/index.ts";
import { AppError } from "../../core/errors.ts";
import type { Log } from "../../observe/index.ts";

interface BootstrapOptions {
  readonly app: Pick<App, "accounts">;
  readonly account: NonNullable<Config["auth"]["bootstrap"]>;
  readonly log: Log;
  readonly announce: (text: string) => void;
}

/** Makes an account to try things with, unless it exists already. Local and testing only. */
export async function makeAccount({ app, account, log, announce }: BootstrapOptions): Promise<void> {
  let isThere = false;
  try {
    await app.accounts.create({ ...account, verified: true, roles: ["admin"] }, { actor: "system" });
    log.info("bootstrap account created", { username: account.username });
  } catch (error) {
    isThere = error instanceof AppError && (error.reason === "email_taken" || error.reason === "username_taken");
    if (!isThere) throw error;
  }
  // An account that was there already, such as an imported one, may have another password.
  const unless = isThere ? " (unless its password was changed)" : "";
  announce(`bootstrap account: ${account.username} / ${account.password}${unless}`);
}
