import { join } from "node:path";
import { eventually } from "../support/log.ts";
import type { CommandResult } from "../support/process.ts";

/** Why oidc-agent can't run here; undefined if it can. */
export const oidcAgentMissing: string | undefined =
  Bun.which("oidc-agent") === null ? "oidc-agent-cli is not installed" : undefined;

const account = "gatehouse";
const limitMs = 40_000;

export interface OidcAgent {
  /** Makes an account with the device flow. Calls `allow` with the code that is shown, and resolves once there are tokens. */
  generate(flags: readonly string[], allow: (code: string) => Promise<void>): Promise<void>;
  /** Loads the account that another agent has made in this folder. */
  load(): Promise<CommandResult>;
  /** Asks for an access token as a script does. */
  token(...flags: string[]): Promise<CommandResult>;
  stop(): Promise<void>;
}

/** Starts an oidc-agent, which keeps an account in this folder, encrypted. */
export async function startOidcAgent(folder: string): Promise<OidcAgent> {
  const socket = join(folder, `${Bun.randomUUIDv7()}.sock`);
  const password = join(folder, "password");
  await Bun.write(password, "a long walk by the sea\n");
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, OIDC_CONFIG_DIR: folder, OIDC_SOCK: socket };
  const spawn = (command: readonly string[]) =>
    Bun.spawn([...command], {
      cwd: folder,
      env,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
  async function run(...command: string[]): Promise<CommandResult> {
    const child = spawn(command);
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, stdout, stderr };
  }

  // By itself it would ask its person to sign in anew where it can't refresh, and to confirm each ID token.
  const flags = ["--console", "--no-autoreauthenticate", "--always-allow-idtoken", "--socket-path", socket];
  const agent = Bun.spawn(["oidc-agent", ...flags], {
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  async function stop(): Promise<void> {
    agent.kill("SIGTERM");
    await agent.exited;
  }
  await eventually("oidc-agent answers", async () => (await run("oidc-add", "--loaded")).code === 0).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );

  return {
    async generate(asked, allow) {
      const quiet = [
        "--flow=device",
        "--scope=openid profile offline_access",
        "--prompt=none",
        "--no-url-call",
        "--pw-file",
        password,
      ];
      const child = spawn(["oidc-gen", ...quiet, ...asked, account]);
      let [said, isAllowed] = ["", false];
      for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
        said += part;
        const [, code] = /enter the code: (\S+)\n/.exec(said) ?? [];
        if (code === undefined || isAllowed) continue;
        isAllowed = true;
        await allow(code);
      }
      const code = await child.exited;
      if (code !== 0) throw new Error(`oidc-gen ended with ${code}: ${said}`);
    },
    load: () => run("oidc-add", "--pw-file", password, account),
    token: (...more) => run("oidc-token", ...more, account),
    stop,
  };
}
