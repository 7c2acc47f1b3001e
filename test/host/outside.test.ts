import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outsideCheck } from "../../src/host/check/outside.checks.ts";
import { opensslMissing } from "../support/certificate.ts";
import { freePort } from "../support/proxy.ts";
import { hostThatPrints } from "./printing.host.ts";

// What host:check says of what people reach at APP_URL, from real servers with certificates of every kind.
const lack = opensslMissing ?? (Bun.which("faketime") === null ? "faketime" : undefined);
const title = lack === undefined ? "APP_URL as people reach it" : `APP_URL as people reach it (needs ${lack})`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-outside-"));
});
afterAll(() => rm(folder, { recursive: true }));
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Makes a certificate that began some days ago. */
async function certificateOf(name: string, { ago, days }: { readonly ago: number; readonly days: number }) {
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days} -subj /CN=${name}`;
  const line = `faketime -f ${ago < 0 ? "+" : "-"}${Math.abs(ago)}d ${request} -addext subjectAltName=DNS:${name} -keyout ${keyFile} -out ${certFile}`;
  const made = Bun.spawnSync({ cmd: line.split(" "), stderr: "pipe" });
  if (!made.success) throw new Error(made.stderr.toString());
  return { key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") };
}

interface Served {
  readonly name?: string;
  readonly ago?: number;
  readonly days?: number;
  readonly answer?: () => Response;
}

const ready = (): Response => Response.json({ status: "ready", app: "app" });

/** Serves at localhost with such a certificate, and resolves to what is found. */
async function found({ name = "localhost", ago = 1, days = 90, answer = ready }: Served) {
  const tls = await certificateOf(name, { ago, days });
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", tls, fetch: answer });
  ends.push(() => server.stop(true));
  return foundAt(`https://localhost:${server.port}`);
}

const foundAt = async (url: string) =>
  (await outsideCheck(hostThatPrints({}, { settings: { APP_URL: url } }))).map(
    ({ level, problem, mend }) => `${level}: ${problem} → ${mend}`,
  );

/** What is said of every certificate here: nobody's store of roots leads to it. */
const unknownRoot = expect.stringMatching(/^note: this host knows no root of the certificate of localhost/);

describe.skipIf(lack !== undefined)(title, () => {
  test("R-75 an app that answers is well, and an authority of one's own is a note", async () => {
    expect(await found({})).toEqual([unknownRoot]);
  });

  test("R-75 a certificate that has ended is told, and one that ends soon, is not for the name or not begun yet", async () => {
    const ended = await found({ ago: 20, days: 19 });
    expect(ended).toEqual([expect.stringMatching(/^wrong: the certificate of localhost ended on .+ UTC → renew it/)]);
    expect(await found({ ago: 20, days: 30 })).toEqual([
      expect.stringMatching(/^note: the certificate of localhost ends in 9 days, on /),
      unknownRoot,
    ]);
    expect(await found({ ago: 20, days: 22 })).toEqual([
      expect.stringMatching(/^wrong: the certificate of localhost ends in 1 days, on /),
    ]);
    expect(await found({ name: "other.test" })).toEqual([
      expect.stringMatching(
        /^wrong: the certificate at https:\/\/localhost:\d+ is for other\.test, and not for localhost/,
      ),
    ]);
    expect(await found({ ago: -20 })).toEqual([expect.stringMatching(/^wrong: .+ begins on .+ alone → timedatectl/)]);
  });

  test("R-75 a proxy that is down, reaches nobody, leads elsewhere or to the other app is told, and a name that is not found", async () => {
    expect(await foundAt(`https://localhost:${freePort()}`)).toEqual([
      expect.stringMatching(
        /^wrong: nothing listens at localhost \(127\.0\.0\.1, port \d+\).*→ systemctl status nginx/,
      ),
      ...(await ipv6Too()),
    ]);
    expect(await foundAt("https://absent.invalid")).toEqual([
      expect.stringMatching(/^wrong: the name absent\.invalid is not found \(\w+\) → make a DNS record/),
    ]);
    const problem = async (answer: () => Response) =>
      (await found({ answer })).find((each) => each.startsWith("wrong"));
    expect(await problem(() => new Response("", { status: 502 }))).toContain(
      "the proxy answers, and reaches no instance",
    );
    expect(await problem(() => new Response("<html>"))).toContain("what answers there is not Gatehouse");
    expect(await problem(() => Response.json({ status: "ready", app: "admin" }))).toContain("by the app admin");
    expect(await problem(() => Response.json({ status: "not_ready", app: "app" }, { status: 503 }))).toContain(
      "an instance behind the proxy is not ready",
    );
    expect(await problem(() => new Response("x".repeat(100_000)))).toContain("too large");
  });
});

test("R-75 TLS spoken to a port without it is told, with what the proxy lacks", async () => {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: ready });
  ends.push(() => server.stop(true));
  const told = await foundAt(`https://localhost:${server.port}`);
  expect(told[0]).toMatch(
    /^wrong: localhost \(127\.0\.0\.1, port \d+\) speaks no TLS, and the address of the app begins with https → the line listen of nginx needs ssl/,
  );
});

/** Where localhost has an address of IPv6 as well, that is told, too. */
async function ipv6Too() {
  const { lookup } = await import("node:dns/promises");
  const others = (await lookup("localhost", { all: true })).filter(({ family }) => family === 6);
  return others.length > 0 ? [expect.stringContaining("nothing listens at localhost (::1")] : [];
}
