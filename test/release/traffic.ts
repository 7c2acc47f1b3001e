import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { join } from "node:path";
import type { Machine } from "./machine.ts";

const Report = Type.Object({
  perSecond: Type.Number(),
  seconds: Type.Number(),
  sent: Type.Record(Type.String(), Type.Number()),
  failed: Type.Number(),
  failures: Type.Record(Type.String(), Type.Number()),
  slowestMs: Type.Number(),
  registered: Type.Number(),
});

export interface Traffic {
  /** Ends it, and resolves to what became of every request. */
  stop(): Promise<Static<typeof Report>>;
  kill(): void;
}

const browsers = 40;
const checkLimitMs = 60_000;
/** Requests a second: less on a machine that others use too. */
export const rate = Number(process.env["GATEHOUSE_RELEASE_RATE"] ?? 1_250);

/** Starts the browsers in a process of their own on the machine's network. */
export function startTraffic(machine: Machine, port: number): Traffic {
  const command = [process.execPath, join(import.meta.dir, "traffic.process.ts")];
  const child = Bun.spawn(machine.onNetwork([...command, "127.0.0.1", String(port), String(rate), String(browsers)]), {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  return {
    async stop() {
      await child.stdin.end();
      const limit = setTimeout(() => child.kill("SIGKILL"), checkLimitMs);
      const output = await child.stdout.text();
      clearTimeout(limit);
      const report: unknown = JSON.parse(output);
      if (!Value.Check(Report, report)) throw new Error(`no report: ${output}`);
      return report;
    },
    kill: () => child.kill("SIGKILL"),
  };
}
