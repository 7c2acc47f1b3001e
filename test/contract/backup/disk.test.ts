import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { auth, calm, createPeople, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse, spawnGatehouse } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { offSiteOn, startS3 } from "../../support/s3.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

const folder = folderOfEachTest();
endTargetsAfterEach();

let server: ReturnType<typeof startS3>;
let path: string;
beforeEach(() => {
  server = startS3();
  path = join(folder(), "data", "app.db");
});
afterEach(() => server.stop());

const onS3 = (): Record<string, string> => ({
  DB_DATABASE: path,
  ...offSiteOn(server),
  STORAGE_OFF_SITE_PREFIX: "gatehouse",
});
const options = () => ({ cwd: folder(), env: { ...testEnvironment(folder()), ...calm, ...onS3() }, limitMs: 60_000 });
const run = (...args: string[]) => runGatehouse(args, options());
const create = () => run("backup:create", "--disk", "off-site", "--json");
const fileOf = (stdout: string): string => {
  const { file }: { file: string } = JSON.parse(stdout);
  return file;
};
const start = (migrate: boolean) =>
  startTarget({ env: { ...calm, ...onS3() }, roles: ["http"], ownProcess: true, migrate });
const statusOf = async (url: string, { email, password }: Person): Promise<number> =>
  (await createClient(url).post(auth("login"), { login: email, password })).status;

/** So large that it goes up in several parts. */
function fill(): void {
  const rows = openRows(path);
  rows.run(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < 20)
     insert into cache_entries select 'filler', i, hex(randomblob(500000)), null from n`,
  );
  rows.close();
}

test("D-56 restore drill: a backup on S3 outlives the database, and whoever had an account signs in again", async () => {
  const target = await start(true);
  const ada = await createPeople(target.url).register("ada");
  fill();
  const { code, stdout } = await create();
  expect(code).toBe(0);
  const file = fileOf(stdout);
  expect(file).toMatch(/^backups\/gatehouse-testing-[\da-f]{8}-\d{8}T\d{6}Z\.db$/);
  expect(server.asked().filter((each) => each === "PUT part").length).toBeGreaterThan(2);
  expect(await target.stop()).toBe(0);
  await rm(join(folder(), "data"), { recursive: true });

  expect((await run("backup:list", "--disk", "off-site")).stdout).toContain(file);
  const restore = (...more: string[]) => run("backup:restore", "--disk", "off-site", "--file", file, ...more);
  // What comes back otherwise than it was put takes nobody's place.
  for (const fault of ["corrupt", "cut"] as const) {
    server.state.fault = ({ what, method, key }) =>
      method === "GET" && what === "file" && key.endsWith(".db") ? fault : undefined;
    const refused = await restore();
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain(fault === "cut" ? "the connection broke" : "SHA-256");
    expect(existsSync(path)).toBe(false);
  }
  server.failOnce("GET file");
  expect(await restore()).toEqual({ code: 0, stdout: `restored ${path} from ${file} on disk off-site\n`, stderr: "" });
  expect(readdirSync(join(folder(), "data"))).toEqual(["app.db"]);
  const refused = await restore();
  expect(refused.stderr).toContain("exists: --force replaces it");
  const second = await start(false);
  expect(await statusOf(second.url, ada)).toBe(200);
  expect(await second.stop()).toBe(0);
}, 120_000);

test("D-57 a backup that is killed on its way to S3 is never listed, and its parts go later", async () => {
  expect((await run("migrate")).code).toBe(0);
  fill();
  server.state.fault = ({ what }) => (what === "complete" ? "silent" : undefined);
  const child = spawnGatehouse(["backup:create", "--disk", "off-site"], options());
  await eventually("the last part", () => server.asked().includes("POST complete"), 60_000);
  child.kill("SIGKILL");
  await child.exited;
  expect((await run("backup:list", "--disk", "off-site")).stdout).toBe("no backups on disk off-site\n");
  expect([server.files.size, server.uploads.size]).toEqual([0, 1]);
  // Afterwards each backup has its manifest.

  server.state.fault = () => undefined;
  for (const upload of server.uploads.values()) upload.initiatedAt -= 13 * 3_600_000;
  expect((await create()).code).toBe(0);
  expect([server.files.size, server.uploads.size]).toEqual([2, 0]);
  expect(readdirSync(join(folder(), "data")).some((name) => name.includes("backing-up"))).toBe(false);

  // A stop is no kill: it takes its parts along.
  server.state.fault = ({ what }) => (what === "complete" ? "silent" : undefined);
  server.seen.length = 0;
  const stopped = spawnGatehouse(["backup:create", "--disk", "off-site"], options());
  await eventually("the last part", () => server.asked().includes("POST complete"), 60_000);
  stopped.kill("SIGTERM");
  expect(await stopped.exited).toBe(1);
  expect(await stopped.stderr.text()).toContain("backup:create: stopped by SIGTERM");
  expect([server.files.size, server.uploads.size]).toEqual([2, 0]);
}, 120_000);

test("says what is wrong with a disk in one line, without a key", async () => {
  expect((await run("migrate")).code).toBe(0);
  server.state.secrets.set(server.accessKeyId, "another secret");
  const refused = await create();
  expect(refused).toEqual({
    code: 1,
    stdout: "",
    stderr: `gatehouse backup:create: storage disk "off-site" (${server.url}/offsite): the secret access key is not that of the access key\n`,
  });
  for (const [args, words] of [
    [["backup:create"], "--output or --disk"],
    [["backup:create", "--output", "a.db", "--disk", "off-site"], "give one of them"],
    [["backup:create", "--disk", "nowhere"], "--disk must name a storage disk: default, off-site"],
    [["backup:restore", "--disk", "default"], "there are no continuous copies of testing-"],
    [["backup:restore", "--input", "a.db", "--file", "b"], "--file is a name on a disk: give --disk with it"],
    [["backup:restore", "--input", "a.db", "--at", "1h"], "--at is for continuous copies"],
    [["backup:verify", "--input", "a.db", "--at", "1h"], "--at is for continuous copies"],
    [["backup:verify", "--disk", "default", "--file", "a.db", "--at", "1h"], "--at is for continuous copies"],
    [["backup:verify", "--disk", "default"], "there are no continuous copies of testing-"],
    [["backup:drill"], "--disk says which disk has the backups"],
    [["backup:restore", "--disk", "off-site", "--file", "../x"], "is not a file name"],
  ] as const) {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(words);
    expect(code).toBeGreaterThan(0);
  }
}, 60_000);
