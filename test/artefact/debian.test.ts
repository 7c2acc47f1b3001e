import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeChecksum } from "../../src/build/checksums.ts";
import { compile } from "../../src/build/compile.ts";
import { packDebian } from "../../src/build/debian/debian.ts";
import manifest from "../../package.json" with { type: "json" };
import { bootMachine, whyNoMachine, type Machine, type Outcome } from "../release/machine.ts";

// The packages are made of the binaries of dist, and of one that is newer than any release of them.
const dist = join(import.meta.dir, "..", "..", "dist");
const { version } = manifest;
const newer = "9999.0.0";
const newest = "9999.0.1";
const missing = whyNoMachine();
const program = "/usr/lib/gatehouse/gatehouse";
const limitMs = 120_000;

let folder = "";
let machine: Machine;
/** All files, folders and links but those of logs, of dpkg itself and of the state that systemd keeps. */
let untouched: ReadonlySet<string> = new Set();

const run = (script: string): Promise<Outcome> => machine.run(script, { limitMs });
const ok = (script: string): Promise<string> => machine.ok(script, { limitMs });
const listing = async (): Promise<ReadonlySet<string>> => {
  const places = "/etc /opt /srv /home /usr /var";
  const own =
    "/var/lib/dpkg|/var/log|/var/lib/systemd|/var/cache|/var/tmp|/etc/(passwd|group|shadow|gshadow|subuid|subgid)-|/etc/.pwd.lock";
  return new Set((await ok(`find ${places} -xdev | grep -vE '^(${own})(/|$)'`)).split("\n"));
};
const added = async (): Promise<string[]> => [...(await listing())].filter((path) => !untouched.has(path)).toSorted();

type App = "gatehouse" | "gatehouse-admin";

/** A newer build, with its checksum. Nobody opens its pages. */
async function buildNewer(): Promise<string> {
  const outfile = join(folder, newer, "gatehouse");
  const constants = {
    GATEHOUSE_VERSION: newer,
    GATEHOUSE_REVISION: "abc123",
    GATEHOUSE_ACCOUNT_BUNDLE: {},
    GATEHOUSE_NOTICES: "",
  };
  await compile({ entrypoint: "src/main.ts", outfile, constants });
  await writeChecksum(outfile);
  return outfile;
}

/** Puts the package of a build onto the machine, as /tmp/APP-VERSION.deb. */
async function upload(app: App, called: string, binary: string): Promise<void> {
  const item = { name: app, architecture: "amd64", binary, version: called, epoch: 1_700_000_000, outdir: folder };
  const name = await packDebian(item);
  await machine.copy(join(folder, name), `/tmp/${app}-${called}.deb`);
  await rm(join(folder, name));
}

