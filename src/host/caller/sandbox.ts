import { environmentOf } from "../system/programs.ts";
import type { System } from "../system/index.ts";

interface Options {
  readonly unit: string;
  /** Settings of the unit beside those of all commands. */
  readonly properties: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether standard output comes as a stream in place of going to that of this process. */
  readonly keepsOutput: boolean;
  readonly stops: Stops;
}

const triedEveryMs = 100;
const handedOn = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type Stops = ReturnType<typeof heedStops>;

/** Keeps signals from ending this process, which has things to put away, and remembers the first one. */
export function heedStops() {
  let first: string | undefined;
  let listener: ((signal: string) => void) | undefined;
  const onSignal = (signal: string): void => {
    first ??= signal;
    listener?.(signal);
  };
  for (const signal of handedOn) process.on(signal, onSignal);
  return {
    hasCome: (): boolean => first !== undefined,
    /** Calls the listener with each signal from here on, and with one that has come already. */
    tell(to: (signal: string) => void): void {
      listener = to;
      if (first !== undefined) to(first);
    },
    forget(): void {
      for (const signal of handedOn) process.off(signal, onSignal);
    },
  };
}

/** Runs a program as the app's services run, on the terminal of this process. Ctrl-C is handed on to the program, and its end waited for. */
export function runInSandbox(
  { run }: Pick<System, "run">,
  command: readonly [program: string, ...args: string[]],
  { unit, properties, env, keepsOutput, stops }: Options,
) {
  const child = Bun.spawn(
    [
      "systemd-run",
      "--quiet",
      "--collect",
      "--wait",
      "--pipe",
      "--service-type=exec",
      `--unit=${unit}`,
      ...properties.map((property) => `--property=${property}`),
      ...Object.entries(env).map(([name, value]) => `--setenv=${name}=${value}`),
      "--",
      ...command,
    ],
    {
      stdio: ["inherit", keepsOutput ? "pipe" : "inherit", "inherit"],
      env: environmentOf(process.env["PATH"]),
      // Detached from Ctrl-C at the terminal, which would end this program and not the command.
      detached: true,
    },
  );
  let hasEnded = false;
  async function tell(signal: string): Promise<void> {
    // The unit may be about to begin: one that has no process yet is a failure here, too, and would otherwise miss the signal without a word.
    while (!hasEnded) {
      const { code } = await run([
        "systemctl",
        "kill",
        "--kill-who=all-fail",
        `--signal=${signal}`,
        "--",
        `${unit}.service`,
      ]);
      if (code === 0) return;
      await Bun.sleep(triedEveryMs);
    }
  }
  stops.tell((signal) => void tell(signal).catch(() => undefined));
  const exited = child.exited.finally(() => {
    hasEnded = true;
  });
  return { exited, output: child.stdout ?? null };
}
