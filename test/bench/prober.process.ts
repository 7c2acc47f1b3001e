import { get, openConnection } from "./http.connection.ts";
import { latencySummary, steadily } from "./load.ts";

// A polite client in a process of its own, so that the generator of the load does not stand in its light: asks each
// path every few milliseconds for so many seconds and prints, by path, how long the answers took.
const port = Number(Bun.env["BENCH_PORT"]);
const until = performance.now() + Number(Bun.env["BENCH_SECONDS"]) * 1_000;
const cookie = Bun.env["BENCH_COOKIE"] ?? "";
const paths = (Bun.env["BENCH_PATHS"] ?? "").split(" ");

const results = await Promise.all(
  paths.map(async (path) => {
    const connection = await openConnection(port);
    const request = get(path, cookie);
    const latencies = await steadily(
      () => performance.now() >= until,
      async () => {
        const { status } = await connection.send(request);
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      },
    );
    connection.close();
    return { path, ...latencySummary(latencies) };
  }),
);
console.log(JSON.stringify(results));
