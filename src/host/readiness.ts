import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFile } from "node:fs/promises";
import { readBounded } from "../core/pace/stream.ts";
import type { HostApp } from "./files/index.ts";
import { HostFailure, kernelCode } from "./system/index.ts";

const answerLimitMs = 5_000;
const readyLimitMs = 30_000;
const pauseMs = 200;
const mostBytes = 64 * 1024;

const Answer = Type.Object({
  status: Type.String(),
  checks: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.String(),
        name: Type.String(),
        optional: Type.Optional(Type.Boolean()),
        status: Type.String(),
        error: Type.Optional(Type.String()),
      }),
    ),
  ),
});

export interface Readiness {
  readonly ready: boolean;
  /** Why not, and what of the rest fails. */
  readonly reasons: readonly string[];
}

/** Whether what listens on that port of this host is ready. With the diagnostic token of the app it says why not. */
export async function askReadiness(port: number, token: string): Promise<Readiness> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/-/ready`, {
      redirect: "manual",
      // A proxy that the environment names would see the token.
      proxy: false,
      signal: AbortSignal.timeout(answerLimitMs),
      headers: { connection: "close", ...(token !== "" && { authorization: `Bearer ${token}` }) },
    });
    const tooLarge = (): Error => new Error("its answer is too large to be one of Gatehouse");
    const answer: unknown = JSON.parse(
      new TextDecoder().decode(await readBounded(response.body, { mostBytes, tooLarge })),
    );
    if (!Value.Check(Answer, answer)) return { ready: false, reasons: ["what answers is not Gatehouse"] };
    const failed = (answer.checks ?? []).filter(({ status }) => status !== "ok");
    const reasons = failed.map(({ type, name, error }) => `${type} ${name}: ${error ?? "failed"}`);
    return { ready: response.status === 200, reasons };
  } catch (error) {
    return { ready: false, reasons: [whyUnanswered(error)] };
  }
}

const refused: readonly (string | undefined)[] = ["ECONNREFUSED", "ConnectionRefused"];

function whyUnanswered(error: unknown): string {
  if (error instanceof SyntaxError) return "what answers is not Gatehouse";
  if (refused.includes(kernelCode(error))) return "nothing listens there";
  return error instanceof Error ? error.message : String(error);
}

/** Resolves when it is ready, and throws with the reasons where that takes too long. */
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

/** Empty where there is none: readiness then gives no reasons. */
export async function readToken(app: HostApp, root = ""): Promise<string> {
  const read = (variable: string): Promise<string> =>
    readFile(`${root}/etc/credstore/gatehouse.${variable}`, "utf8").then(
      (text) => text.trim(),
      () => "",
    );
  if (app === "gatehouse") return read("APP_DIAG_TOKEN");
  return (await read("ADMIN_APP_DIAG_TOKEN")) || read("APP_DIAG_TOKEN");
}
