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
  /** Resolves when everybody is registered and the steady part begins. */
  begun(): Promise<void>;
  /** Ends the traffic. Resolves to the outcome of every request. */
  stop(): Promise<Static<typeof Report>>;
  kill(): void;
}

const usualBrowsers = 40;
const checkLimitMs = 60_000;
/** Requests a second. Set fewer on a machine that others use too. */
export const rate = Number(process.env["GATEHOUSE_RELEASE_RATE"] ?? 1_250);

interface TrafficOptions {
  /** The machine whose network the traffic uses. Default: this one's. */
  readonly machine?: Pick<Machine, "onNetwork">;
  readonly host?: string;
  readonly perSecond?: number;
  readonly browsers?: number;
}

/** Starts the browsers in a process of their own. */
export function startTraffic(
  port: number,
  { machine, host = "127.0.0.1", perSecond = rate, browsers = usualBrowsers }: TrafficOptions = {},
): Traffic {
  const script = join(import.meta.dir, "traffic.process.ts");
  const command = [process.execPath, script, host, String(port), String(perSecond), String(browsers)];
  const child = Bun.spawn(machine?.onNetwork(command) ?? command, {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const next = async (): Promise<string> => {
    const limit = setTimeout(() => child.kill("SIGKILL"), checkLimitMs);
    const { value } = await lines.next();
    clearTimeout(limit);
    if (value === undefined) throw new Error("the traffic ended by itself");
    return value;
  };
  return {
    async begun() {
      await next();
    },
    async stop() {
      await child.stdin.end();
      const report: unknown = JSON.parse(await next());
      if (!Value.Check(Report, report)) throw new Error("no report");
      return report;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const complete = text.split("\n");
    text = complete.pop() ?? "";
    yield* complete;
  }
  return undefined;
}
