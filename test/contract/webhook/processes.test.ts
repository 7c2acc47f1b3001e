import { afterAll, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { calm, createPeople, hour } from "../../support/auth.ts";
import { testEnvironment } from "../../support/environment.ts";
import { folderOfEachTest, sharedFolder } from "../../support/folder.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { startReceiver, webhookSecret } from "../../support/receiver.ts";
import { openRows } from "../../support/rows.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

const limitMs = 120_000;
const leaseMs = 2_000;
const folder = folderOfEachTest();
endTargetsAfterEach();

const secret = webhookSecret();
const receiver = startReceiver({ secret });
afterAll(() => receiver.stop());

let env: Record<string, string>;
beforeEach(() => {
  receiver.reply();
  env = {
    ...testEnvironment(folder()),
    ...calm,
    QUEUE_LEASE: `${leaseMs}ms`,
    WEBHOOK_LEDGER_URL: receiver.url,
    WEBHOOK_LEDGER_SECRET: secret,
    WEBHOOK_LEDGER_TOPICS: "auth.registered",
  };
});

const start = (role: "http" | "worker", migrate = false): Promise<Target> =>
  startTarget({ env, roles: [role], ownProcess: true, migrate });
const idsOf = (userId: string): readonly string[] =>
  receiver
    .received()
    .filter(({ data }) => data["user_id"] === userId)
    .map(({ id }) => id);

test(
  "W-12 a process that is killed between the commit and the delivery loses no message",
  async () => {
    const http = await start("http", true);
    const ada = await createPeople(http.url).register("ada");
    await http.kill();
    expect(idsOf(ada.id)).toEqual([]);

    // The first worker is killed while the receiver has the message. The next worker sends the message again under the same id.
    const held = Promise.withResolvers<Response>();
    receiver.reply(() => held.promise);
    const before = receiver.requests();
    const first = await start("worker");
    await eventually("the message at the receiver", () => receiver.requests() > before);
    await first.kill();
    receiver.reply();
    const second = await start("worker");
    await eventually("the message again", () => idsOf(ada.id).length === 1, 60_000);
    held.resolve(new Response(null, { status: 204 }));
    await eventually("the first request's end", () => idsOf(ada.id).length === 2);
    expect(new Set(idsOf(ada.id)).size).toBe(1);
    const rows = openRows(env["DB_DATABASE"] ?? "");
    await eventually("no job is left", () => rows.count("jobs where name = 'webhook:deliver'") === 0);
    rows.close();
    await second.stop();
  },
  limitMs,
);

test(
  "two workers send each message once",
  async () => {
    const http = await start("http", true);
    const people = createPeople(http.url);
    const newcomers = await Promise.all(Array.from({ length: 12 }, (_, index) => people.register(`ada${index}`)));
    const workers = await Promise.all([start("worker"), start("worker")]);
    await eventually("every message", () => newcomers.every(({ id }) => idsOf(id).length > 0), 60_000);
    const rows = openRows(env["DB_DATABASE"] ?? "");
    await eventually("no job is left", () => rows.count("jobs where name = 'webhook:deliver'") === 0);
    rows.close();
    expect(newcomers.map(({ id }) => idsOf(id).length)).toEqual(newcomers.map(() => 1));
    await Promise.all([http, ...workers].map((target) => target.stop()));
  },
  limitMs,
);

test(
  "what an operator does by command is told as well, and dead letters are sent again by command",
  async () => {
    const run = (args: readonly string[], stdin = "") => runGatehouse(args, { cwd: folder(), env, stdin });
    expect((await run(["migrate"])).code).toBe(0);
    receiver.reply(() => new Response(null, { status: 500 }));
    env = { ...env, WEBHOOK_LEDGER_TOPICS: "auth.password-changed" };
    const created = await run(["auth:create-user", "--email", "ada@example.test"], "a long walk by the sea");
    const userId = created.stdout.trim().replace("created ", "");
    expect((await run(["auth:set-password", "ada@example.test"], "another walk by the sea")).code).toBe(0);

    const rows = openRows(env["DB_DATABASE"] ?? "");
    const worker = await start("worker");
    await eventually("a failed attempt", () => rows.count("jobs where last_error is not null") === 1, 60_000);
    rows.letPass(73 * hour);
    await eventually("a dead letter", () => rows.count("jobs where state = 'dead'") === 1, 60_000);
    const failed = await run(["queue:failed", "--name", "webhook:deliver"]);
    expect(failed.stdout).toContain("webhook:deliver (webhook-ledger)");
    expect(failed.stdout).toContain("webhook ledger: it answered 500");
    receiver.reply();
    expect((await run(["queue:retry", "--name", "webhook:deliver"])).code).toBe(0);
    await eventually("the message", () => idsOf(userId).length === 1, 60_000);
    rows.close();
    await worker.stop();
  },
  limitMs,
);

const certificates = sharedFolder();

/** Makes a certificate that is its own authority. */
async function certificateFor(name: string) {
  const [key, cert] = [join(certificates, `${name}.key`), join(certificates, `${name}.pem`)];
  const asked = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${name} -addext subjectAltName=DNS:${name}`;
  const made = Bun.spawnSync({ cmd: ["openssl", ...asked.split(" "), "-keyout", key, "-out", cert], stderr: "pipe" });
  if (!made.success) throw new Error(made.stderr.toString());
  return { file: cert, key: await Bun.file(key).text(), cert: await Bun.file(cert).text() };
}

test.skipIf(Bun.which("openssl") === null)(
  "W-13 webhook:test sends at once over TLS, checks the certificate (made by openssl), and says what came back",
  async () => {
    const [right, wrong] = await Promise.all(["localhost", "receiver.example.test"].map(certificateFor));
    if (right === undefined || wrong === undefined) throw new Error("no certificates");
    const trusted = startReceiver({ secret, tls: right });
    const impostor = startReceiver({ secret, tls: wrong });
    const named = (name: string, { port }: { readonly port: number }) => ({
      [`WEBHOOK_${name}_URL`]: `https://localhost:${port}/`,
      [`WEBHOOK_${name}_SECRET`]: secret,
      [`WEBHOOK_${name}_ALLOW_PRIVATE`]: "true",
    });
    const bundle = join(certificates, "bundle.pem");
    await Bun.write(bundle, `${right.cert}\n${wrong.cert}`);
    const deployed = {
      ...testEnvironment(folder()),
      APP_ENV: "staging",
      APP_URL: "https://auth.example.test",
      API_JWT_SECRET_KEY: "Mz1Xk8Wq5Jr2Tn7Yb4Vc9Pd6Lf3Hg0Sa",
      APP_KEY: "Qe4Rt7Yu1Io9Pa5Sd8Fg2Hj6Kl3Zx0Cv",
      APP_DIAG_TOKEN: "Bn5Mq8We2Rt6Yu9Io3Pa7Sd1Fg4Hj0Kl",
      ...named("BILLING_SYSTEM", trusted),
      ...named("IMPOSTOR", impostor),
      ...named("NOBODY", { port: 1 }),
    };
    const run = (args: readonly string[], more: Record<string, string> = {}) =>
      runGatehouse(args, { cwd: folder(), env: { ...deployed, ...more } });
    const trust = { NODE_EXTRA_CA_CERTS: bundle };

    const sent = await run(["webhook:test", "BILLING_SYSTEM"], trust);
    const [message] = trusted.received();
    expect(sent.stdout).toMatch(
      /^billing-system answered 204 after \d+ ms to the message [0-9a-f-]{36}_billing-system$/m,
    );
    expect(sent.stdout).toContain(message?.id ?? "no message");
    expect([sent.code, message?.type, message?.data]).toEqual([0, "gatehouse.test", { webhook: "billing-system" }]);

    const untrusted = await run(["webhook:test", "billing-system"], { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    expect([untrusted.code, trusted.requests()]).toEqual([1, 1]);
    const mistaken = await run(["webhook:test", "impostor", "--json"], { ...trust, NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    expect([mistaken.code, impostor.requests()]).toEqual([1, 0]);
    expect(JSON.parse(mistaken.stdout)).toMatchObject({ ok: false, webhook: "impostor", outcome: "unreachable" });
    const nobody = await run(["webhook:test", "nobody"], trust);
    expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining("could not be reached")]);
    const unknown = await run(["webhook:test", "ledgr"], trust);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('"ledgr" is no webhook')]);

    const listed = await run(["webhook:list", "--json"]);
    const lines = listed.stdout.trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { name: "billing-system", allow_private: true },
      {},
      {},
    ]);
    expect(listed.stdout).not.toContain(secret);
    await Promise.all([trusted.stop(), impostor.stop()]);
  },
  limitMs,
);
