import { count, ms, times, type Part } from "./findings.ts";
import { binary, environment, startGatehouse } from "./gatehouse.ts";
import { openConnection, post } from "./http.connection.ts";
import { latencySummary, steadily } from "./load.ts";
import type { Workspace } from "./workspace.ts";

const accounts = 100_000;
const idleSeconds = 20;
const goalSeconds = 60;
const goalRatio = 2;

/** Measures an import of many accounts into a busy service: how long it takes, and how it slows logins. */
export const importing: Part = {
  name: "import",
  limitSeconds: 300,
  async run({ workspace, population }) {
    const { path, size, credentials } = await population(1_000);
    const server = await startGatehouse(workspace, "gatehouse-import", path);
    const file = await writeAccounts(workspace);
    const connection = await openConnection(server.port);
    let turns = 0;
    const logInUntil = async (isOver: () => boolean) =>
      latencySummary(
        await steadily(isOver, async () => {
          const { status } = await connection.send(post("/api/v1/auth/login", credentials(turns++ % size)));
          if (status !== 200) throw new Error(`a login with the right password got ${status}`);
        }),
      );

    const idleUntil = performance.now() + idleSeconds * 1_000;
    const idle = await logInUntil(() => performance.now() > idleUntil);
    const startedAt = performance.now();
    let seconds: number | undefined;
    const imported = workspace
      .complete("import", [binary, "user:import", file], environment(path))
      .finally(() => (seconds = (performance.now() - startedAt) / 1_000));
    const during = await logInUntil(() => seconds !== undefined);
    const said = (await imported).trim().split("\n").at(-1);
    connection.close();
    const took = seconds ?? Number.NaN;
    const ratio = during.p99Ms / idle.p99Ms;
    return {
      measures: [
        {
          measure: `\`user:import\` of ${count(accounts)} accounts while people sign in`,
          goal: `≤ ${goalSeconds} s`,
          measured: `${took.toFixed(1)} s`,
          met: took <= goalSeconds,
        },
        {
          measure: "the same: p99 of a login, over that without an import",
          goal: `≤ ${goalRatio}×`,
          measured: times(ratio),
          met: ratio <= goalRatio,
        },
      ],
      raw: [
        `import: ${said}; logins p50 ${ms(during.p50Ms)}, p99 ${ms(during.p99Ms)}, most ${ms(during.maxMs)}; without it p50 ${ms(idle.p50Ms)}, p99 ${ms(idle.p99Ms)}, most ${ms(idle.maxMs)}`,
      ],
    };
  },
};

/** Writes one account a line, each with a bcrypt hash. */
async function writeAccounts(workspace: Workspace): Promise<string> {
  const path = workspace.path("accounts.ndjson");
  const writer = Bun.file(path).writer();
  for (let index = 0; index < accounts; index += 1) {
    const account = {
      email: `imported${index}@example.com`,
      username: `imported${index}`,
      display_name: "Grace",
      email_verified: true,
      password_hash: "$2a$10$Q1t13EvbFsx5PafRqwfxpumFGHMiGxW7/2UiENtvJMrlEOaHznbju",
    };
    await writer.write(`${JSON.stringify(account)}\n`);
  }
  await writer.end();
  return path;
}
