import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { bootMachine, whyNoMachine, type Machine, type Outcome } from "../release/machine.ts";
import { testTarget } from "../support/process.ts";

// Runs the command of an installed host, with a real systemd, on files of its caller in /tmp, in a home and elsewhere.
const dist = join(import.meta.dir, "..", "..", "dist");
const lack = testTarget === "binary" ? whyNoMachine() : "GATEHOUSE_TEST_TARGET=binary";
const title = lack === undefined ? "files of the caller" : `files of the caller (needs ${lack})`;
const limitMs = 180_000;

let machine: Machine;

beforeAll(async () => {
  if (lack !== undefined) return;
  if (!existsSync(join(dist, "gatehouse"))) throw new Error("dist/gatehouse is missing: run the build first");
  machine = await bootMachine();
  for (const file of ["gatehouse", "gatehouse.sha256"]) await machine.copy(join(dist, file), `/root/${file}`);
  await machine.ok("chmod 755 gatehouse && ./gatehouse host:install --url https://auth.example.com", { limitMs });
  await machine.ok("echo 'a long walk by the sea' | gatehouse auth:create-user --email ada@example.com --verified");
}, limitMs);
afterAll(() => machine?.stop(), limitMs);

const run = (script: string): Promise<Outcome> => machine.run(script, { limitMs: 90_000 });
const refused = async (script: string, reason: RegExp): Promise<void> =>
  expect(await run(script)).toEqual({ code: 1, output: expect.stringMatching(reason) });
