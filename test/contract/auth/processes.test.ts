import { afterAll, beforeAll, describe, expect, test } from "bun:test";
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
  minute,
  refreshes,
  second,
  secretsOf,
} from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient, type Client } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { sharedFolder } from "../../support/folder.ts";

const folder = sharedFolder();

const login = (url: string, name: string, password = "not the password") =>
  createClient(url).post(auth("login"), { login: name, password });
/** Returns the browser as a client of another process. */
const at = (url: string, client: Client): Client => browserWith(url, secretsOf(client));

describe("two processes on one database", () => {
  let first: Target;
  let second: Target;
  beforeAll(async () => {
    const env = { ...calm, APP_URL: "http://127.0.0.1:3000", DB_DATABASE: join(folder, "two.db") };
    // No worker runs: the verification mail of a registration would void the grant that a test makes.
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
    expect((await login(second.url, ada.email, ada.password)).status).toBe(423);
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

describe("four processes on one database", () => {
  let targets: readonly Target[] = [];
  beforeAll(async () => {
    const env = { ...calm, AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000", DB_DATABASE: join(folder, "four.db") };
    const first = await startTarget({ env, roles: ["http"], ownProcess: true });
    const rest = [1, 2, 3].map(() => startTarget({ env, roles: ["http"], migrate: false, ownProcess: true }));
    targets = [first, ...(await Promise.all(rest))];
  });
  afterAll(() => Promise.all(targets.map((target) => target.stop())));

  const register = (name: string) => createPeople(targets[0]?.url ?? "").register(name);
  const atOnce = async (name: string, passwords: readonly string[]): Promise<number[]> => {
    const asked = passwords.map((password, index) => login(targets[index % 4]?.url ?? "", name, password));
    return (await Promise.all(asked)).map(({ status }) => status);
  };

  test("L-03 take no burst of right passwords for an attack, however many checks are under way", async () => {
    const ada = await register("ada.hurries");
    for (let round = 0; round < 3; round += 1)
      expect(await atOnce(ada.email, Array<string>(16).fill(ada.password))).toEqual(Array<number>(16).fill(200));
  });

  test("L-03 don't lock for one wrong password among right ones", async () => {
    const ada = await register("ada.mistypes");
    for (let place = 0; place < 8; place += 1) {
      const passwords = Array.from({ length: 8 }, (_, index) => (index === place ? "mistyped" : ada.password));
      expect(await atOnce(ada.email, passwords)).toEqual(passwords.map((each) => (each === "mistyped" ? 401 : 200)));
    }
  });

  test("L-03 give parallel guesses no more tries than one process, and say 423 as soon as they have failed", async () => {
    const ada = await register("ada.guessed");
    const statuses = await atOnce(ada.email, Array<string>(40).fill("not the password"));
    expect(statuses.toSorted()).toEqual([...Array<number>(4).fill(401), ...Array<number>(36).fill(423)]);
    const started = performance.now();
    expect(await atOnce(ada.email, [ada.password, ada.password])).toEqual([423, 423]);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("L-03 count a check that was cut off as a failure", async () => {
    const ada = await register("ada.cut");
    const rows = openRows(targets[0]?.databasePath ?? "");
    expect(await atOnce(ada.email, ["not the password"])).toEqual([401]);
    // A killed process leaves such a row: four more attempts were charged, and none of them ever gets its result.
    expect(rows.run("update auth_attempts set attempts = 5 where failures = 1")).toBe(1);
    rows.letPass(2 * second);
    const started = performance.now();
    expect(await atOnce(ada.email, [ada.password])).toEqual([423]);
    expect(performance.now() - started).toBeWithin(500, 5_000);
    rows.letPass(15 * minute);
    expect(await atOnce(ada.email, [ada.password])).toEqual([200]);
    rows.close();
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
