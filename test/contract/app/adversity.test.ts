import { afterEach, describe, expect, test } from "bun:test";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually, untilLogged } from "../../support/log.ts";
import { mailTo } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse } from "../../support/process.ts";
import { startMailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

// Under any trouble outside, the start stops or the answer is 503, with a message that says what to do.
endTargetsAfterEach();

let mounted: string[] = [];
afterEach(async () => {
  for (const path of mounted) await Bun.spawn(["umount", "--lazy", path]).exited;
  mounted = [];
});

async function mount(name: string, options: string): Promise<string> {
  const path = join(folder(), name);
  await mkdir(path);
  const code = await Bun.spawn(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]).exited;
  if (code !== 0) throw new Error(`mount ended with ${code}`);
  mounted.push(path);
  return path;
}
// Only root may mount. Elsewhere the driver's own tests replace these.
const isRoot = process.getuid?.() === 0;
const start = (env: Record<string, string>, command = "run") =>
  runGatehouse([command], { cwd: folder(), env: { ...testEnvironment(folder()), ...env } });
const person = (name: string) => ({ email: `${name}@example.test`, password: "a long walk by the sea" });

describe("a start is stopped by", () => {
  test.each(["DB_DRIVER", "CACHE_DRIVER", "EVENTS_DRIVER", "STORAGE_DRIVER", "QUEUE_DRIVER", "MAIL_DRIVER"])(
    "a wrong %s, and the message names the right ones",
    async (name) => {
      const { code, stdout, stderr } = await start({ [name]: "mongodb" });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(`${name} must be one of `);
      expect(stderr).not.toContain("mongodb");
    },
  );

  test("a database path that is a folder, a file that is no database, and one in a place that can't be", async () => {
    await Bun.write(join(folder(), "letter.txt"), "Dear Ada, this is not a database.".repeat(100));
    for (const [path, why] of [
      [folder(), "is a folder"],
      [join(folder(), "letter.txt"), "is not a SQLite database"],
      ["/proc/nowhere/app.db", "can't be opened for writing"],
    ] as const) {
      const { code, stderr } = await start({ DB_DATABASE: path }, "migrate");
      expect({ path, code }).toEqual({ path, code: 1 });
      expect(stderr).toContain(why);
      expect((await start({ DB_DATABASE: path })).code).toBe(1);
    }
  });

  test.skipIf(!isRoot)("a folder that is read-only", async () => {
    const path = await mount("read-only", "size=1m,ro");
    for (const [command, why] of [
      ["migrate", /app\.db can't be opened for writing: EROFS/],
      ["run", /app\.db does not exist/],
    ] as const) {
      const { code, stderr } = await start({ DB_DATABASE: join(path, "app.db") }, command);
      expect(code).toBe(1);
      expect(stderr).toMatch(why);
    }
  });

  test("a database that a newer release has changed for good; what it only added is served", async () => {
    const env = { DB_DATABASE: join(folder(), "app.db") };
    await start(env, "migrate");
    const rows = openRows(env.DB_DATABASE);
    const newer = "insert into schema_migrations (id, kind, checksum, applied_at) values (?, ?, 'x', 1)";
    rows.run(newer, "9998_more", "additive");
    const target = await startTarget({ ownProcess: true, env, migrate: false });
    expect((await createClient(target.url).get("/-/ready")).status).toBe(200);
    rows.run(newer, "9999_other", "breaking");
    expect((await createClient(target.url).get("/-/ready")).status).toBe(503);
    await eventually("the log to name the migration", () => target.logs().includes("9999_other"));
    await target.stop();
    rows.close();
    const { code, stdout } = await start(env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/the start failed.*9999_other/);
  });
});

describe("a running service outlives", () => {
  test("an SMTP server that can't be reached: it is ready, and the mail waits in the queue", async () => {
    const mailbox = await startMailbox();
    await mailbox.stop();
    const target = await startTarget({ env: { ...mailTo(mailbox), AUTH_PASSWORD_RESET_RETURN_TOKEN: "false" } });
    const ada = createClient(target.url);
    await ada.post("/api/v1/auth/register", person("ada"));
    expect((await ada.post("/api/v1/auth/password-reset/request", { login: "ada@example.test" })).status).toBe(200);
    await eventually("the failed try to be told", () => target.logs().includes("mail was not accepted by 127.0.0.1:"));
    expect((await ada.get("/-/ready")).status).toBe(200);
    const rows = openRows(target.databasePath);
    const job = rows.get("select attempts, state, last_error from jobs where name = 'auth:send-password-reset'");
    rows.close();
    expect(job).toMatchObject({ attempts: 1, state: "pending" });
    await target.stop();
  });

  test.skipIf(!isRoot)("a full disk: what it can't keep gets 503, what it acknowledged is there", async () => {
    const disk = await mount("disk", "size=8m");
    const target = await startTarget({ env: { DB_DATABASE: join(disk, "app.db") }, roles: ["http"], ownProcess: true });
    const ada = createClient(target.url);
    expect((await ada.post("/api/v1/auth/register", person("ada"))).status).toBe(200);

    const ballast = join(disk, "ballast");
    await Bun.spawn(["dd", "if=/dev/zero", `of=${ballast}`, "bs=1k"], { stderr: "ignore" }).exited;
    const acknowledged = ["ada"];
    let refused;
    for (let count = 0; refused === undefined && count < 200; count += 1) {
      const name = `grace${count}`;
      const answer = await createClient(target.url).post("/api/v1/auth/register", person(name));
      if (answer.status === 200) acknowledged.push(name);
      else refused = answer;
    }
    expect(refused?.status).toBe(503);
    expect(refused?.headers.get("retry-after")).toMatch(/^\d+$/);
    await untilLogged(target, "the disk is full");
    expect((await ada.get("/api/v1/hello")).status).toBe(200);

    await rm(ballast);
    for (const name of acknowledged) {
      const { email: login, password } = person(name);
      expect((await createClient(target.url).post("/api/v1/auth/login", { login, password })).status).toBe(200);
    }
    expect((await createClient(target.url).post("/api/v1/auth/register", person("lin"))).status).toBe(200);
    await target.kill();
    const again = await startTarget({ env: target.env, roles: ["http"], ownProcess: true, migrate: false });
    const { email: login, password } = person("lin");
    expect((await createClient(again.url).post("/api/v1/auth/login", { login, password })).status).toBe(200);
    await again.stop();
  });
});
