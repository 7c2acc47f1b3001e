import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, calm, createPeople, mailedToken, mailTo, refreshes } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { type Pgbouncer, pgbouncerMissing, type PgbouncerOptions, startPgbouncer } from "../../support/pgbouncer.ts";
import { type Postgres, startPostgres } from "../../support/postgres.ts";
import { runGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { startMailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const limitMs = 120_000;
const folder = folderOfEachTest();
const advice = "a pooler stands before it: add pooler=true to DB_URL, after the ?";
endTargetsAfterEach();

describe.skipIf(pgbouncerMissing !== undefined)(`behind PgBouncer as it comes (${pgbouncerMissing ?? "real"})`, () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres({ auth: "scram-sha-256" });
  }, 60_000);
  afterAll(() => server?.stop());

  const settings = (url: string) => ({
    ...testEnvironment(folder()),
    ...calm,
    DB_DRIVER: "postgres",
    DB_DATABASE: "",
    DB_URL: url,
    DB_POOL: "5",
  });

  async function inFrontOf(mode: PgbouncerOptions["mode"], work: (pooler: Pgbouncer, direct: string) => Promise<void>) {
    const pooler = await startPgbouncer({ server, mode });
    try {
      await work(pooler, (await server.createDatabase()).url);
    } finally {
      await pooler.stop();
    }
  }

  for (const mode of ["transaction", "session"] as const) {
    test(
      `D-17 in ${mode} mode all is served: migrations, accounts, sessions, mails and schedules, by three processes`,
      () =>
        inFrontOf(mode, async (pooler, direct) => {
          const mailbox = await startMailbox();
          const env = { ...settings(`${pooler.through(direct)}?pooler=true`), ...mailTo(mailbox) };
          const api = await startTarget({ env, roles: ["http"], ownProcess: true });
          const others = await Promise.all(
            (["worker", "scheduler"] as const).map((role) =>
              startTarget({ env, roles: [role], ownProcess: true, migrate: false }),
            ),
          );
          const people = createPeople(api.url);
          const all = await Promise.all(Array.from({ length: 12 }, (_, n) => people.register(`ada${n}`)));
          const browsers = await Promise.all(all.map((person) => person.login()));
          for (let round = 0; round < 3; round += 1)
            expect(await Promise.all(browsers.map(refreshes))).toEqual(all.map(() => true));
          const [ada] = all;
          await createClient(api.url).post(auth("password-reset/request"), { login: ada?.email });
          expect(await mailedToken(mailbox, ada?.email ?? "", /password/i)).toMatch(/./);

          using rows = openRows(direct);
          await eventually("the schedules", () => rows.count("schedules where name = 'figures:collect'") > 0, 60_000);
          rows.run(
            "update schedules set requested_at = ?, requested_by = 'ada' where name = 'figures:collect'",
            Date.now(),
          );
          await eventually(
            "the schedule to have run",
            () => rows.count("schedule_history where name = 'figures:collect' and ok = 1") > 0,
            60_000,
          );
          const ready = await createClient(api.url).get("/-/ready");
          expect(ready.status).toBe(200);
          for (const target of [api, ...others]) {
            expect(target.logs()).not.toMatch(/"level":"(?:warn|error)"/);
            expect(await target.stop()).toBe(0);
          }
          await mailbox.stop();
        }),
      limitMs,
    );
  }

  test(
    "D-04 without pooler=true no command and no process starts, and each says what to change",
    () =>
      inFrontOf("transaction", async (pooler, direct) => {
        const env = settings(pooler.through(direct));
        for (const command of ["migrate", "user:list", "run", "api", "worker", "scheduler"]) {
          const { code, stdout, stderr } = await runGatehouse([command], { cwd: folder(), env });
          expect({ command, code }).toEqual({ command, code: 1 });
          expect(`${stdout}${stderr}`).toContain(advice);
        }
      }),
    limitMs,
  );
});
