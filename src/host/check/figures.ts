import { askLoopback } from "../system/loopback.ts";

const mostBytes = 4 * 1024 ** 2;

/** The sum over the series of a metric of the process that listens on this port; undefined where it has none to tell. */
export async function figureOf(port: number, metric: string): Promise<number | undefined> {
  try {
    const { text } = await askLoopback({ port, path: "/metrics", mostBytes });
    const values = [...text.matchAll(new RegExp(`^${metric}(?:\\{[^\\n]*\\})? (\\S+)$`, "gm"))].map(([, value]) =>
      Number(value),
    );
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  } catch {
    // Metrics may be switched off, and a port that does not answer is told by other checks.
    return undefined;
  }
}
