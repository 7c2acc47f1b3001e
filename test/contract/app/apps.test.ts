import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrations } from "../../../migrations/index.ts";
import { createApp } from "../../../src/app/index.ts";
import { build } from "../../../src/cli/build.info.ts";
import { loadConfig } from "../../../src/config/index.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createMigrator } from "../../../src/drivers/database/migrate.ts";
import { createSqliteDatabase } from "../../../src/drivers/database/sqlite/sqlite.ts";
import { createLog } from "../../../src/observe/log.ts";
import { auth, browserWith, calm, createPeople, mailTo, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { openRows } from "../../support/rows.ts";
import { definitions } from "../../support/definitions.ts";
import { testEnvironment } from "../../support/environment.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

// Both apps use one database and the settings of systemd/gatehouse.env.example, with a public address each.
endTargetsAfterEach();

let folder: string;
let mailbox: Mailbox;
let env: Record<string, string>;
const closers: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-apps-"));
  mailbox = await startMailbox();
  env = {
    ...calm,
    ...mailTo(mailbox),
    APP_URL: "https://auth.example.test",
    ADMIN_APP_URL: "https://admin.example.test",
    DB_DATABASE: join(folder, "data", "app.db"),
  };
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
  await mailbox.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (app: "app" | "admin", roles: readonly ("http" | "worker" | "scheduler")[], migrate: boolean) =>
  startTarget({ app, env, roles, migrate });

/** Starts `admin` in this process, with routes by which a browser can sign in to it. */
async function startAdminWithRoutes(): Promise<{ readonly url: string }> {
  const definition = { ...definitions.admin, modules: [...definitions.admin.modules, "auth-api", "hello"] } as const;
  const loaded = loadConfig({ app: definition, env: { ...testEnvironment(folder), ...env } });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "info", clock: systemClock, secrets: [], write: () => undefined });
  const app = await createApp({ definition, config: loaded.config, build, log });
  closers.push(() => app.close());
  const { url } = await app.http.start();
  closers.push(() => app.http.stop(1_000));
  return { url: url.origin };
}

/** One mail proves the address, the other resets the password. */
async function expectBothMails(to: string): Promise<void> {
  const texts = [await mailbox.next(to, 60_000), await mailbox.next(to, 60_000)].map(({ text }) => text).join("\n");
  for (const page of ["verify-email", "reset-password"])
    expect(texts).toContain(`https://auth.example.test/${page}?token=`);
  expect(texts).not.toContain("https://admin.");
}

test("X-46 a mail that app owes is sent by its own worker, with its own address", async () => {
  const api = await start("app", ["http"], true);
  const people = createPeople(api.url);
  const ada = await people.register("ada");
  const admin = await start("admin", ["http", "worker", "scheduler"], false);
  await createClient(api.url).post(auth("password-reset/request"), { login: ada.email });
  const rows = openRows(api.databasePath);
  // The other app's worker looks for jobs several times meanwhile.
  await Bun.sleep(2_500);
  expect(rows.count("jobs where app = 'app' and attempts = 0")).toBe(2);
  expect(mailbox.all()).toEqual([]);
  const worker = await start("app", ["worker"], false);
  await expectBothMails(ada.email);
  rows.close();
  for (const target of [worker, admin, api]) await target.stop();
});

test("X-46 schedules run in the app that owns the data alone", async () => {
  const target = await start("admin", ["http"], true);
  const config = loadConfig({
    app: definitions.admin,
    env: { ...testEnvironment(folder), ...env, BACKUP_DISK: "default" },
  });
  if (!config.ok) throw new Error(config.problems.join("\n"));
  const log = createLog({ format: "json", level: "info", clock: systemClock, secrets: [], write: () => undefined });
  const schedulesOf = async (name: "app" | "admin"): Promise<string[]> => {
    const app = await createApp({ definition: definitions[name], config: config.config, build, log });
    const names = app.schedules().map((schedule) => schedule.name);
    await app.close();
    return names.toSorted();
  };
  expect(await schedulesOf("admin")).toEqual([]);
  expect(await schedulesOf("app")).toEqual([
    "audit:prune",
    "auth:cleanup",
    "auth:fold-names",
    "backup:daily",
    "backup:drill",
    "cache:prune",
    "figures:collect",
    "queue:prune",
  ]);
  await target.stop();
});

