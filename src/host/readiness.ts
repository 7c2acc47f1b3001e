import { Type, type Static } from "@sinclair/typebox";
import { readFile } from "node:fs/promises";
import { jsonAs } from "../core/text/json.ts";
import type { HostApp } from "./files/index.ts";
import { HostFailure, kernelCode } from "./system/index.ts";
import { askLoopback } from "./system/loopback.ts";

const readyLimitMs = 30_000;
const pauseMs = 200;
const mostBytes = 64 * 1024;

type Check = Static<typeof Check>;
const Check = Type.Object({
  type: Type.String(),
  name: Type.String(),
  optional: Type.Optional(Type.Boolean()),
  status: Type.String(),
  error: Type.Optional(Type.String()),
});

const Answer = Type.Object({
  status: Type.String(),
  checks: Type.Optional(Type.Array(Check)),
});

/**
 * Asks the service on that port of this host whether it is ready. With the diagnostic token of the app, the answer includes why not, or
 * which optional checks fail.
 */
export async function askReadiness(port: number, token: string) {
  try {
    const { status, text } = await askLoopback({ port, path: "/-/ready", token, mostBytes });
    const answer = jsonAs(Answer, text);
    if (answer === undefined) return { ready: false, reasons: ["what answers is not Gatehouse"] };
    return { ready: status === 200, reasons: reasonsOf(answer.checks ?? []) };
  } catch (error) {
    return { ready: false, reasons: [whyUnanswered(error)] };
  }
}

/** Puts the failed checks into words, those that fail for the same reason together: a database that is away fails all that stand on it. */
function reasonsOf(checks: readonly Check[]): readonly string[] {
  const failed = checks
    .filter((check) => check.status !== "ok")
    .map(({ type, name, error = "failed" }) => ({ place: `${type} ${name}`, error }));
  const roots = failed.filter(
    ({ error }, index) =>
      !failed.some((other, at) =>
        at < index ? error.endsWith(other.error) : error !== other.error && error.endsWith(other.error),
      ),
  );
  return roots.map(
    ({ error }) =>
      `${failed
        .filter((each) => each.error.endsWith(error))
        .map(({ place }) => place)
        .join(", ")}: ${error}`,
  );
}

/** How often a port is asked that several processes share: the kernel chooses which one answers. */
const asksOfShared = 10;

/**
 * Asks each port, and one that instances share so often that each of them has very likely answered. Says whether some of them are ready
 * where others are not: what reaches those is refused.
 */
export async function askPorts(http: readonly { readonly port: number }[], token: string) {
  const ports = [...new Set(http.map(({ port }) => port))];
  return Promise.all(
    ports.map(async (port) => {
      const isShared = http.filter((each) => each.port === port).length > 1;
      const asks = Array.from({ length: isShared ? asksOfShared : 1 }, () => askReadiness(port, token));
      const answers = await Promise.all(asks);
      const worst = answers.filter(({ ready }) => !ready);
      const told = worst.length > 0 ? worst : answers;
      return {
        port,
        ready: worst.length === 0,
        isPartly: worst.length > 0 && worst.length < answers.length,
        reasons: [...new Set(told.flatMap(({ reasons }) => reasons))],
      };
    }),
  );
}

const refused: readonly (string | undefined)[] = ["ECONNREFUSED", "ConnectionRefused"];

function whyUnanswered(error: unknown): string {
  if (refused.includes(kernelCode(error))) return "nothing listens there";
  return error instanceof Error ? error.message : String(error);
}

/** Resolves when the app is ready. Throws with the reasons if that takes too long. */
export async function untilReady(app: HostApp, port: number): Promise<void> {
  const token = await readToken(app);
  const deadline = Date.now() + readyLimitMs;
  for (;;) {
    const { ready, reasons } = await askReadiness(port, token);
    if (ready) return;
    if (Date.now() > deadline)
      throw new HostFailure(
        [`${app} on port ${port} is not ready:`, ...reasons.map((reason) => `  ${reason}`)].join("\n"),
        `mend that, then run this again; journalctl -u '${app}-*' has more`,
      );
    await Bun.sleep(pauseMs);
  }
}

/** Reads the app's diagnostic token. Empty if there is none: readiness then gives no reasons. */
export async function readToken(app: HostApp, root = ""): Promise<string> {
  const read = (variable: string): Promise<string> =>
    readFile(`${root}/etc/credstore/gatehouse.${variable}`, "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  if (app === "gatehouse") return read("APP_DIAG_TOKEN");
  return (await read("ADMIN_APP_DIAG_TOKEN")) || read("APP_DIAG_TOKEN");
}
