import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createInstall,
  createSystem,
  createUninstall,
  HostFailure,
  type InstallOptions,
} from "../../src/host/index.ts";
import { contentHash } from "../../src/core/crypto.ts";

// Tests the files of an installation, written below a temporary folder without root or systemd.
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const unit = "/etc/systemd/system/gatehouse-worker.service";
const settings = "/etc/gatehouse/gatehouse.env";
const url = new URL("https://auth.example.test");

async function emptyHost() {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-host-"));
  folders.push(root);
  const binary = join(root, "gatehouse");
  await writeFile(binary, "a binary");
  await writeFile(`${binary}.sha256`, `${contentHash("a binary")}  gatehouse\n`);
  let secrets = 0;
  let isBroken = false;
  const never = async (): Promise<never> => {
    throw new Error("nothing is started below a folder");
  };
  const { install } = createInstall({
    system: createSystem(),
    freshSecret() {
      if (isBroken) throw new Error("the machine goes off");
      return `secret-${(secrets += 1)}`;
    },
    activate: never,
    restart: never,
    untilReady: never,
    say: () => {},
  });
  const options: InstallOptions = { app: "gatehouse", root, url, binary, secrets: () => ["APP_KEY", "APP_DIAG_TOKEN"] };
  return {
    root,
    at: (path: string) => join(root, path),
    read: (path: string) => readFile(join(root, path), "utf8"),
    install: (more: Partial<InstallOptions> = {}, dryRun = false) => install({ ...options, ...more }, { dryRun }),
    /** Installs and breaks off, as if the machine went off with the files written, but neither secrets nor settings. */
    async breakOff() {
      isBroken = true;
      await expect(install(options)).rejects.toThrow("the machine goes off");
      isBroken = false;
    },
  };
}

const refusal = (work: Promise<unknown>): Promise<{ readonly reason: string; readonly advice: string }> =>
  work.then(
    () => {
      throw new Error("it was not refused");
    },
    (error: unknown) => {
      if (!(error instanceof HostFailure)) throw error;
      return { reason: error.message, advice: error.advice };
    },
  );

