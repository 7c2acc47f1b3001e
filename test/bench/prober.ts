import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Server, Workspace } from "./workspace.ts";
import { resolve } from "node:path";

const Probed = Type.Array(
  Type.Object({ path: Type.String(), p50Ms: Type.Number(), p99Ms: Type.Number(), maxMs: Type.Number() }),
);
export type Probed = typeof Probed.static;

interface ProbeOptions {
  readonly server: Server;
  readonly paths: readonly string[];
  readonly cookie: string;
  readonly seconds: number;
}

/** Measures how long single requests take during other work. */
export async function probe(workspace: Workspace, { server, paths, cookie, seconds }: ProbeOptions): Promise<Probed> {
  const output = await workspace.complete("prober", ["bun", resolve(import.meta.dir, "prober.process.ts")], {
    BENCH_PORT: String(server.port),
    BENCH_PATHS: paths.join(" "),
    BENCH_COOKIE: cookie,
    BENCH_SECONDS: String(seconds),
  });
  return Value.Parse(Probed, JSON.parse(output));
}
