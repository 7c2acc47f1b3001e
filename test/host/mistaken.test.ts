import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";
import { makeSurroundings, proxied, type Relay } from "./surroundings.ts";

// What an operator sees after a mistake, or at night: the cause and what mends it, on a host with a real systemd.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "an operator who is mistaken" : `an operator who is mistaken (needs ${lack})`;
const limitMs = 180_000;

let machine: Machine;
let relay: Relay;
beforeAll(async () => {
  if (lack !== undefined) return;
  machine = await bootMachine();
  for (const file of ["gatehouse", "gatehouse.sha256"]) await machine.copy(join(dist, file), `/root/${file}`);
  ({ relay } = await makeSurroundings(machine));
  const install = "chmod 755 gatehouse && ./gatehouse host:install --url https://auth.example.com";
  await machine.ok(`${install} && ${proxied.trim()}`, { limitMs });
}, limitMs);
afterAll(async () => {
  await relay?.stop();
  await machine?.stop();
}, limitMs);

const settings = "/etc/gatehouse/gatehouse.env";
/** Folds a report into lines of one finding each. */
const said = async (command: string): Promise<string> => {
  const { output } = await machine.run(command, { limitMs: 90_000 });
  return output.replaceAll(/\n {7,13}(?!→|looked)(?=\S)/g, " ");
};

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "status says that browsers refuse a certificate of another name, and that maintenance is on",
    async () => {
      await machine.ok(`cd /etc/ssl/gatehouse && cp fullchain.pem right.pem
        openssl req -x509 -key privkey.pem -days 90 -subj /CN=other.example.com -addext subjectAltName=DNS:other.example.com -out fullchain.pem
        systemctl reload nginx && gatehouse maintenance:enable`);
      const shown = await said("sleep 1; gatehouse status");
      expect(shown).toMatch(/^address +https:\/\/auth\.example\.com answers 200, which BROWSERS REFUSE$/m);
      expect(shown).toMatch(/^certificate +the certificate at \S+ is for other\.example\.com, and not for/m);
      expect(shown).toMatch(/^maintenance +is ON: everybody is refused$/m);
      await machine.ok("gatehouse maintenance:disable; cd /etc/ssl/gatehouse && cp right.pem fullchain.pem");
      await machine.ok("systemctl reload nginx");
    },
    limitMs,
  );

  test(
    "an instance beside those of the topology is shown, checked and rolled as they are",
    async () => {
      await machine.ok("systemctl enable --quiet --now gatehouse-api@3");
      expect(await machine.ok("gatehouse status")).toMatch(/^ +gatehouse-api@3 active for \d+ s$/m);
      await machine.ok(
        "systemctl stop gatehouse-api@3; mkdir -p /run/systemd/system/gatehouse-api@3.service.d; printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\n' > /run/systemd/system/gatehouse-api@3.service.d/x.conf; systemctl daemon-reload; systemctl start gatehouse-api@3 || true",
      );
      expect(await said("gatehouse host:check")).toMatch(
        /^wrong {2}gatehouse-api@3\.service (?:does not stay up|is )/m,
      );
      await machine.ok(
        "rm -r /run/systemd/system/gatehouse-api@3.service.d; systemctl daemon-reload; systemctl disable --quiet --now gatehouse-api@3; systemctl reset-failed gatehouse-api@3 || true",
      );
      expect(await machine.ok("gatehouse status")).not.toContain("gatehouse-api@3");
    },
    limitMs,
  );

  test(
    "a setting that is misspelt is told when it is put into force, and a service that was stopped for good is not called well",
    async () => {
      await machine.ok(`sed -i 's/^APP_DRAIN_DELAY/APP_DRAIN_DELEY/' ${settings}`);
      const { code, output } = await machine.run("gatehouse release:restart --settle 0", { limitMs: 90_000 });
      expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("is APP_DRAIN_DELAY meant?") });
      await machine.ok(`sed -i 's/^APP_DRAIN_DELEY/APP_DRAIN_DELAY/' ${settings}`);
      await machine.ok("systemctl disable --quiet --now gatehouse-worker");
      expect(await said("gatehouse host:check")).toMatch(
        /does not start with the host, and does not run\n {7}→ systemctl enable --now gatehouse-worker\.service/,
      );
      await machine.ok("systemctl enable --quiet --now gatehouse-worker");
    },
    limitMs,
  );

  test(
    "a program that holds the database is named, and a database that is gone is not taken for an old one",
    async () => {
      const held = `import sqlite3,time
d=sqlite3.connect("/var/lib/gatehouse/app.db",isolation_level=None); d.execute("begin immediate"); time.sleep(60)`;
      await machine.ok(`setsid python3 -c '${held}' >/dev/null 2>&1 & echo $! > holder; sleep 1`);
      expect(await said("gatehouse host:check")).toMatch(
        /is not ready: db default: .* held the write lock.*\n {7}→ end what has it open besides Gatehouse: \S*python\S* \(pid \d+\)/,
      );
      await machine.ok("kill $(cat holder); systemctl stop gatehouse.target; mv /var/lib/gatehouse/app.db kept.db");
      expect(await said("gatehouse host:check")).toMatch(
        /^wrong {2}the database .*(?:empty|does not exist).*\n {7}→ put /m,
      );
      await machine.ok("mv kept.db /var/lib/gatehouse/app.db; systemctl start gatehouse.target");
    },
    limitMs,
  );

  test(
    "an installation that makes a key in place of one that is gone says what that costs",
    async () => {
      const key = "/etc/credstore/gatehouse.APP_KEY";
      await machine.ok(`mv ${key} kept.key`);
      const installed = await said("gatehouse host:install");
      expect(installed).toMatch(
        /^gatehouse\.APP_KEY was missing, and a new one is made: .*put it back.*release:restart/m,
      );
      await machine.ok(`mv kept.key ${key}; gatehouse release:restart --settle 0`, { limitMs: 90_000 });
      expect(await said("gatehouse host:install")).not.toContain("APP_KEY");
    },
    limitMs,
  );

  test(
    "a command on a host without its settings says so",
    async () => {
      await machine.ok(`mv ${settings} kept.env`);
      for (const command of ["user:list", "backup:create --output /tmp/one.db"]) {
        const { code, output } = await machine.run(`gatehouse ${command}`);
        expect({ code, output }).toEqual({
          code: 1,
          output: expect.stringMatching(
            /^gatehouse: \/etc\/gatehouse\/gatehouse\.env is missing.*\nwhat to do: put it back/,
          ),
        });
      }
      await machine.ok(`mv kept.env ${settings}`);
    },
    limitMs,
  );
});
