import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { manual } from "../../support/manual.ts";
import { shellBlocks } from "../../support/markdown.ts";
import { postgresMissing, startPostgres, type Postgres } from "../../support/postgres.ts";
import { runGatehouse } from "../../support/process.ts";
import { freePort } from "../../support/proxy.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const folder = sharedFolder();
const backups = join(folder, "backups");
const restored = join(folder, "restored");
const [dump = "", drill = "", base = "", moment = ""] = shellBlocks(manual, "Backups on PostgreSQL");

endTargetsAfterEach();

describe.skipIf(postgresMissing !== undefined)("backups on PostgreSQL", () => {
  let server: Postgres;

  beforeAll(async () => {
    await mkdir(join(backups, "wal"), { recursive: true });
    for (const path of [folder, backups, join(backups, "wal")]) await chmod(path, 0o777);
    const archive_command = inTestFolders(/^archive_command = '(.*)'$/m.exec(manual)?.[1] ?? "");
    server = await startPostgres({ settings: { archive_mode: "on", archive_command } });
    await server.createDatabase({ name: "gatehouse" });
  }, 90_000);
  afterAll(async () => server?.stop(), 60_000);

  const inTestFolders = (script: string): string =>
    script
      .replaceAll("db.internal", "127.0.0.1")
      .replaceAll("/etc/gatehouse/pgpass", join(folder, "pgpass"))
      .replaceAll("/var/backups/gatehouse", backups)
      .replaceAll("/var/lib/postgresql/restored", restored);

  async function sh(script: string): Promise<void> {
    const child = Bun.spawn(["sh", "-euc", inTestFolders(script)], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", PGPORT: String(server.port), LC_ALL: "C.UTF-8" },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
    expect({ script, stderr, code }).toEqual({ script, stderr: expect.any(String), code: 0 });
  }

  const env = (name: string) => ({
    ...testEnvironment(folder),
    ...calm,
    DB_DRIVER: "postgres",
    DB_DATABASE: "",
    DB_URL: server.url.replace(/[^/]*$/, name),
  });
  const start = (name: string, migrate = false) =>
    startTarget({ env: env(name), roles: ["http"], ownProcess: true, migrate });

  const loginStatus = async (url: string, { email, password }: Person): Promise<number> =>
    (await createClient(url).post(auth("login"), { login: email, password })).status;

  test("the commands for backups name the tools of the server, and make nothing", async () => {
    for (const args of [
      ["backup:create", "--output", join(folder, "backup.db")],
      ["backup:restore", "--force", "--input", join(folder, "backup.db")],
      ["backup:list", "--disk", "default"],
    ]) {
      const { code, stdout, stderr } = await runGatehouse(args, { cwd: folder, env: env("gatehouse") });
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("back up and restore a PostgreSQL database with pg_dump and pg_restore");
    }
    expect(await Bun.file(join(folder, "backup.db")).exists()).toBe(false);
  }, 60_000);

  test("D-28 restore drill: a dump has what was acknowledged before it, and a server that went back what was there then", async () => {
    const target = await start("gatehouse", true);
    const people = createPeople(target.url);
    const ada = await people.register("ada");
    await sh(`${dump}${drill}`);
    await sh(`${dump.slice(0, dump.indexOf("\n") + 1)}${base}`);
    const grace = await people.register("grace");
    await using sql = new SQL(server.url, { max: 1 });
    const [now] = await sql.unsafe<{ at: string }[]>("select clock_timestamp()::text as at");
    const edsger = await people.register("edsger");
    const [log] = await sql.unsafe<{ segment: string }[]>("select pg_walfile_name(pg_switch_wal()) as segment");
    const segment = join(backups, "wal", log?.segment ?? "");
    await eventually("the log is archived", () => Bun.file(segment).exists());
    expect(await target.stop()).toBe(0);

    const drilled = await start("gatehouse_drill");
    expect(await loginStatus(drilled.url, ada)).toBe(200);
    expect(await loginStatus(drilled.url, grace)).toBe(401);
    await drilled.stop();

    await sh(moment.replace(/(?<=recovery_target_time = ')[^']*/, now?.at ?? ""));
    const port = freePort();
    const child = await startRestored(port);
    try {
      const url = `postgres://gatehouse@127.0.0.1:${port}/gatehouse`;
      await eventually("the server has gone back", () => isOpen(url), 60_000);
      await using then = new SQL(url, { max: 1 });
      const rows = await then.unsafe<{ email: string }[]>("select email from users order by created_at");
      expect(rows.map(({ email }) => email)).toEqual([ada.email, grace.email]);
      expect(rows.map(({ email }) => email)).not.toContain(edsger.email);
    } finally {
      child.kill("SIGQUIT");
      await child.exited;
    }
  }, 180_000);

  /** Resolves to whether the server answers and takes writes again. */
  async function isOpen(url: string): Promise<boolean> {
    await using sql = new SQL(url, { max: 1, connectionTimeout: 5 });
    const answer = await sql.unsafe<{ recovers: boolean }[]>("select pg_is_in_recovery() as recovers").catch(() => []);
    return answer[0]?.recovers === false;
  }

  async function startRestored(port: number) {
    const asPostgres = process.getuid?.() === 0 ? "setpriv --reuid=postgres --regid=postgres --init-groups" : "";
    if (asPostgres !== "") await sh("chown -R postgres: /var/lib/postgresql/restored");
    const script = `exec ${asPostgres} "$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)/postgres" -D "${restored}" \
      -c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=300`;
    return Bun.spawn(["sh", "-c", script], {
      cwd: "/",
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C.UTF-8" },
      stdout: "ignore",
      stderr: Bun.file(join(folder, "restored.log")),
    });
  }
});
