import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// An operator's words on a host with a real systemd: in its sandbox the services see other files than root does.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "words on a host with systemd" : `words on a host with systemd (needs ${lack})`;
const limitMs = 180_000;
const settings = "/etc/gatehouse/gatehouse.env";
const file = "/opt/gatehouse/words/de.json";

let machine: Machine;

beforeAll(async () => {
  if (lack !== undefined) return;
  if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  machine = await bootMachine();
  for (const name of ["gatehouse", "gatehouse.sha256"]) await machine.copy(join(dist, name), `/root/${name}`);
  await machine.ok("chmod 755 gatehouse; ./gatehouse host:install --url https://auth.example.com >/dev/null");
}, limitMs);
afterAll(() => machine?.stop(), limitMs);

describe.skipIf(lack !== undefined)(title, () => {
  /** Checks the host, and joins the lines of what it says. What is around this host, such as a relay for mails, is not there. */
  async function check(): Promise<string> {
    const { output } = await machine.run("gatehouse host:check", { limitMs: 90_000 });
    const said = output.replaceAll(/\n {7}(?!→)/g, " ");
    expect(said).toMatch(/looked at .*\bsettings\b.*\bfreshness\b/);
    return said;
  }
  const isAboutWords = /words|WORDS_PATH/;

  test(
    "are made and read as the manual says, and a later change is told until the services have it",
    async () => {
      await machine.ok(`mkdir /opt/gatehouse/words; gatehouse words:list --locale de > ${file}; chmod 644 ${file}`);
      await machine.ok(`sed -i 's/"Anmelden"/"Hinein"/' ${file}; echo WORDS_PATH=/opt/gatehouse/words >> ${settings}`);
      await machine.ok("gatehouse release:restart >/dev/null");
      expect(await check()).not.toMatch(isAboutWords);
      const page = await machine.ok("curl -s -H 'accept-language: de' http://127.0.0.1:3000/login");
      expect(page).toContain("<title>Hinein");
      // Files of the caller, which the command itself does not see in its sandbox.
      await machine.ok(`cp ${file} half.json; sed -i '2d' half.json`);
      const missing = await machine.ok("gatehouse words:list --locale de --missing half.json");
      expect(missing).toBe('{\n  "pages.titles.signIn": "Anmelden"\n}');
      await machine.ok("gatehouse mail:preview reset_link --locale de --output reset.html");
      expect(await machine.ok("head -c 15 reset.html")).toBe("<!doctype html>");
      await machine.ok(`touch -d '+1 second' ${file}`);
      expect(await check()).toContain("services run with the words from before their last change");
      await machine.ok("sleep 1; gatehouse release:restart >/dev/null");
      expect(await check()).not.toMatch(isAboutWords);
    },
    limitMs,
  );

  test(
    "J-01 are refused by file, line and key in the sandbox of the services, and by a check of the host",
    async () => {
      await machine.ok(`sed -i '3s/": "/": "<b>/' ${file}`);
      const says = "WORDS_PATH de.json line 3: pages.titles.register has < or >: words are plain text, not HTML";
      expect(await check()).toContain(`wrong  the configuration is not valid: ${says}`);
      const checked = await machine.run("gatehouse env:check");
      expect(checked).toEqual({ code: 2, output: expect.stringContaining(says) });
      const restarted = await machine.run("gatehouse release:restart");
      expect(restarted.code).not.toBe(0);
      expect((await machine.ok("curl -s http://127.0.0.1:3000/-/health")).length).toBeGreaterThan(0);
      await machine.ok(`sed -i '3s/<b>//' ${file}`);
    },
    limitMs,
  );

  test(
    "in a home, which the services do not see, are no words",
    async () => {
      await machine.ok(
        `cp -r /opt/gatehouse/words /root/words; sed -i 's,^WORDS_PATH=.*,WORDS_PATH=/root/words,' ${settings}`,
      );
      expect(await check()).toContain("WORDS_PATH can't be read (");
    },
    limitMs,
  );
});
