import { afterEach, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseCheck, maintenanceCheck, proxyCheck } from "../../src/host/check/data.checks.ts";
import { programCheck } from "../../src/host/check/program.checks.ts";
import { lineCheck, presenceCheck, secretCheck } from "../../src/host/check/file.checks.ts";
import { clockCheck } from "../../src/host/check/machine.checks.ts";
import type { HostView } from "../../src/host/check/finding.ts";
import { hostThatPrints } from "./printing.host.ts";
import { kernelProblem } from "../../src/host/install/needs.ts";

import { readableLine } from "../../src/host/system/readable.line.ts";
import { askPorts, askReadiness } from "../../src/host/readiness.ts";

// Findings of host:check that can't be provoked on a host in a test: time that has passed, and answers of others.
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const day = 24 * 3_600_000;
const ago = (days: number): string => new Date(Date.now() - days * day).toISOString();

const migration = { id: "0001_accounts", state: "applied", applied_at: ago(9) };
const backup = (days: number) => ({ file: "backups/one.db", bytes: 1, modified_at: ago(days) });

test("R-67 a backup that is older than a day is told, and on a host of its first day none is asked for", async () => {
  const problems = async (migrations: readonly object[], backups: readonly object[] | string) =>
    (await databaseCheck(hostThatPrints({ "migrate:status": migrations, "backup:list": backups }))).map(
      ({ level, problem }) => `${level}: ${problem}`,
    );
  expect(await problems([migration], [backup(3), backup(0.5)])).toEqual([]);
  expect(await problems([migration], [backup(3), backup(2)])).toEqual([
    expect.stringMatching(/^wrong: the latest backup on disk default is of \d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  ]);
  expect(await problems([migration], [])).toEqual(["wrong: there is no backup on disk default"]);
  // A backup that nothing proves does not count. A release from before manifests says nothing of them.
  expect(await problems([migration], [backup(3), { ...backup(0.5), manifest: true }])).toEqual([]);
  expect(
    await problems(
      [migration],
      [
        { ...backup(0.5), manifest: false },
        { ...backup(0.6), manifest: true },
      ],
    ),
  ).toEqual(["note: the latest backup on disk default has no manifest: a restore takes it with --unverified alone"]);
  expect(await problems([{ ...migration, applied_at: ago(0.5) }], [])).toEqual([]);
  expect(await problems([migration], "the bucket is away")).toEqual([
    "wrong: the backups on disk default can't be listed: the bucket is away",
  ]);
});

test("R-67 a database that is newer than the release is told, and one that can't be read", async () => {
  const later = { id: "0099_later", state: "unknown", applied_at: ago(0.1) };
  const found = await databaseCheck(hostThatPrints({ "migrate:status": [migration, later] }, { settings: {} }));
  expect(found).toMatchObject([
    { level: "wrong", problem: "the database is newer than release 0.1.0-ada: it has 0099_later" },
  ]);
  const locked = await databaseCheck(hostThatPrints({ "migrate:status": "gatehouse migrate:status: it is locked" }));
  expect(locked).toMatchObject([{ problem: expect.stringContaining("it is locked") }]);
});

test("R-67 a database that can't be read is told with what mends it, and one that is empty is not taken for an old one", async () => {
  const told = async (said: string | readonly object[]) => databaseCheck(hostThatPrints({ "migrate:status": said }));
  const mends: Readonly<Record<string, string>> = {
    "can't be opened for writing: EROFS: read-only file system": "mount -o remount,rw",
    "EACCES: permission denied, access '/var/lib/gatehouse/app.db'": "chown -R gatehouse:gatehouse /var/lib/gatehouse",
    "nothing listens at its address (ERR_POSTGRES_CONNECTION_REFUSED)": "systemctl status postgresql",
    "the user or the password was refused (28P01)": "/etc/credstore/gatehouse.DB_URL",
    "the server has no connection left (53300)": "max_connections",
    "something else": "gatehouse migrate:status; see gatehouse env:check",
  };
  for (const [said, mend] of Object.entries(mends))
    expect(await told(said)).toMatchObject([{ level: "wrong", mend: expect.stringContaining(mend) }]);
  expect(await told([{ ...migration, state: "pending", applied_at: null }])).toMatchObject([
    { level: "wrong", problem: expect.stringMatching(/^the database is empty, or is not there/) },
  ]);
});

test("R-67 a drill that failed is told until one succeeds", async () => {
  const found = (outcome: string) =>
    databaseCheck(
      hostThatPrints({
        "migrate:status": [migration],
        "backup:list": [backup(0.5)],
        "audit:list": [{ at: ago(1), outcome }],
      }),
    );
  expect(await found("success")).toEqual([]);
  expect(await found("failure")).toMatchObject([
    { problem: expect.stringMatching(/^the last drill of the backups failed, at .+ UTC$/) },
  ]);
});

test("R-67 a proxy that Gatehouse was not told of is told by its metrics", async () => {
  const serve = (count: number): number => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(`# HELP a b\nhttp_forgotten_proxy_requests_total{source="http"} ${count}\n`),
    });
    ends.push(() => server.stop(true));
    return server.port ?? 0;
  };
  const view = (...ports: readonly number[]) =>
    hostThatPrints({}, { units: { all: [], http: [], ports, scraped: [] } });
  expect(await proxyCheck(view(serve(0)))).toEqual([]);
  expect(await proxyCheck(view(serve(0), serve(7)))).toMatchObject([{ problem: expect.stringMatching(/^7 requests/) }]);
});