const ballast = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 300000)
  insert into audit_events (id, at, app, action, outcome, actor, count)
  select 'ballast-' || i, 1790000000000 + i, 'app', 'auth.logged-in', 'success', 'user', 1 from n`;

/** Everything that a command may leave behind when it is over. */
const leftovers =
  "ls -d /run/gatehouse-command-* /var/tmp/gatehouse-command-* /tmp/*.partial /root/*.partial 2>/dev/null";
const nothingLeft = async (): Promise<void> => expect((await run(leftovers)).output).toBe("");

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "R-73 a backup, with its manifest, is where the caller said, and is the caller's alone",
    async () => {
      await machine.ok("mkdir -p '/srv/a b:c'");
      for (const path of ["/tmp/x.db", "/root/x.db", "/srv/a b:c/x.db"]) {
        const said = await machine.ok(`gatehouse backup:create --output '${path}'`);
        expect(said).toMatch(/^wrote .+ \(\d+ bytes\)$/);
        expect(said).toStartWith(`wrote ${path} (`);
        expect(await machine.ok(`stat -c '%a %U %h' '${path}' '${path}.manifest.json' | sort -u`)).toBe("600 root 1");
        expect(await machine.ok(`gatehouse backup:verify --input='${path}'`)).toContain(`whole: ${path}`);
      }
      // A relative path is the caller's, too.
      expect(await machine.ok("cd /tmp && gatehouse backup:create --output y.db --json")).toContain(
        '"path":"/tmp/y.db"',
      );
      await nothingLeft();
    },
    limitMs,
  );

  test(
    "R-14 the sandbox of the services has no login, and a row names the person behind sudo all the same",
    async () => {
      const login = (await machine.ok("cat /proc/self/loginuid 2>/dev/null || echo 4294967295")).trim();
      const expected =
        login === "4294967295" ? "grace" : (await machine.ok(`getent passwd ${login} | cut -d: -f1`)).trim();
      await machine.ok("SUDO_USER=grace gatehouse user:disable ada@example.com");
      await machine.ok("SUDO_USER=grace gatehouse user:export --user ada@example.com --output /tmp/ada.json");
      await machine.ok("SUDO_USER='x; reboot' gatehouse user:enable ada@example.com");
      const listed = await machine.ok("gatehouse audit:list --user ada@example.com --json");
      const rows = listed.split("\n").map((line): { action: string; operator: string | null } => JSON.parse(line));
      const byAction = Object.fromEntries(rows.map(({ action, operator }) => [action, operator]));
      expect(byAction).toMatchObject({ "auth.user-disabled": expected, "auth.user-exported": expected });
      if (login === "4294967295") expect(byAction).toMatchObject({ "auth.user-enabled": null });
      await machine.ok("rm /tmp/ada.json");
      await nothingLeft();
    },
    limitMs,
  );

  test(
    "R-73 a backup in a home is restored, what is tampered with is refused, and encrypted ones by a key that root alone has",
    async () => {
      await machine.ok("gatehouse user:disable ada@example.com");
      await machine.ok(
        "systemctl stop gatehouse.target && cp x.db bent.db && cp x.db.manifest.json bent.db.manifest.json",
      );
      await machine.ok("printf x | dd of=bent.db bs=1 seek=5000 conv=notrunc status=none");
      await refused("gatehouse backup:restore --input bent.db --force", /\/root\/bent\.db/);
      expect(await machine.ok("gatehouse backup:restore --input x.db --force")).toContain("from /root/x.db");
      await machine.ok("systemctl start gatehouse-api@{1,2} gatehouse-worker gatehouse-scheduler gatehouse.target");
      expect(await machine.ok("gatehouse user:show ada@example.com")).not.toContain("disabled");
      expect(await machine.ok("stat -c %U /var/lib/gatehouse/app.db")).toBe("gatehouse");
      await machine.ok(
        "umask 077; age-keygen -o key.txt 2>/dev/null; age -r $(age-keygen -y key.txt) -o x.db.age x.db",
      );
      const verify = "gatehouse backup:verify --unverified --input x.db.age";
      expect(await machine.ok(`${verify} --identity key.txt`)).toContain("whole: /root/x.db.age");
      await refused(verify, /--identity names the file/);
      await nothingLeft();
    },
    limitMs,
  );

  test(
    "R-73 accounts leave into a file for its owner alone, and come back from one",
    async () => {
      expect(await machine.ok("gatehouse user:export --with-hashes --output /tmp/people.ndjson")).toBe(
        "wrote 1 accounts to /tmp/people.ndjson",
      );
      expect(await machine.ok("stat -c '%a %U' /tmp/people.ndjson && wc -l < /tmp/people.ndjson")).toBe("600 root\n1");
      // What is printed, and not written by the command, goes where the caller has led it, behind what is there.
      expect(await machine.ok("gatehouse user:export > rows && wc -l < rows")).toBe("1");
      await machine.ok("echo before > said; gatehouse user:export --output /tmp/again.ndjson >> said");
      expect(await machine.ok("cat said; rm said rows")).toBe("before\nwrote 1 accounts to /tmp/again.ndjson");
      await machine.ok(
        'sed s/ada@/grace@/g /tmp/people.ndjson | sed \'s/"id":"[^"]*",//\' > people && chmod 600 people',
      );
      expect((await run("gatehouse user:import people")).output).toContain("1 account imported");
      expect((await run("gatehouse user:import - < people")).output).toContain("already");
      // More than is handed over in memory.
      await machine.ok('yes "$(cat people)" | head -n 4000 > more');
      expect(await machine.ok("stat -c %s more")).toMatch(/^\d{7}$/);
      expect(await machine.ok("gatehouse user:import --dry-run more")).toContain("4,000 accounts left as they are");
      expect((await run("gatehouse user:import /root/absent")).output).toContain("/root/absent: there is no such file");
      expect((await run("gatehouse env:check --file /root/people")).output).toContain("/root/people");
      await nothingLeft();
    },
    limitMs,
  );

  test(
    "R-73 no file of others is overwritten, through no link, and the database not by its own backup",
    async () => {
      await machine.ok("rm -f /tmp/*; echo precious > precious; ln -s /root/precious /tmp/linked; mkdir /tmp/folder");
      for (const command of ["backup:create", "user:export"]) {
        await refused(`gatehouse ${command} --output /root/precious`, /is there already\n.*--force/);
        await refused(`gatehouse ${command} --output /tmp/linked`, /is there already/);
        await refused(`gatehouse ${command} --output /tmp/folder --force`, /is no file/);
        await refused(`gatehouse ${command} --output /tmp/absent/x`, /\/tmp\/absent is no folder/);
        await refused(`gatehouse ${command} --output /proc/x`, /\/proc can't be written|what to do/);
      }
      // A link is replaced, and what it led to is as it was.
      await machine.ok("gatehouse user:export --output /tmp/linked --force");
      expect(await machine.ok("stat -c %F /tmp/linked; cat precious")).toBe("regular file\nprecious");
      await machine.ok("echo SERVER > x.db.manifest.json; gatehouse backup:create --output x.db --force");
      expect(await machine.ok("gatehouse backup:verify --input x.db")).toContain("whole");
      await machine.ok("ln /var/lib/gatehouse/app.db /var/lib/hard.db");
      await refused("gatehouse backup:create --output /var/lib/hard.db --force", /is the database itself/);
      await machine.ok("rm /var/lib/hard.db");
      await nothingLeft();
    },
    limitMs,
  );

  test(
    "R-73 where a unit has a /tmp of its own, a file in it is refused in place of being lost",
    async () => {
      const asBefore =
        "systemd-run --quiet --collect --wait --pipe --unit=gatehouse-command-$RANDOM -- /opt/gatehouse/current/gatehouse";
      const { code, output } = await run(`${asBefore} backup:create --output /tmp/gone.db`);
      expect({ code, output }).toEqual({ code: 2, output: expect.stringContaining("with a /tmp of its own") });
      await machine.ok(
        `${asBefore} backup:create --output /var/lib/gatehouse/kept.db && ls /var/lib/gatehouse/kept.db`,
      );
    },
    limitMs,
  );

  test(
    "R-73 a full disk, a file that comes into being meanwhile and Ctrl-C leave nothing, and nothing is called written",
    async () => {
      await machine.ok("mkdir /small && mount -t tmpfs -o size=200k tmpfs /small");
      const full = await run("gatehouse backup:create --output /small/x.db");
      expect(full).toEqual({ code: 1, output: expect.stringMatching(/full/) });
      expect(full.output).not.toContain("wrote");
      expect(await machine.ok("ls -A /small; umount /small")).toBe("");
      const late = await run(
        "(until ls -d /tmp/late.db.*.partial >/dev/null 2>&1; do :; done; echo mine > /tmp/late.db) & gatehouse backup:create --output /tmp/late.db",
      );
      expect(late).toEqual({ code: 1, output: expect.stringContaining("meanwhile") });
      expect(late.output).not.toContain("wrote");
      expect(await machine.ok("cat /tmp/late.db")).toBe("mine");
      // A backup of so many rows takes longer than it takes to stop it.
      await machine.ok(`runuser -u gatehouse -- sqlite3 -cmd '.timeout 5000' /var/lib/gatehouse/app.db "${ballast}"`);
      const stopped = await run(
        "gatehouse backup:create --output /tmp/s.db & until ls -d /tmp/s.db.*.partial >/dev/null 2>&1; do :; done; kill $!; wait $!",
      );
      expect(stopped.code).not.toBe(0);
      expect(stopped.output).not.toContain("wrote");
      expect(await machine.ok("ls /tmp; systemctl list-units --all --no-legend 'gatehouse-command*'")).not.toContain(
        "s.db",
      );
      await nothingLeft();
    },
    limitMs,
  );
});
