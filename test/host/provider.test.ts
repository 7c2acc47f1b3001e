import { afterEach, expect, test } from "bun:test";
import { createPrivateKey } from "node:crypto";
import { lstat, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { neededSecrets } from "../../src/cli/commands/host/app.ts";
import { freshSecret } from "../../src/cli/commands/settings/key.ts";
import { contentHash } from "../../src/core/crypto.ts";
import { createInstall, createSystem } from "../../src/host/index.ts";

// Tests which keys an installation makes for a host that signs people in to other programs.
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const settings = "/etc/gatehouse/gatehouse.env";
const keys = ["/etc/credstore/gatehouse.API_JWT_PRIVATE_KEY", "/etc/credstore/gatehouse.IDP_RSA_PRIVATE_KEY"];

/** A host on which the API app is installed, without the provider. */
async function installedHost() {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-host-"));
  folders.push(root);
  const binary = join(root, "gatehouse");
  await writeFile(binary, "a binary");
  await writeFile(`${binary}.sha256`, `${contentHash("a binary")}  gatehouse\n`);
  const never = async (): Promise<never> => {
    throw new Error("nothing is started below a folder");
  };
  const { install } = createInstall({
    system: createSystem(),
    freshSecret,
    activate: never,
    restart: never,
    untilReady: never,
    say: () => {},
  });
  const at = (path: string): string => join(root, path);
  const host = {
    at,
    read: (path: string) => readFile(at(path), "utf8"),
    install: () =>
      install({
        app: "gatehouse",
        root,
        url: new URL("https://auth.example.test"),
        binary,
        secrets: neededSecrets("gatehouse"),
      }),
    set: async (lines: string): Promise<void> =>
      writeFile(at(settings), `${await readFile(at(settings), "utf8")}${lines}\n`),
  };
  const { written } = await host.install();
  return { ...host, written };
}

test("O-33 an installation makes both keys once the settings say so, root's alone, and keeps those that are there", async () => {
  const host = await installedHost();
  expect(host.written.filter((path) => keys.includes(path))).toEqual([]);
  await host.set("IDP_ENABLED=false");
  expect((await host.install()).written).toEqual([]);
  await host.set("IDP_ENABLED=true");
  expect((await host.install()).written).toEqual(keys);
  const made = await Promise.all(keys.map((path) => host.read(path)));
  expect(made.map((pem) => createPrivateKey(pem).asymmetricKeyType)).toEqual(["ec", "rsa"]);
  for (const path of keys) expect((await lstat(host.at(path))).mode & 0o777).toBe(0o600);
  expect((await host.install()).written).toEqual([]);
  await rm(host.at("/etc/credstore/gatehouse.IDP_RSA_PRIVATE_KEY"));
  expect((await host.install()).written).toEqual(keys.slice(1));
  expect(await host.read("/etc/credstore/gatehouse.API_JWT_PRIVATE_KEY")).toBe(made[0] ?? "");
});

test("O-33 an installation makes no key in place of one that the settings have", async () => {
  const host = await installedHost();
  await host.set("IDP_ENABLED=1\nAPI_JWT_PRIVATE_KEY_FILE=/etc/keys/access.pem");
  expect((await host.install()).written).toEqual(keys.slice(1));
});

test("the admin app needs none of the provider's keys", () => {
  expect(neededSecrets("gatehouse-admin")({ IDP_ENABLED: "true" })).toEqual(["ADMIN_APP_DIAG_TOKEN"]);
});
