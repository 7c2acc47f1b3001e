import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine, type Outcome } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";
import { makeSurroundings, proxied, type Relay } from "./surroundings.ts";

// Goes from a bare binary on a host with a real systemd to a login, and through the obstacles on the way. The tests build on one another.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "a host with systemd" : `a host with systemd (needs ${lack})`;
const limitMs = 180_000;
const install = "./gatehouse host:install --url https://auth.example.com";

/** Returns a script that starts a foreign program on the port. */
const occupy = (port: number): string =>
  `echo 'events {} http { server { listen ${port}; } } pid /run/stranger.pid;' > stranger.conf; nginx -q -c /root/stranger.conf >/dev/null 2>&1`;
const leave = "kill $(cat /run/stranger.pid); while [ -e /run/stranger.pid ]; do sleep 0.05; done";

let machine: Machine;
let relay: Relay | undefined;

beforeAll(async () => {
  if (lack !== undefined) return;
  if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  machine = await bootMachine();
  for (const name of ["gatehouse", "gatehouse-admin"])
    for (const file of [name, `${name}.sha256`]) await machine.copy(join(dist, file), `/root/${file}`);
  await machine.ok("chmod 755 gatehouse gatehouse-admin");
  ({ relay } = await makeSurroundings(machine));
}, limitMs);
afterAll(() => Promise.all([relay?.stop(), machine?.stop()]), limitMs);

const run = (script: string): Promise<Outcome> => machine.run(script, { limitMs: 90_000 });
const refused = async (script: string, reason: RegExp): Promise<void> =>
  expect(await run(script)).toEqual({ code: 1, output: expect.stringMatching(reason) });
const login = `curl -s -H 'content-type: application/json' -H 'x-forwarded-for: 192.0.2.1' \\
  -d '{"login":"ada@example.com","password":"a long walk by the sea"}' http://127.0.0.1:3000/api/v1/auth/login`;
