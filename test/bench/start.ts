import { median, mib, ms, percentile, type Part } from "./findings.ts";
import { migrate, startGatehouse } from "./gatehouse.ts";

const starts = 10;
const settleMs = 1_500;

/** How soon after it was started the bare command is ready, and what it takes up when it has nothing to do. */
export const start: Part = {
  name: "start",
  limitSeconds: 90,
  async run({ workspace }) {
    const path = workspace.path("empty.db");
    await migrate(workspace, path);
    const startMs: number[] = [];
    const residentBytes: number[] = [];
    for (let turn = 0; turn < starts; turn += 1) {
      const started = performance.now();
      const server = await startGatehouse(workspace, "gatehouse-start", path);
      startMs.push(performance.now() - started);
      await Bun.sleep(settleMs);
      residentBytes.push((await server.memory()).residentBytes);
      await server.stop();
    }
    const readyMs = median(startMs);
    const idleBytes = median(residentBytes);
    return {
      measures: [
        {
          measure: "start to first ready answer, empty database",
          goal: "≤ 150 ms",
          measured: ms(readyMs),
          met: readyMs <= 150,
        },
        {
          measure: "resident memory, idle",
          goal: "≤ 110 MB",
          measured: mib(idleBytes),
          met: idleBytes <= 110 * 2 ** 20,
        },
      ],
      raw: [
        `start: median of ${starts}, ${ms(percentile(startMs, 0))} to ${ms(percentile(startMs, 1))};` +
          ` resident ${mib(percentile(residentBytes, 0))} to ${mib(percentile(residentBytes, 1))}`,
      ],
    };
  },
};
