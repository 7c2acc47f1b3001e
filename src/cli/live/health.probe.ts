import { Type } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import { call, explain, type Call } from "./call.ts";

const Check = Type.Object({
  type: Type.String(),
  name: Type.String(),
  driver: Type.String(),
  status: Type.String(),
  error: Type.Optional(Type.String()),
});
const Answer = Type.Object({
  status: Type.String(),
  app: Type.Optional(Type.String()),
  checks: Type.Optional(Type.Array(Check)),
});

export interface ProbeReport {
  readonly url: string;
  readonly ok: boolean;
  /** The HTTP status, or null when no answer came. */
  readonly status: number | null;
  /** The app's answer, `ok`, `ready` or `not_ready`; empty for any other answer. */
  readonly text: string;
  readonly checks: readonly (typeof Check.static)[];
  readonly durationMs: number;
  readonly error?: string;
}

/** Asks a probe once. A failure is part of the report. */
export async function ask({ url, token, timeoutMs }: Call): Promise<ProbeReport> {
  const started = performance.now();
  const report = (fields: Partial<ProbeReport>): ProbeReport => ({
    url: url.href,
    ok: false,
    status: null,
    text: "",
    checks: [],
    ...fields,
    durationMs: Math.round(performance.now() - started),
  });
  try {
    const { ok, status, text } = await call({ url, token, timeoutMs });
    const answer = jsonAs(Answer, text);
    const said = { status, text: answer?.status ?? "", checks: answer?.checks ?? [] };
    if (ok && answer === undefined) return report({ ...said, error: "the answer is not a probe's" });
    return report({ ...said, ok });
  } catch (error) {
    return report({ error: explain(error, timeoutMs) });
  }
}