const pids = "systemctl show -P MainPID gatehouse-api@1 gatehouse-api@2 gatehouse-worker gatehouse-scheduler";
/** Lists every file that an installation writes, with the time of its last change. */
const traces =
  "find /etc/gatehouse /etc/credstore /etc/systemd/system /etc/sysusers.d /etc/sysctl.d /opt/gatehouse /usr/local/share/gatehouse " +
  "/usr/local/sbin -not -type d -printf '%p %T@\\n' 2>/dev/null | grep gatehouse | sort";

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-66 what is in the way of an installation is said in a sentence with what to do, and nothing is written",
    async () => {
      const nothing = async (): Promise<void> => expect((await run(traces)).output).toBe("");
      await refused(
        `cp gatehouse* /tmp; cd /tmp; setpriv --reuid 65534 --clear-groups ${install}`,
        /not run by root\nwhat to do: run it as root/,
      );
      await refused(
        `mv /run/systemd/system /run/systemd/away; ${install}; code=$?; mv /run/systemd/away /run/systemd/system; exit $code`,
        /systemd does not run this host\nwhat to do: \S/,
      );
      await refused(
        `mkdir -p /usr/local/bin; printf '#!/bin/sh\\necho systemd 249\\n' > /usr/local/bin/systemctl; chmod 755 /usr/local/bin/systemctl
        PATH=/usr/local/bin:$PATH ${install}; code=$?; rm /usr/local/bin/systemctl; exit $code`,
        /has systemd 249.*\nwhat to do: upgrade/,
      );
      await refused(
        `mv gatehouse.sha256 away; ${install}; code=$?; mv away gatehouse.sha256; exit $code`,
        /sha256 is missing\nwhat to do: copy/,
      );
      await refused(
        `${occupy(10021)}; ${install}; code=$?; ${leave}; exit $code`,
        /port 10021 is taken by another program\nwhat to do: \S/,
      );
      await refused(
        `mkdir -p /opt/gatehouse; mount -t tmpfs -o size=20M tmpfs /opt/gatehouse; ${install}; code=$?; umount /opt/gatehouse; rmdir /opt/gatehouse; exit $code`,
        /the disk of \/opt\/gatehouse has \d+ MiB free.*\nwhat to do: make room/,
      );
      await nothing();
      await refused(
        `unshare --mount sh -c 'mount --bind /etc /etc && mount -o remount,ro,bind /etc && ${install}'`,
        /read-only\nwhat to do: mount it for writing/,
      );
      await nothing();
      const { code, output } = await run(`./gatehouse host:install --url http://auth.example.com`);
      expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining("is not https") });
      expect((await run(`${install} --dry-run`)).output).toContain("would write /etc/gatehouse/gatehouse.env");
      await nothing();
    },
    limitMs,
  );

  test(
    "R-64 an installation that is killed at any moment is completed by the next one",
    async () => {
      for (const seconds of [0.2, 0.4, 0.7, 1.1, 1.6]) await run(`timeout --signal=KILL ${seconds} ${install} || true`);
      const { code, output } = await run(install);
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("installed and ready") });
      expect((await run("find /etc /opt/gatehouse -name '*.new' | grep gatehouse")).output).toBe("");
      await machine.ok(proxied);
      expect(await run("gatehouse host:check")).toEqual({ code: 0, output: expect.stringContaining("all is well") });
    },
    limitMs,
  );

  test(
    "R-60 from the bare binary two commands lead to an account that can sign in",
    async () => {
      await machine.ok("echo 'a long walk by the sea' | gatehouse auth:create-user --email ada@example.com --verified");
      expect(await machine.ok(login)).toStartWith('{"ok":true,"user":{');
      expect(await machine.ok("stat -c '%a %U' /etc/credstore/* /etc/gatehouse/* | sort -u")).toBe("600 root");
      expect(await machine.ok("systemctl is-enabled gatehouse.target gatehouse-api@{1,2} gatehouse-worker")).toBe(
        "enabled\nenabled\nenabled\nenabled",
      );
    },
    limitMs,
  );

  test(
    "R-62 a second installation changes nothing, restarts nothing and says so",
    async () => {
      const before = [await machine.ok(traces), await machine.ok(pids)];
      for (const command of [install, "gatehouse host:install"])
        expect(await run(command)).toEqual({ code: 0, output: "nothing to do: gatehouse is installed and ready\n" });
      expect([await machine.ok(traces), await machine.ok(pids)]).toEqual(before);
    },
    limitMs,
  );

  test(
    "R-63 an edited unit is kept and shown, and a service that was disabled stays so",
    async () => {
      const unit = "/etc/systemd/system/gatehouse-worker.service";
      await machine.ok(`sed -i s/RestartSec=1s/RestartSec=7s/ ${unit}; systemctl daemon-reload`);
      await machine.ok("systemctl disable --quiet --now gatehouse-scheduler");
      const { output } = await run(install);
      expect(output).toContain(`kept, because it was edited here:`);
      expect(output).toContain("\n  -RestartSec=1s\n  +RestartSec=7s\n");
      expect(await machine.ok(`grep RestartSec ${unit}`)).toBe("RestartSec=7s");
      expect((await run("systemctl is-active gatehouse-scheduler")).output).toBe("inactive\n");
      const { code, output: noted } = await run("gatehouse host:check");
      expect(code).toBe(0);
      expect(noted).toContain(`${unit} was edited here`);
      expect(noted).toContain("gatehouse-scheduler.service does not start with the host");
      await machine.ok(`sed -i s/RestartSec=7s/RestartSec=1s/ ${unit}; systemctl daemon-reload`);
      await machine.ok("systemctl enable --quiet --now gatehouse-scheduler");
    },
    limitMs,
  );

  /** A fault, the finding of host:check, and the remedy: the one that the finding names, if a command can help. */
  type Trouble = readonly [broken: string, said: RegExp, mend: string];
  const troubles: readonly (readonly Trouble[])[] = [
    [
      [
        "sed -i 's/^./g/' $(readlink -f /opt/gatehouse/current)/gatehouse.sha256",
        /its binary has changed on disk/,
        "cp gatehouse.sha256 $(readlink -f /opt/gatehouse/current)/gatehouse.sha256",
      ],
      [
        "gatehouse migrate:rollback --step 1 >/dev/null",
        /1 migrations are not applied/,
        "gatehouse migrate >/dev/null",
      ],
      [
        "rm /etc/sysctl.d/60-gatehouse.conf",
        /sysctl\.d\/60-gatehouse\.conf is missing/,
        "gatehouse host:install >/dev/null",
      ],
      [
        "sysctl -qw net.ipv4.tcp_migrate_req=0",
        /tcp_migrate_req is not 1/,
        "sysctl -q -p /etc/sysctl.d/60-gatehouse.conf",
      ],
      [
        "chmod 644 /etc/gatehouse/gatehouse.env",
        /gatehouse\.env is not for root alone/,
        "chmod 600 /etc/gatehouse/gatehouse.env",
      ],
      [
        "chown gatehouse /etc/credstore/gatehouse.APP_KEY",
        /APP_KEY does not belong to root/,
        "chown root:root /etc/credstore/gatehouse.APP_KEY",
      ],
      [
        "touch /var/lib/gatehouse/mine",
        /gatehouse\/mine can't be written by the services/,
        "chown -R gatehouse:gatehouse /var/lib/gatehouse",
      ],
      [
        "touch /etc/systemd/system/gatehouse-worker.service",
        /changed since systemd read them/,
        "systemctl daemon-reload",
      ],
      [
        "systemctl stop gatehouse-worker",
        /gatehouse-worker\.service was stopped\n {7}→ systemctl start gatehouse-worker\.service/,
        "systemctl start gatehouse-worker",
      ],
      [
        "mkdir /opt/gatehouse/releases/.staging.x",
        /left of releases that were cut off/,
        "rmdir /opt/gatehouse/releases/.staging.x",
      ],
      [
        "echo new > /etc/systemd/system/gatehouse-run.service.new",
        /gatehouse-run\.service\.new waits/,
        "rm /etc/systemd/system/gatehouse-run.service.new",
      ],
      // Must come last, because systemd corrects the mode with each service that starts.
      ["chmod 755 /var/lib/gatehouse", /others may look into/, "chmod 700 /var/lib/gatehouse"],
    ],
    [
      [
        "mv /etc/credstore/gatehouse.APP_DIAG_TOKEN kept",
        /the secret \S+APP_DIAG_TOKEN is missing/,
        "mv kept /etc/credstore/gatehouse.APP_DIAG_TOKEN",
      ],
      [
        "echo AUTH_ACCESS_TOKEN_TTL=never >> /etc/gatehouse/gatehouse.env",
        /AUTH_ACCESS_TOKEN_TTL must be/,
        "sed -i /=never/d /etc/gatehouse/gatehouse.env",
      ],
      [
        `systemctl stop gatehouse-api@1 gatehouse-api@2; ${occupy(3000)}`,
        /port 3000 is taken by another program/,
        `${leave}; systemctl start gatehouse-api@1 gatehouse-api@2`,
      ],
    ],
  ];

  test(
    "R-67 host:check names what is wrong and what mends it, after which all is well",
    async () => {
      for (const each of troubles) {
        await machine.ok(each.map(([broken]) => broken).join("\n"));
        const { code, output } = await run("gatehouse host:check");
        const said = output.replaceAll(/\n {7}(?!→)/g, " ");
        expect(code).toBe(1);
        for (const [, trouble] of each) expect(said).toMatch(trouble);
        expect(said).not.toContain("could not be looked at");
        await machine.ok(`set -e\n${each.map(([, , mend]) => mend).join("\n")}`);
        expect(await run("gatehouse host:check")).toEqual({ code: 0, output: expect.stringContaining("all is well") });
      }
      // Without the link the command has no binary, and says which one to take.
      await machine.ok("rm /opt/gatehouse/current");
      await refused("gatehouse user:list", /no release on this host.+\n.+\.\/gatehouse host:install/);
      await machine.ok("./gatehouse host:install");
      const { code, output } = await run("gatehouse host:check --json");
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('"ok":true,"app":"gatehouse"') });
    },
    limitMs,
  );

  test(
    "R-68 the admin app is installed beside it, and both are taken off again without a loss",
    async () => {
      const { code, output } = await run("./gatehouse-admin host:install --url https://admin.auth.example.com");
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("gatehouse-admin is installed") });
      expect(await machine.ok("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:3001/login")).toBe("200");
      await machine.ok(proxied);
      expect((await run("gatehouse-admin host:check")).code).toBe(0);
      await refused("gatehouse host:uninstall --yes", /gatehouse-admin is installed on this host, too/);
      expect((await run("gatehouse-admin host:uninstall </dev/null")).code).toBe(2);
      await machine.ok("gatehouse-admin host:uninstall --yes && gatehouse host:uninstall --yes");
      expect(await machine.ok(`${traces} | sed 's/ .*//'`)).toBe(
        ["API_JWT_SECRET_KEY", "APP_DIAG_TOKEN", "APP_KEY"]
          .map((variable) => `/etc/credstore/gatehouse.${variable}`)
          .toSpliced(0, 0, "/etc/credstore/gatehouse.ADMIN_APP_DIAG_TOKEN")
          .concat("/etc/gatehouse/gatehouse.env")
          .join("\n"),
      );
      expect((await run("systemctl list-units --all --no-legend 'gatehouse*'")).output).toBe("");
      await machine.ok("./gatehouse host:install");
      expect(await machine.ok(login)).toStartWith('{"ok":true,"user":{');
    },
    limitMs,
  );

  test(
    "R-69 a host changes its topology by an uninstallation and an installation, and serves in each",
    async () => {
      await refused("gatehouse host:install --topology ports", /with --topology shared\nwhat to do: .*uninstall/);
      const settings = "/etc/gatehouse/gatehouse.env";
      const change = async (topology: string, edit: string, ports: readonly number[]): Promise<void> => {
        await machine.ok("gatehouse host:uninstall --yes");
        await refused(`./gatehouse host:install --topology ${topology}`, /API_HTTP_\S+\nwhat to do: \S/);
        await machine.ok(`sed -i -E '${edit}' ${settings} && ./gatehouse host:install --topology ${topology}`);
        for (const port of ports)
          expect(await machine.ok(`curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:${port}/-/ready`)).toBe(
            "200",
          );
        const checked = await run("gatehouse host:check");
        expect(checked).toEqual({ code: 0, output: expect.stringContaining("all is well") });
      };
      await change("ports", "s/^((ADMIN_)?API_HTTP_(REUSE_)?PORT=)/#\\1/", [3000, 3002]);
      await change("shared", "s/^#(API_HTTP_(REUSE_)?PORT=)/\\1/", [3000]);
      await change("single", "s/^(API_HTTP_REUSE_PORT=)/#\\1/", [3000]);
    },
    limitMs,
  );
});
