import { readBounded } from "../../core/pace/stream.ts";

interface Question {
  readonly port: number;
  readonly path: string;
  /** Sent as a bearer token, unless it is empty. */
  readonly token?: string;
  readonly mostBytes: number;
}

const answerLimitMs = 5_000;

/** Sends a request to that port of this host. Rejects if no complete answer comes in time, or if the answer is too large. */
export async function askLoopback({ port, path, token = "", mostBytes }: Question) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    redirect: "manual",
    // A proxy from the environment would see the token.
    proxy: false,
    signal: AbortSignal.timeout(answerLimitMs),
    headers: { connection: "close", ...(token !== "" && { authorization: `Bearer ${token}` }) },
  });
  const tooLarge = (): Error => new Error("its answer is too large to be one of Gatehouse");
  const text = new TextDecoder().decode(await readBounded(response.body, { mostBytes, tooLarge }));
  return { status: response.status, text };
}

const mostMetricBytes = 4 * 1024 ** 2;

/** Returns the values of a metric of the process that listens on this port, those with a label alone if one is given. */
async function valuesOf(port: number, metric: string, label: string): Promise<readonly number[]> {
  try {
    const { text } = await askLoopback({ port, path: "/metrics", mostBytes: mostMetricBytes });
    return [...text.matchAll(new RegExp(`^${metric}(\\{[^\\n]*\\})? (\\S+)$`, "gm"))].flatMap(
      ([, labels = "", value]) => (labels.includes(label) ? [Number(value)] : []),
    );
  } catch {
    // Metrics may be switched off. Other checks report a port that does not answer.
    return [];
  }
}

/** Sums the series of a metric. Returns undefined where the process does not tell. */
export async function figureOf(port: number, metric: string, label = ""): Promise<number | undefined> {
  const values = await valuesOf(port, metric, label);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

/** Returns the largest of the series of a metric. Returns undefined where the process does not tell. */
export async function mostOf(port: number, metric: string): Promise<number | undefined> {
  const values = await valuesOf(port, metric, "");
  return values.length === 0 ? undefined : Math.max(...values);
}
