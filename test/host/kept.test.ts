import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// What is said where the sandbox of the services lets nothing out to a server that they need, on a host with a real systemd.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "behind a sandbox" : `behind a sandbox (needs ${lack})`;
const limitMs = 180_000;
const settings = "/etc/gatehouse/gatehouse.env";

let machine: Machine;
beforeAll(async () => {
  if (lack !== undefined) return;
  machine = await bootMachine();
  for (const file of ["gatehouse", "gatehouse.sha256"]) await machine.copy(join(dist, file), `/root/${file}`);
  await machine.ok("ip address add 10.9.9.9/32 dev lo; ip address add 10.9.9.53/32 dev lo");
  await machine.ok("chmod 755 gatehouse && ./gatehouse host:install --url https://auth.example.com", { limitMs });
  await machine.ok(`sed -i /^BACKUP_DISK/d ${settings}; cp ${settings} kept`);
}, limitMs);
afterAll(() => machine?.stop(), limitMs);

const said = (name: string, address = "10.9.9.9"): string =>
  `the sandbox of this process, or a firewall of this host, lets nothing out to ${name}: add the line IPAddressAllow=${address} below [Service] in ` +
  "/etc/systemd/system/gatehouse-.service.d/40-network.conf, then run systemctl daemon-reload and release:restart";
const set = (...lines: readonly string[]): string =>
  [
    "cp kept " + settings,
    ...lines.map((line) => `sed -i '/^${line.split("=")[0]}=/d' ${settings}; echo '${line}' >> ${settings}`),
  ].join("\n");
const run = async (script: string) => (await machine.run(script, { limitMs: 90_000 })).output;

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-78 a relay and the resolver of its name are told with the line to add, which lets mails out",
    async () => {
      await machine.ok(set("MAIL_SMTP_HOST=10.9.9.9"));
      expect(await run("gatehouse mail:test ada@example.com")).toContain(said("10.9.9.9"));
      expect((await run("gatehouse host:check")).replaceAll(/\n {7}(?!→)/g, " ")).toMatch(
        /^wrong {2}the sandbox of the services, or a firewall of this host, keeps them from the mail relay 10\.9\.9\.9:25.*\n {7}→ add the line IPAddressAllow=10\.9\.9\.9 below \[Service\] in /m,
      );
      await machine.ok(
        `cp /etc/resolv.conf resolver; echo nameserver 10.9.9.53 > /etc/resolv.conf; ${set("MAIL_SMTP_HOST=mail.example.org")}`,
      );
      expect(await run("gatehouse mail:test ada@example.com")).toContain(
        said("the resolver 10.9.9.53, so that mail.example.org is not found", "10.9.9.53"),
      );
      const drop = "/etc/systemd/system/gatehouse-.service.d/40-network.conf";
      await machine.ok(
        `printf '[Service]\nIPAddressAllow=10.9.9.9\n' > ${drop}; systemctl daemon-reload; ${set("MAIL_SMTP_HOST=10.9.9.9")}`,
      );
      expect(await run("gatehouse mail:test ada@example.com")).toContain("ECONNREFUSED 10.9.9.9:25");
      await machine.ok(`rm ${drop}; systemctl daemon-reload; cp resolver /etc/resolv.conf`);
    },
    limitMs,
  );

  test(
    "R-78 so are PostgreSQL, a storage disk and Redis",
    async () => {
      await machine.ok(set("DB_DRIVER=postgres"));
      await machine.ok("echo 'postgres://a:b@10.9.9.9:5432/x?sslmode=require' > /etc/credstore/gatehouse.DB_URL");
      expect(await run("gatehouse migrate:status")).toContain(said("10.9.9.9"));
      await machine.ok("rm /etc/credstore/gatehouse.DB_URL");
      const disk = {
        DRIVER: "s3",
        BUCKET: "backups",
        REGION: "eu",
        ENDPOINT: "https://10.9.9.9",
        ACCESS_KEY_ID: "a",
        SECRET_ACCESS_KEY: "b".repeat(32),
      };
      await machine.ok(
        set("BACKUP_DISK=offsite", ...Object.entries(disk).map(([name, value]) => `STORAGE_OFFSITE_${name}=${value}`)),
      );
      expect(await run("gatehouse backup:list --disk offsite")).toContain(said("10.9.9.9"));
      await machine.ok(set("CACHE_DRIVER=redis"));
      await machine.ok("echo 'redis://10.9.9.9:6379/0' > /etc/credstore/gatehouse.REDIS_URL");
      expect(await run("gatehouse release:restart --settle 0 --ready-within 5")).toContain(said("10.9.9.9"));
    },
    limitMs,
  );
});
