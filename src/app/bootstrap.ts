import type { App } from "./index.ts";
import type { Config } from "../config/index.ts";
import { second } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Log } from "../observe/index.ts";

interface BootstrapOptions {
  readonly app: Pick<App, "accounts" | "ready">;
  readonly account: NonNullable<Config["auth"]["bootstrap"]>;
  readonly log: Log;
  /** Writes to the terminal, for what a person must see and a log must not hold. */
  readonly announce: (text: string) => void;
}

const askAgainMs = second;

/** Makes the account of local use, unless it exists already. False where the database is not migrated. */
async function makeAccount({ app, account, log, announce }: BootstrapOptions): Promise<boolean> {
  if (!(await app.ready())) return false;
  try {
    await app.accounts.create({ ...account, verified: true, roles: ["admin"] }, { actor: "system" });
    log.info("bootstrap account created", { username: account.username });
  } catch (error) {
    const exists = error instanceof AppError && (error.reason === "email_taken" || error.reason === "username_taken");
    if (!exists) throw error;
  }
  announce(`bootstrap account: ${account.username} / ${account.password}`);
  return true;
}

/**
 * Local and testing only: an account to try things with. Resolves once it is there, or with the function that gives up,
 * because the database is not migrated: then it is looked at every second until it is.
 */
export async function bootstrap(options: BootstrapOptions): Promise<() => Promise<void>> {
  const { log } = options;
  if (await makeAccount(options)) return async () => undefined;
  const stop = Promise.withResolvers<void>();
  let stopped = false;

  async function wait(): Promise<void> {
    let timer: Timer | undefined;
    const rest = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, askAgainMs);
    });
    await Promise.race([rest, stop.promise]);
    clearTimeout(timer);
  }
  async function watch(): Promise<void> {
    while (!stopped) {
      await wait();
      if (stopped) return;
      try {
        if (await makeAccount(options)) return;
      } catch (error) {
        log.warn("the bootstrap account could not be made, it is tried again", { error });
      }
    }
  }
  const watching = watch();
  return async () => {
    stopped = true;
    stop.resolve();
    await watching;
  };
}
