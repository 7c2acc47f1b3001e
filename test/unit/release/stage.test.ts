import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFile, chmod, chown, mkdir, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeScratchHost, type ScratchHost, type Told } from "../../support/scratch.host.ts";
import { sharedFolder } from "../../support/folder.ts";

let host: ScratchHost;
beforeEach(async () => {
  host = await makeScratchHost();
  await host.upload("ada");
  expect(await host.run("activate", "ada")).toMatchObject({ done: true });
  await host.boot();
});
afterEach(() => host.remove());

async function expectRefusal(told: Promise<Told>, reason: RegExp): Promise<void> {
  const { done, output } = await told;
  expect({ done, output }).toEqual({ done: false, output: expect.stringMatching(reason) });
  expect(output).toMatch(/\nnothing was restarted: release 0\.1\.0-ada goes on serving\nwhat to do: \S[^\n]+$/);
  expect(await host.look()).toEqual({
    current: "0.1.0-ada",
    previous: "",
    runs: ["0.1.0-ada", "0.1.0-ada"],
    releases: ["0.1.0-ada"],
    others: [],
  });
}

test("R-40 a binary whose checksum is missing, unreadable or another one is no release", async () => {
  const path = await host.upload("grace");
  await appendFile(path, "x");
  await expectRefusal(host.run("activate", "grace"), /its SHA-256 is not the one in \S+grace\/gatehouse\.sha256/);
  await Bun.write(`${path}.sha256`, "none\n");
  await expectRefusal(host.run("activate", "grace"), /holds no SHA-256/);
  await Bun.write(`${path}.sha256`, "0".repeat(100_000));
  await expectRefusal(host.run("activate", "grace"), /is too large/);
  await rm(`${path}.sha256`);
  await expectRefusal(host.run("activate", "grace"), /gatehouse\.sha256 is missing/);
  await rm(path);
  await expectRefusal(host.run("activate", "grace"), /there is no such file/);
});

test("R-40 what lies beside a binary is read as a file alone: a link is not followed, and a pipe is not waited for", async () => {
  const path = await host.upload("grace");
  const sum = `${path}.sha256`;
  await rename(sum, join(host.folder, "elsewhere"));
  await symlink(join(host.folder, "elsewhere"), sum);
  await expectRefusal(host.run("activate", "grace"), /gatehouse\.sha256 is a link, or no file/);
  await rm(sum);
  expect(Bun.spawnSync(["mkfifo", sum]).success).toBe(true);
  await expectRefusal(host.run("activate", "grace"), /gatehouse\.sha256 is a link, or no file/);
  await rm(path);
  await symlink("/dev/zero", path);
  await expectRefusal(host.run("activate", "grace"), /it is no file/);
});

test("R-40 services reach a release whatever the mask of whoever installs it", async () => {
  const path = join(host.folder, "other", "deep");
  const script = `import { createDisk } from ${JSON.stringify(join(import.meta.dir, "../../../src/host/system/disk.ts"))};
    process.umask(0o077); await createDisk().folder(${JSON.stringify(path)}, 0o755);`;
  expect(Bun.spawnSync([process.execPath, "-e", script]).success).toBe(true);
  for (const made of [path, dirname(path)]) expect((await stat(made)).mode & 0o777).toBe(0o755);
  expect((await stat(host.folder)).mode & 0o777).toBe(0o700);
});

test("R-40 a binary is a release of the app that it calls itself, under a name that no other build has", async () => {
  await host.upload("grace", "gatehouse-admin 0.1.0 (grace)\n");
  await expectRefusal(
    host.run("activate", "grace"),
    /it calls itself 'gatehouse-admin 0\.1\.0 \(grace\)', not gatehouse/,
  );
  await host.upload("grace", "gatehouse ../.. (../..)\n");
  await expectRefusal(host.run("activate", "grace"), /it calls itself/);
  await host.upload("grace", "gatehouse 0.1.0 (ada)\nanother build\n");
  await expectRefusal(host.run("activate", "grace"), /release 0\.1\.0-ada is here already with other content/);
});

test("R-40 a release that has changed on disk is not gone back to, and is made whole by its binary", async () => {
  await host.upload("grace");
  expect(await host.run("activate", "grace")).toMatchObject({ done: true });
  await appendFile(host.places.binaryOf("0.1.0-ada"), "x");
  const back = await host.run("rollback");
  expect(back).toEqual({ done: false, output: expect.stringContaining("its binary has changed on disk") });
  const { done, output } = await host.run("activate", "ada");
  expect({ done, output }).toEqual({ done: true, output: expect.stringContaining("damaged, and is whole again") });
  expect(await host.run("rollback")).toMatchObject({ done: true });
});

test("there is no way back from the first release of a host", async () => {
  expect(await host.run("rollback")).toEqual({
    done: false,
    output: expect.stringContaining("there is no earlier release on this host"),
  });
});

const needed = process.getuid?.() !== 0 ? "root" : Bun.which("ssh-keygen") === null ? "ssh-keygen" : undefined;
const title = needed === undefined ? "signed releases" : `signed releases (needs ${needed})`;

