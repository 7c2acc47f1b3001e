import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";
import { certificate, makeSurroundings, proxied, type Relay } from "./surroundings.ts";

// What host:check finds outside of the services: name, proxy, certificate and relay, on a host with a real systemd, nginx and relay.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack =
  testTarget === "binary"
    ? (whyNoMachine() ?? (Bun.which("faketime") === null ? "faketime" : undefined))
    : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "what is around a host" : `what is around a host (needs ${lack})`;
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
const set = (line: string): string => `sed -i -E 's/^${line.split("=")[0]}=.*/${line}/' ${settings}`;
/** Folds a report into lines of one finding each. */
const check = async () => {
  const { code, output } = await machine.run("gatehouse host:check", { limitMs: 90_000 });
  return { code, said: output.replaceAll(/\n {7}(?!→|looked)/g, " ") };
};

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-75 a host that is well says what was looked at, from outside, too",
    async () => {
      const { code, said } = await check();
      expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining("all is well") });
      expect(said).toContain("from outside at https://auth.example.com and the relay 127.0.0.1:25");
    },
    limitMs,
  );

  test(
    "status shows a host on one screen, and goes on where parts of it are down",
    async () => {
      await machine.ok("echo 'a long walk by the sea' | gatehouse auth:create-user --email ada@example.com --verified");
      await machine.ok("gatehouse backup:create --disk default && gatehouse backup:drill");
      const said = await machine.ok("gatehouse status");
      for (const line of [
        /^address +https:\/\/auth\.example\.com answers 200$/m,
        /^release +\d+\.\d+\.\d+-\w+/m,
        /^services +gatehouse-api@1 active for \d+ /m,
        /^ +gatehouse-scheduler active for /m,
        /^readiness +port 3000 is ready$/m,
        /^queue +no job waits, 0 dead letters$/m,
        /^certificate +ends on \d{4}-\d\d-\d\d, in \d+ days$/m,
        /^last backup +\d{4}-.+ UTC, \d+ s ago\n +\(backups\//m,
        /^last drill +\d{4}-.+ UTC, \d+ s ago: success$/m,
        /^disk +\/var\/lib\/gatehouse has [\d.]+ MB free \(\d+ %\)$/m,
      ])
        expect(said).toMatch(line);
      expect(said.split("\n").length).toBeLessThan(24);
      expect(JSON.parse(await machine.ok("gatehouse status --json"))).toMatchObject({
        app: "gatehouse",
        readiness: [{ port: 3000, ready: true, partly: false, reasons: [] }],
        maintenance: false,
        drill: { outcome: "success" },
        dead_letters: 0,
      });
      await machine.ok("systemctl stop nginx gatehouse-worker gatehouse-api@1 gatehouse-api@2");
      const down = await machine.ok("gatehouse status");
      expect(down).toMatch(/^services +gatehouse-api@1 inactive/m);
      expect(down).toMatch(/^readiness +port 3000 is NOT READY: none of its instances runs$/m);
      expect(down).toMatch(/^certificate +not known: https:\/\/auth\.example\.com does not answer/m);
      await machine.ok("systemctl start nginx gatehouse-worker gatehouse-api@1 gatehouse-api@2");
    },
    limitMs,
  );

  test(
    "logs shows what the services of the app have written, of one role, of a time, and errors alone",
    async () => {
      const all = await machine.ok("gatehouse logs --lines 1000");
      expect(all).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d gatehouse-api@1 info: listening$/m);
      expect(all).toMatch(/ gatehouse-worker info: started$/m);
      const worker = await machine.ok("gatehouse logs --role worker");
      expect(worker).toContain(" gatehouse-worker ");
      expect(worker).not.toContain("gatehouse-api");
      expect(await machine.ok("gatehouse logs --role worker --json | head -1")).not.toBe("");
      expect(await machine.ok("gatehouse logs --since '2000-01-01' --lines 3 --role api | wc -l")).toBe("3");
      expect(await machine.ok("gatehouse logs --since -1h --lines 3 --role api | wc -l")).toBe("3");
      // What went wrong is found below all that went well since, and what systemd says of every start and end is no error.
      await machine.run("systemctl stop gatehouse-worker; systemctl kill -s KILL gatehouse-scheduler; sleep 2");
      await machine.ok("systemctl start gatehouse-worker; for i in 1 2 3; do gatehouse about >/dev/null; done");
      const errors = await machine.ok("gatehouse logs --errors --lines 3");
      expect(errors).toMatch(/ gatehouse-scheduler .*Failed with result 'signal'/);
      expect(errors).not.toMatch(/ info: |Started|Stopped|Starting|Stopping|Deactivated/);
      const unread = await machine.run("gatehouse logs --since nonsense");
      expect(unread.code).toBe(1);
      expect(unread.output).toMatch(/"nonsense" is no time.*\nwhat to do: give one such as -1h/);
      // It goes on until it is stopped.
      const followed = await machine.ok(
        "(timeout -s INT 5 gatehouse logs --follow --lines 1 --role worker > followed || true) & sleep 1; systemctl restart gatehouse-worker; wait; cat followed",
      );
      expect(followed).toContain("gatehouse-worker info: started");
    },
    limitMs,
  );

  test(
    "R-76 release:restart opens the database before it touches anything",
    async () => {
      const pids = "systemctl show -P MainPID gatehouse-api@1 gatehouse-api@2 gatehouse-worker gatehouse-scheduler";
      const before = await machine.ok(pids);
      for (const [line, reason] of [
        [
          set("DB_DATABASE=\\/var\\/lib\\/gatehouse\\/ap.db"),
          /the database of these settings is not there, or lacks \d+ migrations/,
        ],
        [set("DB_DATABASE=\\/etc"), /can't open the database/],
      ] as const) {
        await machine.ok(line);
        const { code, output } = await machine.run("gatehouse release:restart", { limitMs: 90_000 });
        expect({ code, output }).toEqual({ code: 1, output: expect.stringMatching(reason) });
        expect(output).toMatch(/nothing was restarted.*\n.*what to do: \S/);
        expect(await machine.ok(pids)).toBe(before);
      }
      await machine.ok(set("DB_DATABASE=\\/var\\/lib\\/gatehouse\\/app.db"));
      await machine.ok("gatehouse release:restart --settle 0", { limitMs: 90_000 });
      expect(await machine.ok(pids)).not.toBe(before);
    },
    limitMs,
  );

  const troubles: readonly (readonly [title: string, broken: string, said: RegExp, mended: string])[] = [
    [
      "a proxy that is down",
      "systemctl stop nginx",
      /^wrong {2}nothing listens at auth\.example\.com \(127\.0\.0\.1, port 443\).*\n {7}→ systemctl status nginx/m,
      "systemctl start nginx",
    ],
    [
      "a certificate that ended yesterday",
      `${certificate("19").trim()}\nsystemctl reload nginx`,
      /^wrong {2}the certificate of auth\.example\.com ended on .+ UTC\n {7}→ renew it/m,
      `${certificate("110").trim()}\nsystemctl reload nginx`,
    ],
    [
      "a proxy that reaches no instance",
      "sed -i s/127.0.0.1:3000/127.0.0.1:3999/ /etc/nginx/conf.d/gatehouse.nginx.conf; systemctl reload nginx",
      /^wrong {2}\S+ is answered with 502: the proxy answers, and reaches no instance/m,
      "sed -i s/127.0.0.1:3999/127.0.0.1:3000/ /etc/nginx/conf.d/gatehouse.nginx.conf; systemctl reload nginx",
    ],
    [
      "a relay that is not there",
      set("MAIL_SMTP_PORT=26"),
      /^wrong {2}the mail relay 127\.0\.0\.1:26 takes no mail.*ECONNREFUSED.*\n {7}→ see that it runs/m,
      set("MAIL_SMTP_PORT=25"),
    ],
    [
      "a relay that the sandbox keeps the services from",
      `ip address add 10.9.9.9/32 dev lo; ${set("MAIL_SMTP_HOST=10.9.9.9")}`,
      /^wrong {2}the sandbox of the services, or a firewall of this host, keeps them from the mail relay 10\.9\.9\.9:25.*\n {7}→ add the line IPAddressAllow=10\.9\.9\.9 below \[Service\] in /m,
      `ip address del 10.9.9.9/32 dev lo; ${set("MAIL_SMTP_HOST=127.0.0.1")}`,
    ],
    [
      "a name that is not found",
      "sed -i s/auth.example.com/other.example.com/ /etc/hosts; sed -i 's/^hosts:.*/hosts: files/' /etc/nsswitch.conf",
      /^wrong {2}the name auth\.example\.com is not found.*\n {7}→ make a DNS record/m,
      "cp /etc/hosts hosts; sed s/other.example.com/auth.example.com/ hosts > /etc/hosts",
    ],
  ];

  test.each(troubles)(
    "R-75 %s is told with what mends it",
    async (_, broken, reason, mended) => {
      await machine.ok(broken);
      const { code, said } = await check();
      expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(reason) });
      await machine.ok(mended);
      const again = await check();
      expect(again.said.match(/^wrong.*/gm) ?? []).toEqual([]);
    },
    limitMs,
  );
});
