import { createClient } from "../support/client.ts";
import { eventually } from "../support/log.ts";
import { freePort } from "../support/proxy.ts";
import { gatedEnvironment, type GatedApp, type GatedSettings } from "./gate.conformance.ts";

interface Program {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs an app of the suite as a process, which listens on the port in PORT. */
export async function startGated(
  command: readonly string[],
  settings: GatedSettings,
  { cwd, env = {} }: Program,
): Promise<GatedApp> {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...gatedEnvironment(settings), ...env, PORT: String(port) },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  let complaints = "";
  const heard = (async () => {
    const decoder = new TextDecoder();
    for await (const part of child.stderr) complaints += decoder.decode(part, { stream: true });
  })();
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
    await heard;
  };
  const answers = (): Promise<boolean> =>
    createClient(url)
      .get("/public")
      .then(
        () => true,
        () => false,
      );
  try {
    await eventually(`${command.join(" ")} answers`, async () => {
      if (child.exitCode === null) return answers();
      await heard;
      throw new Error(`it has ended: ${complaints}`);
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, stop, complaints: () => complaints };
}
