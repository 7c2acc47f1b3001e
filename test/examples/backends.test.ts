import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { symlink, writeFile } from "node:fs/promises";
import { serviceKit } from "../contract/backend/service.fixture.ts";
import { auth, browserWith, calm, claimsOf, createPeople, forge, secretsOf, type Person } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { freePort, replaceEach } from "../support/proxy.ts";
import { openRows, type Rows } from "../support/rows.ts";
import { signingPair } from "../support/signing.pair.ts";
import { startTarget, type Target } from "../support/target.ts";
import { example, nodeMissing, settingsOf, startProgram } from "./examples.fixture.ts";

// The tests run the backends of the manual's examples as they are printed, except for two ports, which are free ones of this run.
const root = join(import.meta.dir, "..", "..");
const minuteMs = 60_000;
const pair = signingPair("EdDSA");
const folder = sharedFolder();
let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  const env = { ...calm, ...settingsOf("One host with nginx"), API_JWT_PRIVATE_KEY: pair.privatePem };
  target = await startTarget({ env, shared: true });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
afterAll(async () => {
  rows.close();
  await target.stop();
});

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const accessOf = ({ client }: Person): string => secretsOf(client).access;

/** Writes the example of a language with the ports of this run. */
async function place(language: string, name: string, port: number): Promise<void> {
  const source = replaceEach(example("Backends", language), [
    ["127.0.0.1:3000", `127.0.0.1:${target.port}`],
    ["8080", String(port)],
  ]);
  expect(source.trimEnd().split("\n").length).toBeLessThanOrEqual(25);
  await writeFile(join(folder, name), source);
}

/** Returns tokens that nobody has signed, or somebody else, or that are for something else, made from a good one. */
function badTokens(good: string): readonly string[] {
  const claims = claimsOf(good);
  const [head = "", body = "", signature = ""] = good.split(".");
  const unsigned = Buffer.from(JSON.stringify({ alg: "none", typ: "at+jwt" })).toString("base64url");
  const now = Math.floor(Date.now() / 1000);
  return [
    "",
    "x",
    `${head}.${body}.`,
    `${unsigned}.${body}.`,
    `${unsigned}.${body}.${signature}`,
    forge(claims),
    forge(claims, pair.publicPem, { alg: "HS256", typ: "at+jwt", kid: pair.kid }),
    signingPair("EdDSA").token(claims),
    signingPair("EdDSA").token(claims, pair.header),
    pair.token({ ...claims, exp: now - 1 }),
    pair.token({ ...claims, aud: "admin" }),
    pair.token({ ...claims, iss: "https://evil.example" }),
    pair.token(claims, { ...pair.header, typ: "JWT" }),
  ];
}

const goMissing = Bun.which("go") === null ? "go is not installed" : undefined;
describe.skipIf(goMissing !== undefined)(`in Go${goMissing === undefined ? "" : ` (${goMissing})`}`, () => {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  let program: { stop(): Promise<void> };
  beforeAll(async () => {
    await place("go", "main.go", port);
    // The cache lies outside the home of the user who runs the tests, and is kept: the standard library is compiled once.
    const GOCACHE = join(root, "node_modules", ".cache", "gatehouse-go");
    const built = Bun.spawn(["go", "build", "-gcflags=all=-N -l", "-o", "backend", "main.go"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, GOCACHE, GOPROXY: "off", GOTOOLCHAIN: "local", CGO_ENABLED: "0" },
      stdout: "ignore",
      stderr: "pipe",
      timeout: 4 * minuteMs,
    });
    const complaints = await built.stderr.text();
    if ((await built.exited) !== 0) throw new Error(complaints);
    program = await startProgram([join(folder, "backend")], { cwd: folder, port });
  }, 5 * minuteMs);
  afterAll(() => program?.stop());

  const statusOf = async (client = createClient(url), headers: Record<string, string> = {}): Promise<number> =>
    (await client.get("/", { headers })).status;

  test("E-05 greets whom the cookies or the token belong to, and passes a new access cookie on", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    expect((await browserWith(url, secrets).get("/")).text).toBe(`Hello, ${ada.username}!\n`);
    expect(await statusOf(createClient(url), bearer(secrets.access).headers)).toBe(200);
    const { status, setCookies } = await browserWith(url, { refresh: secrets.refresh }).get("/");
    expect({ status, names: setCookies.map(({ name }) => name) }).toEqual({ status: 200, names: ["auth_access"] });
  });

  test("E-05 refuses strangers, forged and expired tokens, ended sessions, and pages of sibling hosts that act", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    expect(await statusOf()).toBe(401);
    expect(await statusOf(createClient(url), { "x-auth-user-id": ada.id, "x-auth-username": ada.username })).toBe(401);
    for (const access of badTokens(secrets.access)) expect(await statusOf(browserWith(url, { access }))).toBe(401);
    const post = async (site: string): Promise<number> =>
      (await browserWith(url, secrets).post("/", {}, { headers: { "sec-fetch-site": site } })).status;
    expect([await post("same-origin"), await post("same-site"), await post("cross-site")]).toEqual([200, 401, 401]);
    await ada.client.post(auth("logout"));
    expect(await statusOf(browserWith(url, secrets))).toBe(401);
  });
});

