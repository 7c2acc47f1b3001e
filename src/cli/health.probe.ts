import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const largestAnswer = 64 * 1024;

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
  /** The HTTP status; null when no answer came. */
  readonly status: number | null;
  /** `ok`, `ready` or `not_ready` as the app says it; empty when it doesn't. */
  readonly text: string;
  readonly checks: readonly (typeof Check.static)[];
  readonly durationMs: number;
  readonly error?: string;
}

interface ProbeRequest {
  readonly url: URL;
  /** Sent as bearer token unless empty. */
  readonly token: string;
  readonly timeoutMs: number;
}

/** One request, one deadline for all of it. A redirect is an answer, not followed: the token goes to the named host only. */
export async function ask({ url, token, timeoutMs }: ProbeRequest): Promise<ProbeReport> {
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
    const response = await fetch(url, {
      redirect: "manual",
      // A proxy of the environment would get the token.
      proxy: false,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        accept: "application/json",
        connection: "close",
        ...(token !== "" && { authorization: `Bearer ${token}` }),
      },
    });
    const answer = parseAnswer(await readBounded(response));
    const said = { status: response.status, text: answer?.status ?? "", checks: answer?.checks ?? [] };
    if (response.ok && answer === undefined) return report({ ...said, error: "the answer is not a probe's" });
    return report({ ...said, ok: response.ok });
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    return report({
      error: timedOut ? `no answer within ${timeoutMs} ms` : error instanceof Error ? error.message : String(error),
    });
  }
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > largestAnswer) throw new Error(`the answer is larger than ${largestAnswer} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parseAnswer(text: string): typeof Answer.static | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Answer, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
