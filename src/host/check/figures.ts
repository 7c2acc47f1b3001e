import { askLoopback } from "../system/loopback.ts";

const mostBytes = 4 * 1024 ** 2;

/** Sums the series of a metric of the process that listens on this port. Returns undefined where the process does not tell. */
export async function figureOf(port: number, metric: string): Promise<number | undefined> {
  try {
    const { text } = await askLoopback({ port, path: "/metrics", mostBytes });
    const values = [...text.matchAll(new RegExp(`^${metric}(?:\\{[^\\n]*\\})? (\\S+)$`, "gm"))].map(([, value]) =>
      Number(value),
    );
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  } catch {
    // Metrics may be switched off. Other checks report a port that does not answer.
    return undefined;
  }
}