test("K-04 a clock that has jumped is told for as long as it is not trusted, and the hour after a start is not", async () => {
  const serve = (trusted: number, jumps: number): number => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(
          `# HELP clock_trusted x\nclock_trusted{app="app",source="http"} ${trusted}\n` +
            `clock_jumps_total{app="app",seen="jump"} 0\nclock_jumps_total{app="app",seen="tick"} ${jumps}\n`,
        ),
    });
    ends.push(() => server.stop(true));
    return server.port ?? 0;
  };
  const found = async (...ports: readonly number[]) => {
    const host = hostThatPrints({}, { units: { all: [], http: [], ports, scraped: [] } });
    const system = { ...host.system, run: async () => ({ code: 0, output: "yes", complaint: "" }) };
    return clockCheck({ ...host, system });
  };
  expect(await found()).toEqual([]);
  expect(await found(serve(0, 0), serve(1, 3))).toEqual([]);
  const port = serve(0, 2);
  expect(await found(serve(1, 0), port)).toEqual([
    {
      level: "wrong",
      problem: expect.stringContaining(`(ports ${port}): nothing is deleted by age`),
      mend: expect.stringContaining("timedatectl"),
    },
  ]);
});

test("readiness is asked with the token and says its reasons, and what is not Gatehouse is known as such", async () => {
  const checks = [
    { type: "db", name: "default", status: "failed", error: "the disk is full" },
    { type: "cache", name: "default", status: "ok" },
  ];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ headers }) =>
      headers.get("authorization") === "Bearer token"
        ? Response.json({ status: "not_ready", app: "app", checks }, { status: 503 })
        : new Response("<html>"),
  });
  ends.push(() => server.stop(true));
  const port = server.port ?? 0;
  expect(await askReadiness(port, "token")).toEqual({ ready: false, reasons: ["db default: the disk is full"] });
  expect(await askReadiness(port, "")).toEqual({ ready: false, reasons: ["what answers is not Gatehouse"] });
  await server.stop(true);
  expect(await askReadiness(port, "token")).toMatchObject({ ready: false, reasons: ["nothing listens there"] });
});

test("an instance that is not ready is found behind the port that it shares with others that are, and a reason is said once", async () => {
  const away = 'database "default": nothing listens at its address';
  const checks = [
    { type: "db", name: "default", status: "failed", error: away },
    { type: "cache", name: "default", status: "failed", error: `cache "default": ${away}` },
    { type: "component", name: "migrations", status: "failed", error: away },
    { type: "storage", name: "default", status: "failed", error: "the disk is full" },
  ];
  let asked = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () =>
      (asked += 1) % 4 === 0
        ? Response.json({ status: "not_ready", app: "app", checks }, { status: 503 })
        : Response.json({ status: "ready", app: "app", checks: [] }),
  });
  ends.push(() => server.stop(true));
  const port = server.port ?? 0;
  expect(await askPorts([{ port }, { port }], "token")).toEqual([
    {
      port,
      ready: false,
      isPartly: true,
      reasons: [`db default, cache default, component migrations: ${away}`, "storage default: the disk is full"],
    },
  ]);
  asked = 0;
  expect(await askPorts([{ port }], "token")).toEqual([{ port, ready: true, isPartly: false, reasons: [] }]);
});

test("R-67 settings and secrets that others may read are told, and those that are missing", async () => {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-check-"));
  ends.push(() => rm(root, { recursive: true }));
  for (const folder of ["etc/gatehouse", "etc/credstore"]) await mkdir(join(root, folder), { recursive: true });
  const key = join(root, "etc/credstore/gatehouse.APP_KEY");
  await writeFile(key, "a key", { mode: 0o600 });
  const problems = async () =>
    (await secretCheck(hostThatPrints({}, { root, secrets: ["APP_KEY", "APP_DIAG_TOKEN"] }))).map(
      ({ problem }) => problem,
    );
  expect(await presenceCheck(hostThatPrints({}, { root }))).toMatchObject([
    { problem: "/etc/gatehouse/gatehouse.env is missing" },
  ]);
  const missing = ["the secret /etc/credstore/gatehouse.APP_DIAG_TOKEN is missing"];
  expect(await problems()).toEqual(missing);
  await chmod(key, 0o640);
  expect(await problems()).toEqual([...missing, "/etc/credstore/gatehouse.APP_KEY is not for root alone"]);
});