describe.skipIf(needed !== undefined)(title, () => {
  const folder = sharedFolder();
  const keygen = (...args: string[]): void => {
    const { success, stderr } = Bun.spawnSync(["ssh-keygen", "-q", ...args], { cwd: folder });
    if (!success) throw new Error(stderr.toString());
  };
  for (const name of ["ours", "theirs"]) keygen("-t", "ed25519", "-N", "", "-C", name, "-f", name);
  const publicKey = (name: string): Promise<string> => Bun.file(join(folder, `${name}.pub`)).text();

  async function sign(path: string, key = "ours", namespace = "gatehouse-release"): Promise<void> {
    await rm(`${path}.sig`, { force: true });
    keygen("-Y", "sign", "-n", namespace, "-f", key, path);
  }

  async function trust(text: string): Promise<void> {
    await mkdir(dirname(host.places.key), { recursive: true, mode: 0o700 });
    await Bun.write(host.places.key, text);
    await chmod(host.places.key, 0o644);
  }

  test("R-41 with a key on the host a release needs a signature of that key, over the copy that will run, made for releases", async () => {
    await trust(`# who builds\n${await publicKey("ours")}`);
    const path = await host.upload("grace");
    await expectRefusal(host.run("activate", "grace"), /gatehouse\.sig is missing/);
    await sign(path, "theirs");
    await expectRefusal(host.run("activate", "grace"), /signed by a key that \S+release\.pub does not name/);
    await sign(path, "ours", "file");
    await expectRefusal(host.run("activate", "grace"), /its signature is not one of this binary as a release/);
    await sign(await host.upload("linus"));
    await Bun.write(`${path}.sig`, Bun.file(join(host.folder, "linus", "gatehouse.sig")));
    await expectRefusal(host.run("activate", "grace"), /its signature is not one of this binary as a release/);
    await Bun.write(`${path}.sig`, "nothing\n");
    await expectRefusal(host.run("activate", "grace"), /its signature can't be read/);
    // A file that only root may read is not laid where everybody reads, not even until it turns out to be no signature.
    const written: string[] = [];
    const disk = { ...host.system.disk, write: async (to: string) => void written.push(to) };
    await Bun.write(`${path}.sig`, "-----BEGIN OPENSSH PRIVATE KEY-----\n");
    await expectRefusal(host.run("activate", "grace", { ...host.system, disk }), /its signature can't be read/);
    expect(written.filter((to) => to.endsWith(".sig"))).toEqual([]);
    await sign(path);
    const { done, output } = await host.run("activate", "grace");
    expect({ done, output }).toEqual({
      done: true,
      output: expect.stringContaining("its checksum and its signature are right"),
    });
  });

  test("R-41 a key may have a name, a purpose and an end, in the format of allowed signers", async () => {
    const key = (await publicKey("ours")).trim();
    const path = await host.upload("grace");
    await sign(path);
    await trust(`builder@example.com valid-before="20200101" ${key}\n`);
    await expectRefusal(host.run("activate", "grace"), /its signature|does not name/);
    await trust(`builder@example.com namespaces="git" ${key}\n`);
    await expectRefusal(host.run("activate", "grace"), /its signature|does not name/);
    await trust(`builder@example.com,other@example.com namespaces="gatehouse-release" ${key}\n`);
    expect(await host.run("activate", "grace")).toMatchObject({ done: true });
  });

  test("R-42 a file of keys that somebody else could have changed lets no release in", async () => {
    const path = await host.upload("grace");
    await sign(path);
    const key = await publicKey("ours");
    const refused = /somebody else than root can change \S+/;
    await trust(key);
    await chmod(host.places.key, 0o664);
    await expectRefusal(host.run("activate", "grace"), refused);
    await chmod(host.places.key, 0o644);
    await chown(host.places.key, 1, 0);
    await expectRefusal(host.run("activate", "grace"), refused);
    await rm(host.places.key);
    await symlink(join(folder, "ours.pub"), host.places.key);
    await expectRefusal(host.run("activate", "grace"), refused);
    await rm(host.places.key);
    await symlink("/nowhere", host.places.key);
    await expectRefusal(host.run("activate", "grace"), refused);
    await rm(host.places.key);
    await trust(key);
    await chmod(dirname(host.places.key), 0o777);
    await expectRefusal(host.run("activate", "grace"), refused);
  });

  test("R-43 nothing of a binary is run before its checksum and its signature are right", async () => {
    await trust(await publicKey("ours"));
    const path = await host.upload("grace");
    const run: string[] = [];
    const system = {
      ...host.system,
      systemd: {
        ...host.system.systemd,
        runAsService: async (app: string, command: readonly [string, ...string[]]) => {
          run.push(command.join(" "));
          return host.system.systemd.runAsService(app, command);
        },
      },
    };
    await sign(path, "theirs");
    await host.run("activate", "grace", system);
    await appendFile(path, "x");
    await host.run("activate", "grace", system);
    expect(run).toEqual([]);
  });

  test("R-49 without the program that verifies there is no release, and a sentence says what to install", async () => {
    await trust(await publicKey("ours"));
    await sign(await host.upload("grace"));
    const { createPrograms } = await import("../../../src/host/system/programs.ts");
    const system = {
      ...host.system,
      run: (command: readonly [string, ...string[]]) =>
        createPrograms()(command[0] === "ssh-keygen" ? ["ssh-keygen-that-is-missing"] : command),
    };
    await expectRefusal(host.run("activate", "grace", system), /the program ssh-keygen-that-is-missing is missing/);
  });
});
