import { get, openConnection } from "./http.connection.ts";
import { latencySummary, steadily } from "./load.ts";

// A polite client in its own process, so that the load generator does not slow it. It asks for each path every few milliseconds for a
// number of seconds, and prints by path how long the answers took.
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
