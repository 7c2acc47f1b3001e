import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// What an installation says before it is made, and of restarts that it does not make, on a host with a real systemd.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "a restart that is due" : `a restart that is due (needs ${lack})`;
const limitMs = 180_000;

let machine: Machine;
beforeAll(async () => {
  if (lack !== undefined) return;
  if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  machine = await bootMachine();
  for (const name of ["gatehouse", "gatehouse-admin"])
    for (const file of [name, `${name}.sha256`]) await machine.copy(join(dist, file), `/srv/${file}`);
  await machine.ok("chmod 755 /srv/gatehouse*");
}, limitMs);
afterAll(() => machine?.stop(), limitMs);

const run = (script: string) => machine.run(script, { limitMs: 90_000 });
const settings = "/etc/gatehouse/gatehouse.env";
const install = "/srv/gatehouse host:install --url https://auth.example.com";
/** Joins what was folded to the width of a terminal. */
const unfolded = (output: string): string => output.replaceAll(/\n(?=(?:[\w ]+ )?(?:from )?before\n)/g, " ");
/** What a second installation says, in words and as JSON. */
async function again(app = "gatehouse") {
  const { code, output } = await run(`${app} host:install`);
  expect(code).toBe(0);
  const { restarts_due: due } = JSON.parse(await machine.ok(`${app} host:install --json 2>/dev/null`));
  return { output: unfolded(output), due };
}
const dueOf = (changed: string, app = "gatehouse"): string =>
  `a restart of ${app} is due: its services run with the ${changed} from before\n  ${app} release:restart\n`;

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-62 where no systemd runs, and without root, a trial says what would be done and writes nothing",
    async () => {
      const files = "find /etc /opt /usr/local /var/lib -newer /srv/mark | sort";
      await machine.ok("touch /srv/mark");
      const trial = await run(
        `mv /run/systemd/system /run/systemd/away; setpriv --reuid 65534 --clear-groups ${install} --dry-run; code=$?; mv /run/systemd/away /run/systemd/system; exit $code`,
      );
      expect(trial).toEqual({ code: 0, output: expect.stringContaining(`\nwould write ${settings}\n`) });
      expect(trial.output).toContain(
        `  this is not run by root\n    → run it as root: sudo ${install} --dry-run\n  systemd does not run this host\n    → `,
      );
      expect(trial.output).toEndWith("\nnothing was written, and nothing started\n");
      expect(await machine.ok(files)).toBe("");
    },
    limitMs,
  );

  test(
    "settings, secrets and units that have changed since are told by a second installation, with the command",
    async () => {
      await machine.ok(install);
      expect(await again()).toEqual({ output: "nothing to do: gatehouse is installed and ready\n", due: [] });
      const told: string[] = [];
      for (const [change, changed] of [
        [`echo AUTH_ACCESS_TOKEN_TTL=10m >> ${settings}`, "settings"],
        ["touch /etc/credstore/gatehouse.APP_DIAG_TOKEN", "secrets"],
        [
          "printf '[Service]\\nIPAddressAllow=10.9.9.9\\n' > /etc/systemd/system/gatehouse-.service.d/40-network.conf; systemctl daemon-reload",
          "units",
        ],
      ] as const) {
        await machine.ok(change);
        told.push(changed);
        const { output, due } = await again();
        expect(output).toBe(`nothing to do: gatehouse is installed and ready\n${dueOf(told.join(" and "))}`);
        expect(due).toEqual([{ app: "gatehouse", changed: told, command: "gatehouse release:restart" }]);
      }
      expect((await run("gatehouse host:check")).output.replaceAll(/\n {7}(?!→)/g, " ")).toContain(
        `services run with the ${told.join(" and ")} from before their last change\n       → gatehouse release:restart`,
      );
      await machine.ok("gatehouse release:restart --settle 0", { limitMs: 90_000 });
      expect(await again()).toEqual({ output: "nothing to do: gatehouse is installed and ready\n", due: [] });
      await machine.ok(`sed -i s/10m/11m/ ${settings}`);
      const trial = await machine.ok("gatehouse host:install --dry-run");
      expect(unfolded(trial)).toBe(
        `nothing to do: gatehouse is installed as this release has it\n${dueOf("settings")}nothing was written, and nothing started`,
      );
    },
    limitMs,
  );

  test(
    "what one app's installation changes and the other one's services read is told with the other one's command",
    async () => {
      await machine.ok("gatehouse release:restart --settle 0", { limitMs: 90_000 });
      const { code, output } = await run("/srv/gatehouse-admin host:install --url https://admin.auth.example.com");
      expect({ code, output: unfolded(output) }).toEqual({
        code: 0,
        output: expect.stringContaining(dueOf("settings")),
      });
      await machine.ok("gatehouse release:restart --settle 0", { limitMs: 90_000 });
      expect((await again("gatehouse-admin")).due).toEqual([]);
      // Units that both have: the installation restarts its own services, and names those of the other app.
      await machine.ok("rm /etc/systemd/system/gatehouse-.service.d/20-sandbox.conf");
      const trial = await machine.ok("gatehouse host:install --dry-run");
      expect(trial).toContain("would restart the services, one instance after the other\n");
      const mended = await run("gatehouse host:install");
      expect({ ...mended, output: unfolded(mended.output) }).toEqual({
        code: 0,
        output: expect.stringContaining(dueOf("units", "gatehouse-admin")),
      });
      await machine.ok("gatehouse-admin release:restart --settle 0", { limitMs: 90_000 });
      expect((await again()).due).toEqual([]);
    },
    limitMs,
  );
});
