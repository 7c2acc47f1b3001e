import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  auth,
  browserWith,
  calm,
  claimsOf,
  createPeople,
  expectEnded,
  forge,
  isServed,
  jwtSecret,
  openRows,
  refreshes,
  secretsOf,
} from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-shared-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const login = (url: string, name: string, password = "not the password") =>
  createClient(url).post(auth("login"), { login: name, password });
/** The same browser, asking another process. */
const at = (url: string, client: Client): Client => browserWith(url, secretsOf(client));

describe("two processes on one database", () => {
  let first: Target;
  let second: Target;
  beforeAll(async () => {
    const env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder, "two.db") };
    // No worker: the verification mail of a registration would void the grant that a test makes.
    first = await startTarget({ env, roles: ["http"], ownProcess: true });
    second = await startTarget({ env, roles: ["http"], migrate: false, ownProcess: true });
  });
  afterAll(async () => {
    await Promise.all([first.stop(), second.stop()]);
  });

  test("L-11 count failures together", async () => {
    const ada = await createPeople(first.url).register("ada.counts");
    const statuses: number[] = [];
    for (const url of [first.url, second.url, first.url, second.url, first.url, second.url])
      statuses.push((await login(url, ada.email)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 423, 423]);
    expect((await login(second.url, ada.username, ada.password)).status).toBe(423);
  });

  test("L-11 parallel guesses at both don't get more tries than at one", async () => {
    const ada = await createPeople(first.url).register("ada.parallel");
    const urls = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? first.url : second.url));
    const answers = await Promise.all(urls.map((url) => login(url, ada.email)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(4);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 423, 429]));
  });

  test("C-10 refuse at once what the other has ended", async () => {
    const ada = await createPeople(first.url).register("ada.ends");
    const secrets = secretsOf(ada.client);
    expect(await isServed(at(second.url, ada.client))).toBe(true);
    expect((await ada.client.post(auth("logout"))).status).toBe(200);
    await expectEnded(second.url, secrets);
  });

  test("C-08 let one of 50 simultaneous refreshes win, and log nobody out", async () => {
    const ada = await createPeople(first.url).register("ada.rotates");
    const before = secretsOf(ada.client);
    const browsers = Array.from({ length: 50 }, (_, index) =>
      browserWith(index % 2 === 0 ? first.url : second.url, before),
    );
    const statuses = (await Promise.all(browsers.map((browser) => browser.post(auth("refresh"))))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(49).fill(401)]);
    const winner = browsers[statuses.indexOf(200)];
    if (winner === undefined) throw new Error("nobody won");
    for (const { url } of [first, second]) {
      expect(await isServed(at(url, winner))).toBe(true);
      expect(await isServed(browserWith(url, { refresh: before.refresh }))).toBe(true);
    }
  });

  test("G-03 redeem a token once", async () => {
    const ada = await createPeople(first.url).register("ada.redeems");
    const rows = openRows(first.databasePath);
    const token = "A".repeat(43);
    const hash = new Bun.CryptoHasher("sha256").update(token).digest("hex");
    const insert =
      "insert into auth_grants (id, purpose, user_id, email_key, token_hash, created_at, expires_at) values (?, 'email_verification', ?, ?, ?, ?, ?)";
    rows.run(insert, Bun.randomUUIDv7(), ada.id, ada.email, hash, Date.now(), Date.now() + 60_000);
    rows.close();
    const urls = Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? first.url : second.url));
    const answers = await Promise.all(
      urls.map((url) => createClient(url).post(auth("email-verification/confirm"), { token })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(99).fill(401)]);
  });
});

test("L-11 a restart forgets neither failures nor locks nor sessions", async () => {
  const env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder, "restart.db") };
  const before = await startTarget({ env });
  const [ada, grace] = await (async () => {
    const people = createPeople(before.url);
    return [await people.register("ada"), await people.register("grace")] as const;
  })();
  for (let failure = 0; failure < 5; failure += 1) await login(before.url, ada.email);
  for (let failure = 0; failure < 3; failure += 1) await login(before.url, grace.email);
  await before.kill();
  const after = await startTarget({ env, migrate: false });
  try {
    expect((await login(after.url, ada.email, ada.password)).status).toBe(423);
    expect([(await login(after.url, grace.email)).status, (await login(after.url, grace.email)).status]).toEqual([
      401, 423,
    ]);
    expect(await isServed(at(after.url, ada.client))).toBe(true);
  } finally {
    await after.stop();
  }
});

test("T-07 a new signing key signs, the previous one verifies until it is retired, and nobody is logged out", async () => {
  const next = "the next signing key of this test of 32 bytes or more";
  const env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder, "keys.db") };
  const withKeys = async <T>(
    keys: Record<string, string>,
    migrate: boolean,
    use: (url: string) => Promise<T>,
  ): Promise<T> => {
    const target = await startTarget({ env: { ...env, ...keys }, migrate });
    try {
      return await use(target.url);
    } finally {
      await target.stop();
    }
  };
  const [ada, grace] = await withKeys({}, true, async (url) => {
    const people = createPeople(url);
    return [await people.register("ada"), await people.register("grace")] as const;
  });

  const renewed = await withKeys(
    { API_JWT_SECRET_KEY: next, API_JWT_PREVIOUS_SECRET_KEYS: jwtSecret },
    false,
    async (url) => {
      const old = secretsOf(ada.client);
      expect(await isServed(browserWith(url, { access: old.access }))).toBe(true);
      expect(await isServed(browserWith(url, { refresh: old.refresh }))).toBe(true);
      const client = at(url, ada.client);
      expect(await refreshes(client)).toBe(true);
      const { access } = secretsOf(client);
      expect(access).toBe(forge(claimsOf(access), next));
      return client;
    },
  );

  await withKeys({ API_JWT_SECRET_KEY: next }, false, async (url) => {
    expect(await isServed(at(url, renewed))).toBe(true);
    expect(await refreshes(at(url, renewed))).toBe(true);
    for (const client of [ada.client, grace.client]) expect(await isServed(at(url, client))).toBe(false);
    expect(await isServed(browserWith(url, { access: forge(claimsOf(secretsOf(renewed).access), jwtSecret) }))).toBe(
      false,
    );
    expect((await login(url, grace.email, grace.password)).status).toBe(200);
  });
});