const everyFile = async (root: string): Promise<readonly string[]> =>
  (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .toSorted();

test("R-60 an installation writes every file of systemd/ that a host needs, its settings and its secrets", async () => {
  const host = await emptyHost();
  const { written, kept } = await host.install();
  expect(kept).toEqual([]);
  expect(await host.read(unit)).toBe(await Bun.file("systemd/units/gatehouse-worker.service").text());
  const units = [...new Bun.Glob("**/*").scanSync("systemd/units")].filter(
    (path) => !path.startsWith("gatehouse-admin"),
  );
  for (const path of units) expect(written).toContain(`/etc/systemd/system/${path}`);
  const examples = [...new Bun.Glob("{monitoring,postgres,proxy}/*").scanSync("systemd")].map((path) =>
    path.replace("proxy/", ""),
  );
  for (const path of examples)
    expect(written.includes(`/usr/local/share/gatehouse/${path}`)).toBe(path !== "nginx.admin.conf");
  expect((await lstat(host.at("/usr/local/sbin/gatehouse"))).mode & 0o777).toBe(0o755);
  expect(await host.read("/usr/local/share/gatehouse/nginx.conf")).toContain("server_name auth.example.test;");
  expect(await host.read("/usr/local/share/gatehouse/monitoring/gatehouse.dashboard.json")).toBe(
    await Bun.file("systemd/monitoring/gatehouse.dashboard.json").text(),
  );
  const env = await host.read(settings);
  expect(env).toContain("\nAPP_URL=https://auth.example.test\n");
  expect(env).toContain("\nAUTH_WEBAUTHN_RP_ID=auth.example.test\n");
  expect(env).toContain("\nMAIL_FROM=Gatehouse <no-reply@auth.example.test>\n");
  expect(env).toContain("\n#ADMIN_APP_URL=https://admin.auth.example.test\n");
  expect(env.split("\n").filter((line) => /^[^#].*example[.]com/.test(line))).toEqual([]);
});

test("R-61 secrets and settings are root's alone, are never written twice, and no value of a secret is told", async () => {
  const host = await emptyHost();
  const installed = await host.install();
  expect(JSON.stringify(installed)).not.toContain("secret-");
  for (const path of ["/etc/credstore/gatehouse.APP_KEY", settings, "/etc/gatehouse/installed.gatehouse.json"])
    expect((await lstat(host.at(path))).mode & 0o777).toBe(0o600);
  for (const path of ["/etc/credstore", "/etc/gatehouse"])
    expect((await lstat(host.at(path))).mode & 0o777).toBe(0o700);
  expect(await host.read("/etc/credstore/gatehouse.APP_KEY")).toBe("secret-1\n");
  await rm(host.at("/etc/credstore/gatehouse.APP_DIAG_TOKEN"));
  expect((await host.install()).written).toEqual(["/etc/credstore/gatehouse.APP_DIAG_TOKEN"]);
  expect(await host.read("/etc/credstore/gatehouse.APP_KEY")).toBe("secret-1\n");
});

test("R-62 a second installation changes nothing, and a trial writes nothing at all", async () => {
  const host = await emptyHost();
  const before = await everyFile(host.root);
  const trial = await host.install({}, true);
  expect(trial.written.length).toBeGreaterThan(20);
  expect(await everyFile(host.root)).toEqual(before);
  await host.install();
  const files = await everyFile(host.root);
  const times = await Promise.all(files.map(async (path) => (await lstat(host.at(path))).mtimeMs));
  expect(await host.install()).toMatchObject({ written: [], kept: [] });
  expect(await everyFile(host.root)).toEqual(files);
  expect(await Promise.all(files.map(async (path) => (await lstat(host.at(path))).mtimeMs))).toEqual(times);
});

test("R-63 a file that an operator has edited is kept and shown, and a later text of it goes beside it", async () => {
  const host = await emptyHost();
  await host.install();
  const text = await host.read(unit);
  const edited = text.replace("RestartSec=1s", "RestartSec=5s");
  await writeFile(host.at(unit), edited);
  const kept = { path: unit, difference: ["-RestartSec=1s", "+RestartSec=5s"] };
  expect(await host.install()).toMatchObject({ written: [], kept: [kept] });
  expect(await host.read(unit)).toBe(edited);
  expect(existsSync(host.at(`${unit}.new`))).toBe(false);

  // The record now says that the release before had another text.
  const record = "/etc/gatehouse/installed.gatehouse.json";
  await writeFile(host.at(record), (await host.read(record)).replace(contentHash(text), contentHash("an older text")));
  expect(await host.install()).toMatchObject({ written: [`${unit}.new`], kept: [{ ...kept, offered: `${unit}.new` }] });
  expect([await host.read(unit), await host.read(`${unit}.new`)]).toEqual([edited, text]);
  expect(await host.install()).toMatchObject({ written: [], kept: [kept] });
});

test("R-63 a file that nobody has edited is brought up to date, and one whose mode was changed gets it back", async () => {
  const host = await emptyHost();
  await host.install();
  const text = await host.read(unit);
  const older = `# of the release before\n${text}`;
  const record = "/etc/gatehouse/installed.gatehouse.json";
  await writeFile(host.at(unit), older);
  await writeFile(host.at(record), (await host.read(record)).replace(contentHash(text), contentHash(older)));
  await chmod(host.at("/usr/local/sbin/gatehouse"), 0o777);
  expect((await host.install()).written).toEqual([unit, "/usr/local/sbin/gatehouse"]);
  expect(await host.read(unit)).toBe(text);
  expect((await lstat(host.at("/usr/local/sbin/gatehouse"))).mode & 0o777).toBe(0o755);
});

test("R-63 a masked unit stays masked: the link counts as an edit", async () => {
  const host = await emptyHost();
  await host.install();
  await rm(host.at(unit));
  await symlink("/dev/null", host.at(unit));
  const { written, kept } = await host.install();
  expect(written).toEqual([]);
  expect(kept).toMatchObject([{ path: unit }]);
  expect((await lstat(host.at(unit))).isSymbolicLink()).toBe(true);
});

test("R-64 what an installation wrote that was broken off is taken for no edit by the next one", async () => {
  const host = await emptyHost();
  await host.breakOff();
  expect([existsSync(host.at(unit)), existsSync(host.at(settings))]).toEqual([true, false]);
  // The next installation is of a later release.
  await writeFile(host.at(unit), `# of the release before\n${await host.read(unit)}`);
  const record = "/etc/gatehouse/installed.gatehouse.json";
  const before = await Bun.file(`systemd/units/gatehouse-worker.service`).text();
  await writeFile(
    host.at(record),
    (await host.read(record)).replace(contentHash(before), contentHash(await host.read(unit))),
  );
  expect((await host.install()).kept).toEqual([]);
  expect(existsSync(host.at(settings))).toBe(true);
  expect((await everyFile(host.root)).filter((path) => path.endsWith(".new"))).toEqual([]);
});

test("R-65 nothing is written on a way that others may bend, nor through a link", async () => {
  const host = await emptyHost();
  await mkdir(host.at("/etc/systemd"), { recursive: true });
  await chmod(host.at("/etc/systemd"), 0o777);
  expect(await refusal(host.install())).toEqual({
    reason: `others may change what is in ${host.at("/etc/systemd")}`,
    advice: expect.stringContaining("root's alone"),
  });
  await chmod(host.at("/etc/systemd"), 0o755);
  await writeFile(host.at("/elsewhere"), "untouched");
  await mkdir(host.at("/etc/sysctl.d"), { recursive: true });
  await symlink(host.at("/elsewhere"), host.at("/etc/sysctl.d/60-gatehouse.conf"));
  await host.install();
  expect(await host.read("/elsewhere")).toBe("untouched");
});

test("settings that are there are kept, and an option that says something else is refused", async () => {
  const host = await emptyHost();
  await host.install({ mailFrom: "Us <us@example.test>" });
  const text = await host.read(settings);
  expect(text).toContain("\nMAIL_FROM=Us <us@example.test>\n");
  await writeFile(host.at(settings), text.replace("auth.example.test", "login.example.test"));
  expect(await refusal(host.install())).toMatchObject({
    reason: expect.stringContaining("APP_URL=https://login.example.test"),
    advice: expect.stringContaining("change it there"),
  });
  const { written } = await host.install({ url: undefined });
  const named = ["nginx.conf", "gatehouse.hosts.env.example", "monitoring/gatehouse.outside.yml"];
  expect(written).toEqual(named.map((name) => `/usr/local/share/gatehouse/${name}`));
});

test("R-69 a topology has the settings that it needs, and keeps them", async () => {
  for (const [topology, ports] of [
    ["shared", ["API_HTTP_PORT=3000", "ADMIN_API_HTTP_PORT=3001", "API_HTTP_REUSE_PORT=true"]],
    ["ports", []],
    ["single", ["API_HTTP_PORT=3000", "ADMIN_API_HTTP_PORT=3001"]],
  ] as const) {
    const host = await emptyHost();
    await host.install({ topology });
    const lines = (await host.read(settings)).split("\n").filter((line) => /^(?:ADMIN_)?API_HTTP_/.test(line));
    expect(lines).toEqual([...ports]);
    expect(await refusal(host.install({ topology: topology === "ports" ? "single" : "ports" }))).toMatchObject({
      reason: `gatehouse is installed here with --topology ${topology}`,
    });
    if (topology === "ports") {
      await writeFile(host.at(settings), `${await host.read(settings)}API_HTTP_PORT=3000\n`);
      expect(await refusal(host.install())).toMatchObject({ reason: "--topology ports goes without API_HTTP_PORT" });
    }
  }
});

test("the admin app comes second, with units, settings and a secret of its own", async () => {
  const host = await emptyHost();
  const admin = {
    app: "gatehouse-admin",
    url: new URL("https://staff.example.test"),
    secrets: () => ["ADMIN_APP_DIAG_TOKEN"],
  } as const;
  expect(await refusal(host.install(admin))).toMatchObject({ reason: "gatehouse is not installed on this host" });
  await host.install();
  const { written } = await host.install(admin);
  expect(written).toContain("/etc/systemd/system/gatehouse-admin-api@.service");
  expect(written.filter((path) => path.includes("gatehouse-.service.d"))).toEqual([]);
  const env = await host.read(settings);
  expect(env).toContain("\nADMIN_APP_URL=https://staff.example.test\n");
  // The admin app's name is not below the other app's domain for passkeys.
  expect(env).toContain("\nADMIN_AUTH_WEBAUTHN_RP_ID=staff.example.test\n");
  expect(await host.read("/usr/local/share/gatehouse/nginx.admin.conf")).toContain("server_name staff.example.test;");
  for (const again of [admin, {}]) expect(await host.install(again)).toMatchObject({ written: [] });
});

test("R-68 an uninstallation takes what installations have brought, and leaves settings, secrets and what was edited", async () => {
  const host = await emptyHost();
  await host.install();
  await writeFile(host.at(unit), "edited");
  await writeFile(host.at(`${unit}.mine.conf`), "mine");
  const { uninstall } = createUninstall(createSystem());
  const { saved } = await uninstall({ app: "gatehouse", root: host.root });
  expect(saved).toEqual(["/etc/gatehouse/removed/system-gatehouse-worker.service"]);
  expect(await host.read("/etc/gatehouse/removed/system-gatehouse-worker.service")).toBe("edited");
  expect((await everyFile(host.root)).filter((path) => path.startsWith("/etc"))).toEqual([
    "/etc/credstore/gatehouse.APP_DIAG_TOKEN",
    "/etc/credstore/gatehouse.APP_KEY",
    "/etc/gatehouse/gatehouse.env",
    "/etc/gatehouse/removed/system-gatehouse-worker.service",
    "/etc/systemd/system/gatehouse-worker.service.mine.conf",
  ]);
  expect(await refusal(uninstall({ app: "gatehouse", root: host.root }))).toMatchObject({
    reason: expect.stringContaining("not installed"),
  });
});

test("what can't be installed is said before anything is written", async () => {
  const host = await emptyHost();
  const before = await everyFile(host.root);
  expect(await refusal(host.install({ url: undefined }))).toMatchObject({
    advice: "run this with --url https://auth.example.com",
  });
  await writeFile(host.at("/gatehouse.sha256"), `${contentHash("another")}  gatehouse\n`);
  expect(await refusal(host.install())).toMatchObject({ reason: expect.stringContaining("is not the one in") });
  await rm(host.at("/gatehouse.sha256"));
  expect(await refusal(host.install())).toMatchObject({ reason: `${host.at("gatehouse.sha256")} is missing` });
  expect(await everyFile(host.root)).toEqual(before.filter((path) => path !== "/gatehouse.sha256"));
});
