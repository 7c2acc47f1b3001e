import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { manual } from "../support/manual.ts";
import { shellBlocks } from "../support/markdown.ts";
import { makeBuilds, type Builds } from "./builds.ts";
import { createCuts } from "./cut.ts";
import { deadline } from "./deadline.ts";
import { prepareHost, type Host } from "./host.ts";
import { bootMachine, whyNoMachine, type Machine } from "./machine.ts";
import { nameWhoHasThePort, refuseWhatIsWrong, requireSignatures } from "./refusals.ts";
import { createTrial } from "./trial.ts";

// The whole way of a release on a host with a real systemd, while browsers are being served. The tests build on one another.
const lack = whyNoMachine();
const title = lack === undefined ? "a host with systemd" : `a host with systemd (needs ${lack})`;
const setupLimitMs = 240_000;
const testLimitMs = 600_000;

let builds: Builds;
let machine: Machine;
let host: Host;
let trial: ReturnType<typeof createTrial>;

beforeAll(async () => {
  if (lack !== undefined) return;
  builds = await makeBuilds();
  machine = await bootMachine();
  host = await prepareHost(machine, builds);
  trial = createTrial(host, machine);
}, setupLimitMs);
afterAll(async () => {
  trial?.kill();
  await machine?.stop();
  await builds?.remove();
}, setupLimitMs);

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "the Deploy chapter leads from scp to the first login, word for word",
    async () => {
      const login = await host.follow();
      expect(login).toStartWith('{"ok":true,"user":{');
      expect(login).toEndWith("Hello, ada@example.com!");
      // A listener beside TLS spares the browsers the handshakes.
      await machine.ok(`sed -i 's/^  listen 443 ssl http2;/&\\n  listen 127.0.0.1:8080;/' /etc/nginx/conf.d/gatehouse.conf
        systemctl reload nginx`);
      expect(await machine.ok("sysctl -n net.ipv4.tcp_migrate_req")).toBe("1");
      expect([...(await host.pids()).keys()]).toEqual([
        "gatehouse-api@1.service",
        "gatehouse-api@2.service",
        "gatehouse-scheduler.service",
        "gatehouse-worker.service",
      ]);
      for (const path of ["/metrics", "/lighthouse", "/-/maintenance", "/-/maintenance/enable", "/%6detrics"])
        expect(await machine.ok(`curl -sk -o /dev/null -w '%{http_code}' https://auth.example.com${path}`)).toBe("404");
    },
    testLimitMs,
  );

  test(
    "a release rolls while maintenance is on, and says what its smoke request came to",
    async () => {
      await machine.ok("gatehouse maintenance:enable");
      const { code, output } = await host.release("gatehouse release:restart --settle 1");
      expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining("it is in maintenance") });
      expect(await machine.ok("gatehouse maintenance:status")).toContain("maintenance is on");
      await machine.ok("gatehouse maintenance:disable");
    },
    testLimitMs,
  );

  test("each process answers a scrape for itself, where the shipped configuration asks for it", async () => {
    const text = await machine.ok("cat /usr/local/share/gatehouse/monitoring/gatehouse.targets.yml");
    const targets = [...text.matchAll(/"targets":\["(127\.0\.0\.1:\d+)"\]/g)].map(([, target]) => target);
    expect(targets).toHaveLength(4);
    const scrapes = targets.map((target) => `curl -sf http://${target}/metrics | grep ^process_start_time_seconds`);
    const answers = (await machine.ok(`set -e; ${scrapes.join("; ")}`)).split("\n");
    const sources = answers.map((answer) => /source="(\w+)"/.exec(answer)?.[1]);
    expect(sources.toSorted()).toEqual(["http", "http", "jobs", "scheduler"]);
  });

  test("the units are free of mistakes and keep the services in a sandbox of exposure 1.0 or less", async () => {
    const units = (await machine.ok("cd systemd/units && ls -d *.service *.target")).split("\n");
    const admin = "mkdir -p /opt/gatehouse-admin && ln -sfn ../gatehouse/current /opt/gatehouse-admin/current";
    await machine.ok(`${admin}; cp ada/gatehouse /opt/gatehouse/current/gatehouse-admin`);
    for (const app of ["gatehouse", "gatehouse-admin"])
      await machine.ok(`mkdir -p /opt/${app}/releases/i && cp ada/gatehouse /opt/${app}/releases/i/${app}`);
    expect(
      await machine.ok(
        `cd /etc/systemd/system && systemd-analyze verify --man=no --recursive-errors=yes ${units.join(" ")}`,
      ),
    ).toBe("");
    await machine.ok("rm -rf /opt/gatehouse-admin /opt/gatehouse/releases/i /opt/gatehouse/current/gatehouse-admin");
    const services = units.filter((unit) => unit.endsWith(".service")).map((unit) => unit.replace("@.", "@1."));
    for (const unit of services) await machine.ok(`systemd-analyze security --no-pager --threshold=10 ${unit}`);
  });

  test(
    "a service tells systemd that it is up, that it lives, and how long its end may take",
    async () => {
      const show = (unit: string, property: string): Promise<string> =>
        machine.ok(`systemctl show -P ${property} ${unit}`);
      expect(await show("gatehouse-api@1", "StatusText")).toMatch(/^\S+ \(ada\): http$/);
      expect(await machine.ok("ps -o user= -p $(systemctl show -P MainPID gatehouse-worker)")).toBe("gatehouse");

      const unit = "gatehouse-api@lives";
      const dropIn = `/etc/systemd/system/${unit}.service.d`;
      await machine.ok(`mkdir -p ${dropIn}; printf '[Service]\\nWatchdogSec=2s\\nTimeoutStopSec=1s\\nEnvironment=A=1\\n' > ${dropIn}/test.conf
      systemctl daemon-reload; systemctl start ${unit}`);
      const pid = await show(unit, "MainPID");
      await Bun.sleep(5_000);
      expect(await show(unit, "MainPID")).toBe(pid);
      await machine.ok(`kill -STOP ${pid}`);
      await deadline(20_000, "the watchdog did not bite", async () =>
        (await show(unit, "MainPID")) === pid ? undefined : true,
      );
      await deadline(20_000, "it did not come back", async () =>
        (await show(unit, "ActiveState")) === "active" ? true : undefined,
      );
      expect(await machine.ok(`journalctl --no-pager -u ${unit}`)).toContain("Watchdog timeout");
      // The drain lasts longer than the one second that the unit allows: the stop succeeds because the service asked systemd for more time.
      await machine.ok(`systemctl stop ${unit}`);
      expect(await show(unit, "Result")).toBe("success");
      await machine.ok(`rm -r ${dropIn}; systemctl daemon-reload`);
    },
    testLimitMs,
  );

  test(
    "R-50 on one shared port no request is lost: one release after another, a build that does not start, a rollback",
    async () => {
      await trial.withTraffic(3000, async () => {
        await trial.releases("--settle 0.3");
        await trial.expectPutBack(
          "crashing/gatehouse release:activate --settle 0.3",
          /api@2\.service did not become ready/,
        );
        const { code, output } = await host.release("gatehouse release:rollback --settle 0.3 --json 2> steps");
        const current = await host.current();
        expect(current).toEndWith("-grace");
        const previous = expect.stringMatching(/-ada$/);
        expect([code, JSON.parse(output)]).toEqual([0, { done: true, current, previous, unfinished: null }]);
      });
    },
    testLimitMs,
  );

  test(
    "what is wrong with a release is found before anything is restarted",
    async () => {
      await trial.withTraffic(3000, async () => {
        await refuseWhatIsWrong(trial, machine);
      });
    },
    testLimitMs,
  );

  test(
    "R-46 a host that loses its power in a release comes back by the same command, or by a rollback",
    async () => {
      const cuts = createCuts(host, machine);
      await cuts.cutWhen("ada", "the environment is valid");
      await cuts.again("ada");
      await cuts.cutWhen("grace", "gatehouse-scheduler.service runs release");
      await cuts.again("grace");
      await cuts.cutWhen("crashing", "gatehouse-scheduler.service runs release");
      trial.done(await cuts.back("grace"));
    },
    testLimitMs,
  );

  test(
    "the admin app, signed, and the service that is all in one are run in the same way",
    async () => {
      for (const file of ["gatehouse-admin", "gatehouse-admin.sha256"])
        await machine.copy(join(builds.folder("ada"), file), `/root/admin/${file}`);
      await requireSignatures(host, machine);
      await machine.ok("systemctl start gatehouse-admin-api@3001 gatehouse-run");
      expect(await machine.ok("curl -s http://127.0.0.1:3001/-/ready")).toBe('{"status":"ready","app":"admin"}');
      expect(await machine.ok("systemctl show -P StatusText gatehouse-run")).toEndWith("http, worker, scheduler");
      trial.done(await host.release("/opt/gatehouse-admin/current/gatehouse-admin release:restart --settle 0"));
      await machine.ok("systemctl stop gatehouse-admin-api@3001 gatehouse-run");
    },
    testLimitMs,
  );

  test(
    "a backup is made while browsers are served, and put back",
    async () => {
      const [create = "", restore = ""] = shellBlocks(manual, "Backups");
      await trial.withTraffic(3000, async () => trial.done(await machine.run(`set -e; ${create}`)));
      trial.done(await machine.run(`set -e; ${restore}`));
      await deadline(10_000, "nothing serves", async () => machine.ok("curl -sf http://127.0.0.1:3000/-/ready"));
    },
    testLimitMs,
  );

  test(
    "R-45 one release at a time, and one that is interrupted is put back",
    async () => {
      await trial.withTraffic(8080, async () => {
        const first = host.release("gatehouse release:restart --settle 0.3 | tee first");
        // The lock itself is not probed: the test would hold it, perhaps at the moment at which the first release needs it.
        await deadline(60_000, "the first did not begin", async () =>
          (await machine.ok("cat first")).includes("the environment is valid") ? true : undefined,
        );
        const second = await host.release("gatehouse release:restart");
        expect({ code: second.code, output: second.output }).toEqual({
          code: 1,
          output: expect.stringMatching(/another release of gatehouse is under way[\s\S]*what to do: wait/),
        });
        trial.done(await first);

        const before = await host.current();
        await machine.ok("ada/gatehouse release:activate --settle 1 > interrupted 2>&1 & echo $! > pid");
        await deadline(60_000, "no instance was reached", async () =>
          (await machine.ok("cat interrupted")).includes("scheduler.service runs release") ? true : undefined,
        );
        await machine.ok("kill -TERM $(cat pid)");
        const report = await deadline(90_000, "it did not end", async () => {
          const text = await machine.ok("cat interrupted");
          return text.includes("what to do") ? text : undefined;
        });
        expect(report).toMatch(/FAILED while rolling out release \S+-ada to gatehouse-api@[12]\.service: interrupted/);
        expect(report).toContain("gatehouse-scheduler.service is back on release");
        expect(report).not.toContain("DOES NOT COME BACK");
        expect(await host.current()).toBe(before);
      });
    },
    testLimitMs,
  );

  test(
    "a new signing key comes in without signing anyone out",
    async () => {
      const [rotation = ""] = shellBlocks(manual, "Keys");
      await trial.withTraffic(8080, async () => {
        const before = await machine.ok("cat /etc/credstore/gatehouse.API_JWT_SECRET_KEY");
        trial.done(await machine.run(`set -e; ${rotation}`, { limitMs: 90_000 }));
        expect(await machine.ok("cat /etc/credstore/gatehouse.API_JWT_SECRET_KEY")).not.toBe(before);
      });
    },
    testLimitMs,
  );

  test(
    "behind HAProxy nobody reaches what is the operator's",
    async () => {
      await machine.ok(`systemctl disable --now gatehouse-api@1 gatehouse-api@2 nginx 2>&1
      sed -i '/^API_HTTP_/d' /etc/gatehouse/gatehouse.env
      systemctl enable --now gatehouse-api@3000 gatehouse-api@3002 2>&1
      { cat systemd/proxy/haproxy.cfg; printf 'frontend plain\n  bind 127.0.0.1:8080\n  default_backend gatehouse\n'; } > /etc/haproxy/haproxy.cfg
      haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl restart haproxy`);
      await deadline(
        30_000,
        "HAProxy serves nothing",
        async () => await machine.ok("curl -sf http://127.0.0.1:8080/-/ready"),
      );
      const denied = ["/metrics", "/Lighthouse/api", "/-/maintenance", "//-/maintenance/enable", "/%6detrics"];
      for (const path of denied)
        expect(await machine.ok(`curl -sk -o /dev/null -w '%{http_code}' https://auth.example.com${path}`)).toBe("404");
    },
    testLimitMs,
  );

  // The check rolls releases in one topology, and in both with --full.
  if (process.env["GATEHOUSE_RELEASE_TOPOLOGIES"] === "all")
    test(
      "R-50 behind HAProxy no request is lost: one release after another, a build that does not get ready, a rollback",
      async () => {
        await trial.withTraffic(8080, async () => {
          await trial.releases("--settle 1");
          await trial.expectPutBack(
            "unready/gatehouse release:activate --settle 1 --ready-within 4",
            /api@3002\.service did not become ready/,
          );
          trial.done(await host.release("gatehouse release:rollback --settle 1"));
          expect(await host.current()).toEndWith("-grace");
        });
      },
      testLimitMs,
    );

  test(
    "a build that listens and never gets ready is put back",
    async () => {
      await trial.expectPutBack(
        "unready/gatehouse release:activate --settle 0 --ready-within 4",
        /api@3002\.service did not become ready/,
      );
    },
    testLimitMs,
  );

  test("a release names the program that has an instance's port", () => nameWhoHasThePort(host, machine), testLimitMs);
});
