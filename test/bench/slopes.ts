import { cpus, loadavg } from "node:os";
import { statSync } from "node:fs";
import { postgresMissing } from "../support/postgres.ts";
import { count, micros, mib, ms, type Findings, type Part } from "./findings.ts";
import { binary, environment } from "./gatehouse.ts";
import { openPostgres, openSqlite, type Ground } from "./ground.ts";
import { startLoads, type Cost } from "./ground.loads.ts";
import { fillGround, tables } from "./ground.rows.ts";
import type { Workspace } from "./workspace.ts";

const sizes = (Bun.env["GATEHOUSE_SIZES"] ?? "100000,1000000").split(",").map(Number);
/** One caller, so that a figure is how long an answer takes. */
const size = { callers: 1, seconds: 3 } as const;
const takers = 10_000;
const knownAccounts = 100;
/** How many sessions there are for each that is made to have expired, so that the cleanup has something to do. */
const expiredShare = 10;

interface Sloped {
  readonly ground: Pick<Ground, "name" | "kept">;
  readonly people: number;
  readonly rows: Readonly<Record<(typeof tables)[number], { readonly bytes: number; readonly levels: number }>>;
  readonly costs: Readonly<Record<"login" | "refresh" | "check", Cost>>;
  /** Seconds that each took. */
  readonly took: Readonly<Record<string, number>>;
  readonly backupBytes: number;
}

/** Measures what grows with the people that a database holds, and what does not. GATEHOUSE_SIZES has how many, as in 100000,1000000,5000000. */
export const slopes: Part = {
  name: "slopes",
  limitSeconds: 7_200,
  onlyByName: true,
  async run({ workspace }) {
    const found: Sloped[] = [];
    for (const people of sizes) {
      found.push(await measured(workspace, await openSqlite(workspace, `slopes-${people}.db`), people));
      if (postgresMissing !== undefined) continue;
      const settings = { max_wal_size: "8GB", maintenance_work_mem: "512MB" };
      found.push(await measured(workspace, await openPostgres(workspace, settings), people));
    }
    return report(found);
  },
};

async function measured(workspace: Workspace, ground: Ground, people: number): Promise<Sloped> {
  try {
    const took: Record<string, number> = {};
    const timed = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
      const started = performance.now();
      const result = await work();
      took[what] = (performance.now() - started) / 1_000;
      return result;
    };
    const crowd = await timed("filling", () => fillGround(workspace, ground, people));
    const nothing = { bytes: 0, levels: 0 };
    const rows = { users: nothing, auth_sessions: nothing, audit_events: nothing };
    for (const table of tables) rows[table] = await ground.size(table);
    const loads = await startLoads(workspace, ground, crowd, Math.min(people, takers));
    await loads.visits(size.callers);
    const check = await loads.checks(size);
    const refresh = await loads.refreshes(size);
    const login = await loads.logins(size, knownAccounts);
    await loads.stop();
    const backupBytes = await backUp(workspace, ground, timed);
    await timed("an index of the sessions", () => ground.index("auth_sessions", "user_id, expires_at"));
    await ground.run(
      `update auth_sessions set expires_at = 1 where created_at % ${expiredShare} = 0 returning 1 as expired`,
    );
    await timed("`auth:cleanup`", () =>
      workspace.complete("cleanup", [binary, "auth:cleanup", "--force"], {
        ...environment(ground.path),
        ...ground.env,
      }),
    );
    return { ground, people, rows, costs: { login, refresh, check }, took, backupBytes };
  } finally {
    await workspace.stopAll();
    await ground.stop();
  }
}

/** Makes a backup by the tools that the manual names, and reads it where there is one that does. Resolves to its size. */
async function backUp(
  workspace: Workspace,
  { name, path, env }: Ground,
  timed: <Result>(what: string, work: () => Promise<Result>) => Promise<Result>,
): Promise<number> {
  const file = workspace.path("backup");
  if (name === "SQLite") {
    const settings = environment(path);
    const create = [binary, "backup:create", "--output", file, "--force"];
    await timed("the backup", () => workspace.complete("backup", create, settings));
    await timed("`backup:verify`", () =>
      workspace.complete("verify", [binary, "backup:verify", "--input", file], settings),
    );
  } else {
    const dump = ["pg_dump", "--format=custom", `--file=${file}`, env["DB_URL"] ?? ""];
    await timed("the backup", () => workspace.complete("dump", dump));
  }
  return statSync(file).size;
}

function report(found: readonly Sloped[]): Findings {
  const line = (what: string, figure: (of: Sloped) => string): string =>
    `| ${what} | ${found.map(figure).join(" | ")} |`;
  const sum = ({ rows }: Sloped): number => tables.reduce((bytes, table) => bytes + rows[table].bytes, 0);
  const seconds = (value: number | undefined): string => (value === undefined ? "–" : `${value.toFixed(1)} s`);
  return {
    measures: [],
    page: [
      `| | ${found.map(({ ground, people }) => `${ground.name}, ${count(people)}`).join(" | ")} |`,
      `|---|${found.map(() => "---|").join("")}`,
      line("the three tables with their indexes", (of) => mib(sum(of))),
      line("bytes of a user, a session, a row of the audit log", ({ rows, people }) =>
        tables.map((table) => count(rows[table].bytes / people)).join(", "),
      ),
      line("levels of their deepest indexes", ({ rows }) => tables.map((table) => rows[table].levels).join(", ")),
      ...(["login", "refresh", "check"] as const).map((kind) =>
        line(`a ${kind}, one caller: median; processor time`, ({ costs }) =>
          [ms(costs[kind].p50Ms), micros(costs[kind].serviceMicros + costs[kind].databaseMicros)].join("; "),
        ),
      ),
      ...[...new Set(found.flatMap(({ took }) => Object.keys(took)))].map((what) =>
        line(what, ({ took }) => seconds(took[what])),
      ),
      line("the size of the backup", ({ backupBytes }) => mib(backupBytes)),
      "",
      `${[...new Set(found.map(({ ground }) => ground.kept))].join("; ")}; ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end; one session in ${expiredShare} expired for the cleanup.`,
    ],
    raw: postgresMissing === undefined ? [] : [`PostgreSQL is left out: ${postgresMissing}`],
  };
}
