import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { groups } from "../../src/cli/table.ts";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// What somebody reads who calls commands on an installed host and is not root.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "a login without rights" : `a login without rights (needs ${lack})`;
const limitMs = 180_000;

let machine: Machine;
beforeAll(async () => {
  if (lack !== undefined) return;
  if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  machine = await bootMachine();
  for (const file of ["gatehouse", "gatehouse.sha256"]) await machine.copy(join(dist, file), `/srv/${file}`);
  await machine.ok(
    "chmod 755 /srv/gatehouse && useradd --create-home ada && cp /srv/gatehouse* /home/ada && chown -R ada: /home/ada",
  );
  await machine.ok("/srv/gatehouse host:install --url https://auth.example.com");
}, limitMs);
afterAll(() => machine?.stop(), limitMs);

const asAda = (script: string) =>
  machine.run(`cd /home/ada; setpriv --reuid ada --regid ada --clear-groups env HOME=/home/ada ${script} </dev/null`);

/** Commands that need nothing of the services. */
const forAll: readonly string[] = ["completion", "help", "key:generate", "release:list", "version"];
/** Arguments without which a command is refused before it looks at anything. */
const needed: Readonly<Record<string, string>> = {
  completion: "bash",
  "host:run": "-- user:export",
  "backup:restore": "x.db",
  "backup:verify": "x.db",
  "client:apply": "programs.json",
  "mail:preview": "reset_link",
  "org:import": "x",
  "user:import": "x",
  "words:list": "--locale de",
};

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-77 reads of every command what is missing, and the line that does it",
    async () => {
      await machine.ok("touch /home/ada/x.db /home/ada/x /home/ada/programs.json");
      for (const name of groups.flatMap(({ commands }) => Object.keys(commands))) {
        const line = [name, ...(needed[name] === undefined ? [] : [needed[name]])].join(" ");
        const { code, output } = await asAda(`gatehouse ${line}`);
        if (forAll.includes(name)) {
          expect({ line, code }).toEqual({ line, code: 0 });
          continue;
        }
        const typed = line.replace(/^host:run -- /, "");
        expect({ line, code, output }).toEqual({
          line,
          code: 1,
          output: expect.stringContaining(`sudo gatehouse ${typed}`),
        });
        expect(output.trim().split("\n").length).toBeLessThanOrEqual(2);
        expect(output).toMatch(/not run by root|may not read the journal/);
        expect(output).not.toMatch(/EACCES|EPERM|Interactive|\bat \//);
      }
    },
    limitMs,
  );

  test(
    "R-77 the line is one that a shell takes as it was meant",
    async () => {
      const { output } = await asAda(`gatehouse user:show "ada o'hara"`);
      expect(output).toMatch(/sudo gatehouse user:show ada\\ o\\'hara\n/);
      const own = await asAda(
        "./gatehouse host:install --url https://auth.example.com --mail-from 'Us <us@example.com>'",
      );
      expect(own).toEqual({
        code: 1,
        output: expect.stringContaining(
          "run it as root: sudo /home/ada/gatehouse host:install --url https://auth.example.com --mail-from 'Us <us@example.com>'",
        ),
      });
    },
    limitMs,
  );
});