test("X-45 a session of one app opens nothing in the other, whose cookies have other names", async () => {
  const api = await start("app", ["http"], true);
  const admin = await startAdminWithRoutes();
  const ada = await createPeople(api.url).register("ada");
  const staff = createClient(admin.url);
  expect((await staff.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
  const namesOf = (client: typeof staff, prefix: string): boolean[] =>
    ["access", "refresh"].map((kind) => client.cookie(`${prefix}auth_${kind}`) !== undefined);
  expect([namesOf(staff, "admin_"), namesOf(staff, "")]).toEqual([
    [true, true],
    [false, false],
  ]);
  expect([namesOf(ada.client, "admin_"), namesOf(ada.client, "")]).toEqual([
    [false, false],
    [true, true],
  ]);
  expect((await staff.get(auth("me"))).status).toBe(200);

  /** Moves the secrets of one app's browser to the names that the other app reads. */
  const carry = (from: typeof staff, fromPrefix: string, url: string, toPrefix: string, kinds: readonly string[]) => {
    const to = createClient(url);
    for (const kind of kinds) to.setCookie(`${toPrefix}auth_${kind}`, from.cookie(`${fromPrefix}auth_${kind}`) ?? "");
    return to;
  };
  for (const kinds of [["access"], ["refresh"], ["access", "refresh"]]) {
    const [intoApp, intoAdmin] = [
      carry(staff, "admin_", api.url, "", kinds),
      carry(ada.client, "", admin.url, "admin_", kinds),
    ];
    for (const intruder of [intoApp, intoAdmin]) {
      expect((await intruder.get(auth("me"))).status).toBe(401);
      expect((await intruder.post(auth("refresh"))).status).toBe(401);
    }
  }
  for (const [from, prefix, url] of [
    [staff, "admin_", api.url],
    [ada.client, "", admin.url],
  ] as const) {
    const headers = { authorization: `Bearer ${from.cookie(`${prefix}auth_access`)}` };
    expect((await createClient(url).get(auth("me"), { headers })).status).toBe(401);
  }
  // Neither attempt has cost the secrets their session.
  expect((await staff.post(auth("refresh"))).status).toBe(200);
  expect((await ada.client.post(auth("refresh"))).status).toBe(200);

  const rows = openRows(api.databasePath);
  for (const app of ["admin", "app"]) expect(rows.count("auth_sessions where app = ?", app)).toBe(1);
  // The row decides, whatever a token says.
  rows.run("update auth_sessions set app = 'app' where app = 'admin'");
  expect((await staff.get(auth("me"))).status).toBe(401);
  rows.close();
  await api.stop();
});

test("X-45 a new password ends the sessions of every app", async () => {
  const api = await start("app", ["http"], true);
  const admin = await startAdminWithRoutes();
  const ada = await createPeople(api.url).register("ada");
  const staff = createClient(admin.url);
  await staff.post(auth("login"), { login: ada.email, password: ada.password });
  const change = { current_password: ada.password, new_password: "another walk in the hills" };
  expect((await ada.client.post(auth("change-password"), change)).status).toBe(200);
  expect((await staff.get(auth("me"))).status).toBe(401);
  await api.stop();
});

test("X-45 X-46 a database of 0.1.0 with sessions and waiting jobs migrates and serves: all of it is of app", async () => {
  const api: Target = await start("app", ["http"], true);
  const ada = await createPeople(api.url).register("ada");
  await createClient(api.url).post(auth("password-reset/request"), { login: ada.email });
  await api.stop();
  // The database that 0.1.0 has left: the same rows in its schema.
  const path = env["DB_DATABASE"] ?? "";
  const old = join(folder, "old", "app.db");
  await mkdir(join(folder, "old"));
  const { database } = createSqliteDatabase({ path: old, name: "default" });
  await createMigrator({ database, migrations: migrations.slice(0, 7), clock: systemClock }).up();
  await database.close();
  const copied = new Database(old);
  copied.run("attach ? as new", [path]);
  for (const table of ["users", "auth_sessions", "jobs"]) {
    const columns = copied
      .query<{ name: string }, [string]>("select name from main.pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name)
      .join(", ");
    copied.run(`insert into main.${table} (${columns}) select ${columns} from new.${table}`);
  }
  copied.close();

  env = { ...env, DB_DATABASE: old };
  const serving = await start("app", ["http", "worker"], true);
  const browser = browserWith(serving.url, secretsOf(ada.client));
  expect((await browser.get(auth("me"))).status).toBe(200);
  expect((await browser.post(auth("refresh"))).status).toBe(200);
  await expectBothMails(ada.email);
  await serving.stop();
});