test("R-67 maintenance that was forgotten is noted, with what ends it", async () => {
  const mend = async (rows: readonly object[] | string) =>
    (await maintenanceCheck(hostThatPrints({ "maintenance:status": rows }))).map((found) => found.mend);
  const on = { ok: true, maintenance: true };
  expect(await mend([{ ...on, maintenance: false }])).toEqual([]);
  expect(await mend("no app answers")).toEqual([]);
  expect(await mend([{ ...on, reason: "command" }])).toEqual(["gatehouse maintenance:disable, when it is over"]);
  expect(await mend([{ ...on, reason: "environment" }])).toEqual([
    "remove APP_MAINTENANCE_ENABLED from /etc/gatehouse/gatehouse.env, then gatehouse release:restart",
  ]);
});

test("O-108 a program whose people are led to an address without TLS is noted, and loopback addresses are not", async () => {
  const programs = [
    { name: "Shop", redirect_uris: ["https://shop.example.test/cb", "http://shop.example.test/cb"] },
    {
      name: "Desk",
      redirect_uris: ["http://127.0.0.1/cb", "http://[::1]/cb", "http://localhost:1/cb", "app.desk:/cb"],
    },
  ];
  const found = (settings: HostView["settings"], rows: readonly object[] | string = programs) =>
    programCheck(hostThatPrints({ "client:list": rows }, { settings }));
  expect(await found({ IDP_ENABLED: "true" })).toEqual([
    {
      level: "note",
      problem: expect.stringContaining("sign in to Shop are led to http://shop.example.test/cb without TLS"),
      mend: expect.stringContaining('gatehouse client:update "Shop" --redirect-uri'),
    },
  ]);
  expect(await found({})).toEqual([]);
  expect(await found({ IDP_ENABLED: "true" }, "the database is away")).toEqual([]);
});

test("R-67 R-72 a line of the settings that sets nothing is told with its number, and names of other programs are not", async () => {
  const root = await mkdtemp(join(tmpdir(), "gatehouse-check-"));
  ends.push(() => rm(root, { recursive: true }));
  await mkdir(join(root, "etc/gatehouse"), { recursive: true });
  await writeFile(
    join(root, "etc/gatehouse/gatehouse.env"),
    "APP_URL=x\nDB_DATABSE=debug\nADMIN_AP_URL=\nADMIN_APP_URL=y\nTZ=UTC\nCACHE_A_DRIVER=\nCACHE_A_DRIVR=database\nAUTH_SESSION_TTL = 1h\n",
  );
  const place = (line: number): string => `line ${line} of /etc/gatehouse/gatehouse.env`;
  const slip = (line: number, name: string, meant: string) => ({
    level: "wrong" as const,
    problem: `${place(line)}: ${name} is no variable and changes nothing: is ${meant} meant?`,
    mend: "correct it, then gatehouse release:restart",
  });
  expect(await lineCheck(hostThatPrints({}, { root }))).toMatchObject([
    slip(2, "DB_DATABSE", "DB_DATABASE"),
    slip(3, "ADMIN_AP_URL", "ADMIN_APP_URL"),
    {
      level: "note" as const,
      problem: `${place(6)}: CACHE_A_DRIVER is empty, which counts as not set`,
      mend: expect.any(String),
    },
    slip(7, "CACHE_A_DRIVR", "CACHE_A_DRIVER"),
    {
      level: "note",
      problem: expect.stringContaining(`${place(8)}: AUTH_SESSION_TTL has blanks`),
      mend: expect.any(String),
    },
  ]);
  await rm(join(root, "etc/gatehouse/gatehouse.env"));
  expect(await lineCheck(hostThatPrints({}, { root }))).toEqual([]);
});

test("a line of the log is read out without its stack, and any other as it is", () => {
  const error = { name: "Error", message: "can't listen", stack: "Error: can't listen\n    at serve" };
  expect(readableLine(JSON.stringify({ time: "", level: "error", message: "the start failed", error }))).toBe(
    "error: the start failed: can't listen",
  );
  expect(readableLine(JSON.stringify({ level: "info", message: "serving" }))).toBe("info: serving");
  const failed = { level: "error", message: "readiness check failed", type: "cache", error: "nothing listens there" };
  expect(readableLine(JSON.stringify(failed))).toBe("error: readiness check failed: nothing listens there");
  for (const other of ["Stopped", "{not JSON", '{"level":1}']) expect(readableLine(other)).toBe(other);
});

test("a kernel is old before 5.14", () => {
  for (const version of ["5.14.0", "6.1.0-26-amd64", "10.0"]) expect(kernelProblem(version)).toBeUndefined();
  for (const version of ["5.13.19", "4.19.0", "strange"]) expect(kernelProblem(version)).toContain(version);
});