const pythonMissing = Bun.which("python3") === null ? "python3 is not installed" : undefined;
describe.skipIf(pythonMissing !== undefined)(
  `in Python${pythonMissing === undefined ? "" : ` (${pythonMissing})`}`,
  () => {
    const port = freePort();
    const url = `http://127.0.0.1:${port}`;
    let program: { stop(): Promise<void> };
    beforeAll(async () => {
      await place("python", "app.py", port);
      const env = { GATEHOUSE_SECRET: await serviceKit(target).create("editor") };
      program = await startProgram(["python3", "app.py"], { cwd: folder, port, env });
    });
    afterAll(() => program?.stop());

    const statusOf = async (token: string): Promise<number> => (await createClient(url).get("/", bearer(token))).status;
    const give = ({ id }: Person, roles: string) => rows.run("update users set roles = ? where id = ?", roles, id);

    test("E-05 greets whoever has the role, and refuses it with the request after it was taken", async () => {
      const ada = await people.register("ada");
      expect(await statusOf(accessOf(ada))).toBe(403);
      give(ada, "editor");
      expect((await createClient(url).get("/", bearer(accessOf(ada)))).text).toBe(`Hello, ${ada.username}!\n`);
      give(ada, "editors");
      expect(await statusOf(accessOf(ada))).toBe(403);
    });

    test("E-05 refuses strangers, forged and expired tokens, refresh tokens, and tokens of ended sessions", async () => {
      const ada = await people.register("ada");
      give(ada, "editor");
      const { access, refresh } = secretsOf(ada.client);
      for (const token of [...badTokens(access), refresh]) expect(await statusOf(token)).toBe(401);
      expect((await createClient(url).get("/")).status).toBe(401);
      expect((await browserWith(url, { access }).get("/")).status).toBe(401);
      expect(await statusOf(access)).toBe(200);
      await ada.client.post(auth("logout"));
      expect(await statusOf(access)).toBe(401);
    });
  },
);

describe.skipIf(nodeMissing !== undefined)(`in Node${nodeMissing === undefined ? "" : ` (${nodeMissing})`}`, () => {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  let program: { stop(): Promise<void> };
  beforeAll(async () => {
    await place("js", "app.mjs", port);
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    program = await startProgram(["node", "app.mjs"], { cwd: folder, port });
  });
  afterAll(() => program?.stop());

  test("E-05 greets whom the token belongs to, and refuses forged and expired ones and those for another audience", async () => {
    const ada = await people.register("ada");
    const access = accessOf(ada);
    const greeting = await createClient(url).get("/", bearer(access));
    expect({ status: greeting.status, text: greeting.text }).toEqual({
      status: 200,
      text: `Hello, ${ada.username}!\n`,
    });
    for (const token of badTokens(access)) {
      const answer = await createClient(url).get("/", bearer(token));
      expect({ token, status: answer.status }).toEqual({ token, status: 401 });
    }
    expect((await createClient(url).get("/")).status).toBe(401);
    expect((await browserWith(url, { access }).get("/")).status).toBe(401);
  });

  test("E-05 a token of an ended session verifies until it expires, as the manual says", async () => {
    const ada = await people.register("ada");
    const access = accessOf(ada);
    await ada.client.post(auth("logout"));
    expect((await createClient(url).get("/", bearer(access))).status).toBe(200);
  });
});