describe.skipIf(missing !== undefined)(
  `a package for Debian${missing === undefined ? "" : ` (needs ${missing})`}`,
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "gatehouse-debian-"));
      if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
      machine = await bootMachine();
      for (const app of ["gatehouse", "gatehouse-admin"] as const) await upload(app, version, join(dist, app));
      const binary = await buildNewer();
      await upload("gatehouse", newer, binary);
      // A binary that is not the one that its checksum was made of.
      await Bun.write(`${binary}.sha256`, `${"0".repeat(64)}  gatehouse\n`);
      await upload("gatehouse", newest, binary);
      untouched = await listing();
    }, 240_000);
    afterAll(async () => {
      await machine?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    test("A-66 installed, it runs nothing, says what is next, and is purged without a trace", async () => {
      expect(await ok(`dpkg -i /tmp/gatehouse-${version}.deb`)).toContain(
        `Next: ${program} host:install --url https://auth.example.com`,
      );
      for (const path of await added())
        expect(path).toMatch(/^\/usr\/(?:lib|share\/doc|share\/lintian\/overrides)\/gatehouse/);
      expect(await ok(`${program} --version`)).toStartWith(`gatehouse ${version} (`);
      await ok("dpkg --purge gatehouse");
      expect(await added()).toEqual([]);
    }, 180_000);

    /** The digests of all settings and secrets, one setting as it is in force, and the accounts. */
    const kept = (): Promise<string> =>
      ok(`sha256sum /etc/gatehouse/*.env /etc/credstore/*
        curl -s http://127.0.0.1:3000/.well-known/security.txt | grep Contact
        gatehouse user:list --json`);
    let before = "";

    test("A-66 A-69 an upgrade rolls the release, loses no request meanwhile, and keeps settings, secrets and accounts", async () => {
      await ok(`dpkg -i /tmp/gatehouse-${version}.deb`);
      await ok(`${program} host:install --url https://auth.example.com`);
      await ok("gatehouse auth:create-user --email ada@example.com --verified <<<'a long walk by the sea'");
      await ok("echo SECURITY_CONTACT=holes@example.com >>/etc/gatehouse/gatehouse.env; gatehouse release:restart");
      before = await kept();
      expect(before).toContain("Contact: mailto:holes@example.com");
      const asking = run(`for _ in $(seq 100000); do
      [ -e /tmp/enough ] && break
      curl -s -o /dev/null -m 5 -w '%{http_code}\\n' http://127.0.0.1:3000/-/health; done | sort | uniq -c`);
      await ok(`dpkg -i /tmp/gatehouse-${newer}.deb`);
      await ok("touch /tmp/enough");
      expect((await asking).output).toMatch(/^ *\d+ 200\n$/);
      expect(await kept()).toBe(before);
      expect(await ok("gatehouse --version")).toContain(`gatehouse ${newer} (abc123)`);
    }, 240_000);

    test("A-66 A-69 an upgrade that can't be released fails with a sentence, and the release before goes on as it was", async () => {
      const { code, output } = await run(`dpkg -i /tmp/gatehouse-${newest}.deb`);
      expect(code).not.toBe(0);
      expect(output).toContain(
        "what is in service goes on. Mend what is said above, then run: dpkg --configure gatehouse",
      );
      expect(await ok("gatehouse --version")).toContain(`gatehouse ${newer} (abc123)`);
      expect(await ok("curl -s http://127.0.0.1:3000/-/ready")).toContain('"status":"ready"');
      expect(await kept()).toBe(before);
      await ok(`dpkg -i /tmp/gatehouse-${newer}.deb`);
      await ok("gatehouse release:rollback");
      expect(await ok("gatehouse --version")).toContain(`gatehouse ${version} (`);
      expect(await kept()).toBe(before);
      await ok(`dpkg -i /tmp/gatehouse-${newer}.deb && gatehouse release:list`);
    }, 240_000);

    test("A-66 the pages for staff come and go by themselves, and leave accounts and settings", async () => {
      const before = await added();
      expect(await ok(`dpkg -i /tmp/gatehouse-admin-${version}.deb`)).toContain(
        "host:install --url https://admin.auth.example.com",
      );
      await ok("/usr/lib/gatehouse-admin/gatehouse-admin host:install --url https://admin.auth.example.com");
      expect(await ok("curl -s http://127.0.0.1:3001/-/ready")).toContain('"status":"ready"');
      expect((await run("dpkg --remove gatehouse")).code).not.toBe(0);
      await ok("dpkg --purge gatehouse-admin");
      expect(await added()).toEqual(before);
      expect(await ok("gatehouse user:list")).toContain("ada@example.com");
    }, 240_000);

    test("A-66 removed, its services and units are gone and settings, secrets and data are there; purged, nothing is", async () => {
      await ok("dpkg --remove gatehouse");
      expect(await ok("systemctl list-units --all --plain --no-legend 'gatehouse*'")).toBe("");
      const left = await added();
      for (const path of [
        "/etc/gatehouse/gatehouse.env",
        "/etc/credstore/gatehouse.APP_KEY",
        "/var/lib/gatehouse/app.db",
      ])
        expect(left).toContain(path);
      expect(left.filter((path) => /^\/(?:opt|etc\/systemd|usr\/local)/.test(path))).toEqual([]);
      await ok("dpkg --purge gatehouse");
      expect(await added()).toEqual([]);
      expect(await run("grep gatehouse /etc/passwd /etc/group /etc/shadow")).toMatchObject({ code: 1 });
    }, 180_000);
  },
);
