import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Somebody with an account at a provider, whatever the provider is. */
export interface Person {
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly password: string;
}

/** A running provider that is not ours, with a client for each callback. */
export interface OpenIdServer {
  readonly issuer: string;
  readonly people: readonly Person[];
  /** Whether it can keep the address out of the ID tokens of a client. */
  readonly hasLeanClients: boolean;
  stop(): Promise<void>;
}

export interface OpenIdClient {
  readonly id: string;
  readonly secret: string;
  readonly callback: string;
  /** Its ID tokens have no address: the userinfo endpoint alone tells it. */
  readonly isLean?: boolean;
}

export const startWithinMs = 900_000;

/** Runs a program until it answers at `url`. Its folder goes with it. */
export async function serve(
  commandIn: (folder: string) => Promise<readonly string[]>,
  url: string,
): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-openid-"));
  const log = Bun.file(join(folder, "log"));
  const command = [...(await commandIn(folder))];
  // A group of its own: a script that starts the program takes no signal on to it.
  const child = Bun.spawn(command, { cwd: folder, stdin: "ignore", stdout: log, stderr: log, detached: true });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null) process.kill(-child.pid);
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = performance.now() + startWithinMs;
  for (;;) {
    const answered = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answered) return stop;
    if (child.exitCode !== null || performance.now() > deadline) {
      const told = await log.text();
      await stop();
      throw new Error(`the provider did not start: ${told.slice(-2_000)}`);
    }
    await Bun.sleep(100);
  }
}
