import { afterEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInstall, createSystem, createUninstall, type InstallOptions } from "../../src/host/index.ts";
import { contentHash } from "../../src/core/crypto.ts";

// An image that is prepared in a folder may hold links that mean its own files, but seen from outside lead to the host's.
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function image() {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-image-"));
  folders.push(folder);
  const [root, elsewhere, binary] = [join(folder, "image"), join(folder, "elsewhere"), join(folder, "gatehouse")];
  await mkdir(root);
  await mkdir(elsewhere);
  await writeFile(binary, "a binary");
  await writeFile(`${binary}.sha256`, `${contentHash("a binary")}  gatehouse\n`);
  const never = () => Promise.reject(new Error("nothing is started below a folder"));
  const system = createSystem();
  const { install } = createInstall({
    system,
    freshSecret: () => "a secret",
    activate: never,
    restart: never,
    untilReady: never,
    say: () => {},
  });
  const url = new URL("https://auth.example.test");
  const options: InstallOptions = { app: "gatehouse", root, url, binary, secrets: () => ["APP_KEY"] };
  return {
    root,
    elsewhere,
    install: () => install(options),
    uninstall: () => createUninstall(system).uninstall(options),
    filesElsewhere: () => readdir(elsewhere, { recursive: true }),
  };
}

test.each(["etc", "etc/systemd", "etc/systemd/system", "etc/gatehouse", "etc/credstore"])(
  "D-82 an installation below a folder writes nothing through a link of /%s that leads out of it",
  async (place) => {
    const { root, elsewhere, install, filesElsewhere } = await image();
    await mkdir(join(root, place, ".."), { recursive: true });
    await symlink(elsewhere, join(root, place));
    await expect(install()).rejects.toThrow(`${join(root, place)} is a link that leads out of ${root}`);
    expect(await filesElsewhere()).toEqual([]);
    expect(await readdir(root)).toEqual(["etc"]);
  },
);

test("D-82 a link that leads nowhere is refused, and one that stays inside is followed", async () => {
  const { root, install } = await image();
  await mkdir(join(root, "usr/etc"), { recursive: true });
  await symlink("/nowhere/at/all", join(root, "etc"));
  await expect(install()).rejects.toThrow("is a link that leads out of");
  await rm(join(root, "etc"));
  await symlink("usr/etc", join(root, "etc"));
  expect((await install()).written).toContain("/etc/gatehouse/gatehouse.env");
  expect(await readdir(join(root, "usr/etc/gatehouse"))).toContain("gatehouse.env");
});

test("D-82 removing an installation from a folder removes nothing through such a link", async () => {
  const { root, elsewhere, install, uninstall, filesElsewhere } = await image();
  await install();
  const units = join(root, "etc/systemd/system");
  const [{ name: unit } = { name: "" }] = (await readdir(units, { withFileTypes: true })).filter((one) => one.isFile());
  await rm(units, { recursive: true });
  await writeFile(join(elsewhere, unit), "the host's own");
  await symlink(elsewhere, units);
  await expect(uninstall()).rejects.toThrow(`${units} is a link that leads out of ${root}`);
  expect(await filesElsewhere()).toEqual([unit]);
});
