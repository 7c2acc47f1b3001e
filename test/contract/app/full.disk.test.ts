import { expect, test } from "bun:test";
import { appendFileSync, statfsSync, statSync, truncateSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { eventually, untilLogged } from "../../support/log.ts";
import { auth, calm, createPeople, expectRefusal } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { runGatehouse } from "../../support/process.ts";
import { canMount, smallDisk } from "../../support/small.disk.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

/** Fills the disk to the last block, except for `leave` bytes. */
function fill(at: string, leave = 0): void {
  const ballast = join(at, "ballast");
  for (let free = Infinity; free > 0;) {
    try {
      appendFileSync(ballast, new Uint8Array(4096));
    } catch {
      // The disk is full.
    }
    const { bavail, bsize } = statfsSync(at);
    free = bavail * bsize;
  }
  truncateSync(ballast, statSync(ballast).size - leave);
}

const mostEdits = 3_000;

/** Edits the profile until an edit is refused. Resolves to the refusal, and to the last name that was acknowledged. */
async function editUntilRefused(client: Client): Promise<{ refusal: Answer; acknowledged: string }> {
  let acknowledged = "";
  for (let edit = 0; edit < mostEdits; edit += 1) {
    const name = `Ada ${edit} ${"x".repeat(60)}`;
    const answer = await client.post(auth("profile"), { display_name: name });
    if (answer.status !== 200) {
      expect(acknowledged).not.toBe("");
      return { refusal: answer, acknowledged };
    }
    acknowledged = name;
  }
  throw new Error("the disk is never full");
}

test.skipIf(!canMount)(
  "a full disk is answered with 503 and Retry-After; nothing acknowledged is lost, and it recovers by itself",
  async () => {
    using disk = smallDisk(6 * 1024);
    const DB_DATABASE = join(disk.folder, "data", "app.db");
    const target = await startTarget({ env: { ...calm, DB_DATABASE }, ownProcess: true });
    const people = createPeople(target.url);
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    fill(disk.folder, 400 * 1024);
    const { refusal, acknowledged } = await editUntilRefused(ada.client);
    expectRefusal(refusal, 503, "service unavailable", "unavailable");
    expect(refusal.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(refusal.text).not.toContain("disk");
    await untilLogged(target, "the disk is full");

    // Signed-in people are served as long as nothing has to be written.
    expect((await ada.client.get("/api/v1/hello")).status).toBe(200);
    expect((await ada.client.get(auth("me"))).at("user.display_name")).toBe(acknowledged);
    // A smaller write than the last may still find room.
    const credentials = { login: grace.email, password: grace.password };
    await eventually("a refused login", async () => {
      const login = await createClient(target.url).post(auth("login"), credentials);
      if (login.status === 503) expect(login.setCookies).toEqual([]);
      return login.status === 503;
    });
    const registration = { email: "edsger@example.test", password: "a long walk by the sea" };
    expect((await createClient(target.url).post(auth("register"), registration)).status).toBe(503);

    await rm(join(disk.folder, "ballast"));
    await eventually("a login", async () => {
      const { status } = await createClient(target.url).post(auth("login"), credentials);
      return status === 200;
    });
    expect((await ada.client.get(auth("me"))).at("user.display_name")).toBe(acknowledged);
    // A refused request has left nothing behind.
    expect((await createClient(target.url).post(auth("register"), registration)).status).toBe(200);
    expect((await createClient(target.url).get("/-/ready")).status).toBe(200);
    expect(await target.stop()).toBe(0);
  },
  60_000,
);

test.skipIf(!canMount)(
  "kill -9 on a full disk loses nothing that was acknowledged",
  async () => {
    using disk = smallDisk(6 * 1024);
    const env = { ...calm, DB_DATABASE: join(disk.folder, "data", "app.db") };
    const target = await startTarget({ env, roles: ["http"], ownProcess: true });
    const ada = await createPeople(target.url).register("ada");
    fill(disk.folder, 400 * 1024);
    const { acknowledged } = await editUntilRefused(ada.client);
    await target.kill();
    await rm(join(disk.folder, "ballast"));
    const next = await startTarget({ env, roles: ["http"], ownProcess: true, migrate: false });
    const client = createClient(next.url);
    expect((await client.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
    expect((await client.get(auth("me"))).at("user.display_name")).toBe(acknowledged);
    expect(await next.stop()).toBe(0);
  },
  60_000,
);

test.skipIf(!canMount)(
  "a read-only or full file system stops the start with 1 and a message that says why",
  async () => {
    using disk = smallDisk(2 * 1024);
    const env = { ...testEnvironment(folder()), DB_DATABASE: join(disk.folder, "data", "app.db") };
    const run = (...args: string[]) => runGatehouse(args, { cwd: folder(), env });
    expect((await run("migrate")).code).toBe(0);
    disk.makeReadOnly();
    for (const command of ["api", "worker", "scheduler", "migrate"]) {
      const { code, stdout, stderr } = await run(command);
      expect({ command, code }).toEqual({ command, code: 1 });
      expect(`${stdout}${stderr}`).toContain("can't be opened for writing");
    }

    using full = smallDisk(64);
    fill(full.folder);
    const path = join(full.folder, "data", "app.db");
    const { code, stderr } = await runGatehouse(["migrate"], { cwd: folder(), env: { ...env, DB_DATABASE: path } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/full|space/);
  },
);

test.skipIf(!canMount)(
  "a storage disk that is full is told by readiness, and passes again when there is space",
  async () => {
    using disk = smallDisk(4 * 1024);
    const STORAGE_PATH = join(disk.folder, "storage");
    const target = await startTarget({ env: { STORAGE_PATH }, roles: ["http"] });
    const client = createClient(target.url);
    const headers = { authorization: `Bearer ${target.env["APP_DIAG_TOKEN"]}` };
    expect((await client.get("/-/ready")).status).toBe(200);
    fill(disk.folder);
    await eventually("not ready", async () => (await client.get("/-/ready", { headers })).status === 503);
    expect((await client.get("/-/ready", { headers })).text).toContain("the disk is full");
    expect((await client.get("/-/ready")).text).not.toContain("disk");
    await rm(join(disk.folder, "ballast"));
    await eventually("ready", async () => (await client.get("/-/ready")).status === 200);
    await target.stop();
  },
);
