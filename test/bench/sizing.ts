import { cpus, loadavg } from "node:os";
import { second } from "../../src/core/clock.ts";
import { postgresMissing } from "../support/postgres.ts";
import { count, micros, mib, type Findings, type Part } from "./findings.ts";
import { openPostgres, openSqlite, type Ground } from "./ground.ts";
import { startLoads, type Cost } from "./ground.loads.ts";
import { fillGround, tables } from "./ground.rows.ts";
import { argon2Parameters } from "./population.ts";
import { onPaper } from "./sizing.paper.ts";
import type { Workspace } from "./workspace.ts";

const people = Number(Bun.env["GATEHOUSE_PEOPLE"] ?? 100_000);
/** How many there may be one day, for whom it is reckoned. */
const peopleOnPaper = Number(Bun.env["GATEHOUSE_PEOPLE_ON_PAPER"] ?? 50_000_000);
const callers = { login: 8, other: 32 } as const;
const seconds = { login: 6, other: 4 } as const;
/** Accounts that sign in again and again, each from a browser that it knows. */
const knownAccounts = 400;
const mails = 1_000;
/** A visit is kept again once the last one is a minute old. */
const visitMs = 61 * second;

interface Sized {
  readonly ground: Pick<Ground, "name" | "kept">;
  readonly costs: Readonly<Record<"login" | "refresh" | "check" | "visit" | "mail", Cost>>;
  readonly bytes: Readonly<Record<(typeof tables)[number], number>>;
  readonly memory: { readonly idle: number; readonly after: number; readonly database: number };
}

/** Measures what a machine has to have: what each kind of request takes of a core, and each row of the disk, on both databases. */
export const sizing: Part = {
  name: "sizing",
  limitSeconds: 900,
  async run({ workspace }) {
    const sized = [await measured(workspace, await openSqlite(workspace, "sizing.db"))];
    if (postgresMissing === undefined) sized.push(await measured(workspace, await openPostgres(workspace)));
    return report(sized);
  },
};

async function measured(workspace: Workspace, ground: Ground): Promise<Sized> {
  try {
    const crowd = await fillGround(workspace, ground, people);
    const bytes = { users: 0, auth_sessions: 0, audit_events: 0 };
    for (const table of tables) bytes[table] = (await ground.size(table)).bytes / people;
    const loads = await startLoads(workspace, ground, crowd, Math.min(people, 10_000));
    const memory = async (): Promise<number> => (await loads.server.memory()).ownBytes;
    const idle = await memory();
    const other = { callers: callers.other, seconds: seconds.other };
    await loads.visits(callers.other);
    const check = await loads.checks(other);
    const refresh = await loads.refreshes(other);
    const keptAt = performance.now();
    const login = await loads.logins({ callers: callers.login, seconds: seconds.login }, knownAccounts);
    await loads.mailsSent(callers.login, 0, mails / 2);
    const mail = await loads.mailsSent(callers.login, mails / 2, mails);
    const after = await memory();
    // The first time has touched each page since a checkpoint and verified each token.
    await Bun.sleep(Math.max(0, keptAt + visitMs - performance.now()));
    const visit = await loads.visits(callers.other);
    const database = await ground.memoryBytes();
    await loads.stop();
    return { ground, costs: { login, refresh, check, visit, mail }, bytes, memory: { idle, after, database } };
  } finally {
    await workspace.stopAll();
    await ground.stop();
  }
}

const requests = [
  ["login", "sign-ins with a password, from known browsers"],
  ["refresh", "refreshes, each a new secret on the disk"],
  ["check", "checks of who is calling (`/verify`)"],
  ["visit", "the first check of a session in a minute, which keeps the time of the visit"],
  ["mail", "mails, from the request to the mail server"],
] as const;

const rows = [
  ["users", "a user"],
  ["auth_sessions", "a session"],
  ["audit_events", "a row of the audit log"],
] as const;

const shown = (costs: Sized["costs"], figure: (cost: Cost) => string): string =>
  [costs.login, costs.refresh, costs.visit].map(figure).join("; ");

function report(sized: readonly Sized[]): Findings {
  const line = (what: string, figure: (of: Sized) => string): string =>
    `| ${what} | ${sized.map(figure).join(" | ")} |`;
  const aCore = ({ serviceMicros, databaseMicros }: Cost): string => {
    const parts = [serviceMicros, databaseMicros].filter((each) => each > 0).map(micros);
    return `${count(1_000_000 / (serviceMicros + databaseMicros))} (${parts.join(" + ")})`;
  };
  const { memoryCost, timeCost, parallelism } = argon2Parameters;
  return {
    measures: [],
    page: [
      `| | ${sized.map(({ ground }) => ground.name).join(" | ")} |`,
      `|---|${sized.map(() => "---|").join("")}`,
      ...requests.map(([kind, words]) => line(`**a second a core**: ${words}`, ({ costs }) => aCore(costs[kind]))),
      ...rows.map(([table, words]) =>
        line(`**bytes on disk**, indexes included: ${words}`, ({ bytes }) => count(bytes[table])),
      ),
      line("**bytes written** for a sign-in, a refresh, a visit", ({ costs }) =>
        shown(costs, (cost) => count(cost.writtenBytes)),
      ),
      line("**transaction ids** for a sign-in, a refresh, a visit", ({ ground, costs }) =>
        ground.name === "SQLite" ? "–" : shown(costs, (cost) => cost.transactions.toFixed(2)),
      ),
      line("**memory** of the service, idle and after all of it", ({ memory }) =>
        [memory.idle, memory.after].map(mib).join(", "),
      ),
      line("**memory** of the database", ({ memory }) =>
        memory.database === 0 ? "in the service" : mib(memory.database),
      ),
      "",
      `Measured with ${count(people)} people, as many sessions and rows of the audit log; Argon2id of ${memoryCost / 1_024} MiB, ${timeCost} passes, ${parallelism} thread; ${sized.map(({ ground }) => ground.kept).join("; ")}; ${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, load average ${(loadavg()[0] ?? 0).toFixed(1)} at the end.`,
      ...sized.slice(-1).flatMap(({ costs, bytes }) => ["", ...onPaper(peopleOnPaper, costs, bytes)]),
    ],
    raw: [
      ...sized.flatMap(({ ground, costs }) =>
        requests.map(
          ([kind]) =>
            `${ground.name}, ${kind}: ${count(costs[kind].perSecond)}/s by the clock beside the load generator, ${micros(costs[kind].serviceMicros)} of the service, ${micros(costs[kind].databaseMicros)} of the database, ${count(costs[kind].writtenBytes)} bytes written`,
        ),
      ),
      ...(postgresMissing === undefined ? [] : [`PostgreSQL is left out: ${postgresMissing}`]),
    ],
  };
}
