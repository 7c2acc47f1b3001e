import { cpus, loadavg } from "node:os";
import { claims } from "./claims.ts";
import { cleanup } from "./cleanup.ts";
import { counting } from "./counting.ts";
import { crowds } from "./crowds.ts";
import { binary } from "./gatehouse.ts";
import type { Bench, Findings, Part } from "./findings.ts";
import { flood } from "./flood.ts";
import { growth } from "./growth.ts";
import { importing } from "./importing.ts";
import { inspects } from "./inspects.ts";
import { hello } from "./hello.ts";
import { introspection } from "./introspection.ts";
import { logins } from "./logins.ts";
import { createPopulation, type Population } from "./population.ts";
import { organizations } from "./organizations.ts";
import { people } from "./people.ts";
import { postgres } from "./postgres.ts";
import { queues } from "./queues.ts";
import { rotation } from "./rotation.ts";
import { sizing } from "./sizing.ts";
import { slopes } from "./slopes.ts";
import { start } from "./start.ts";
import { supabase } from "./supabase.ts";
import { tokens } from "./tokens.ts";
import { verify } from "./verify.ts";
import { createWorkspace } from "./workspace.ts";
import { writers } from "./writers.ts";

// bun run bench [part…]: measures the compiled binary and prints a table. `cleanup` comes last, since it uses up its population.
const parts: readonly Part[] = [
  start,
  logins,
  hello,
  verify,
  claims,
  introspection,
  inspects,
  rotation,
  tokens,
  writers,
  postgres,
  supabase,
  flood,
  crowds,
  growth,
  sizing,
  slopes,
  importing,
  people,
  organizations,
  counting,
  queues,
  cleanup,
];

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    console.error(`no such part: ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}`);
    return 2;
  }
  if (!(await Bun.file(binary).exists())) {
    console.error("dist/gatehouse is missing: run bun run build");
    return 2;
  }
  const workspace = createWorkspace();
  process.on("exit", workspace.remove);
  process.on("SIGINT", () => process.exit(130));
  process.on("SIGTERM", () => process.exit(143));

  const populations = new Map<number, Promise<Population>>();
  const bench: Bench = {
    workspace,
    population(size) {
      const made = populations.get(size) ?? createPopulation(workspace, size);
      populations.set(size, made);
      return made;
    },
  };
  const loads: string[] = [];
  const findings: Findings[] = [];
  for (const part of parts) {
    if (names.length > 0 ? !names.includes(part.name) : part.onlyByName === true) continue;
    loads.push(`${part.name} ${(loadavg()[0] ?? 0).toFixed(2)}`);
    findings.push(await measured(part, bench));
    await workspace.stopAll();
  }
  console.log(report(findings, loads));
  return findings.every(({ measures }) => measures.every(({ met }) => met !== undefined)) ? 0 : 1;
}

/** Runs a part. A part that fails or takes too long loses only its own lines. */
async function measured(part: Part, bench: Bench): Promise<Findings> {
  let timer: Timer | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${part.limitSeconds} s`)), part.limitSeconds * 1_000);
  });
  try {
    return await Promise.race([part.run(bench), tooLong]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { measures: [{ measure: part.name, goal: "", measured: "not measured" }], raw: [`${part.name}: ${reason}`] };
  } finally {
    clearTimeout(timer);
  }
}

function report(findings: readonly Findings[], loads: readonly string[]): string {
  const all = cpus();
  const rows = findings.flatMap(({ measures }) =>
    measures.map(
      ({ measure, goal, measured, met }) => `| ${measure} | ${goal} | ${measured}${met === false ? " (missed)" : ""} |`,
    ),
  );
  return [
    ...(rows.length === 0 ? [] : ["| measure | goal | measured |", "|---|---|---|", ...rows, ""]),
    ...findings.flatMap(({ page = [] }) => (page.length === 0 ? [] : [...page, ""])),
    ...findings.flatMap(({ raw }) => raw.map((line) => `- ${line}`)),
    `- machine: ${all.length} × ${all[0]?.model.trim() ?? "unknown"}, Bun ${Bun.version}, load average before each part: ${loads.join(", ")}`,
  ].join("\n");
}

process.exit(await main(process.argv.slice(2)));
