import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, calm, createPeople, hour, isServed, listed, type Person } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { sharedFolder } from "../../support/folder.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startTarget, type Target } from "../../support/target.ts";

const folder = sharedFolder();
const live = (rows: Rows, { id }: { readonly id: string }): number =>
  rows.count("auth_sessions where user_id = ? and revoked_at is null", id);
const idsOf = async (client: Client) => (await listed(client)).map((session) => session.get("id"));

/** Signs in at these processes at the same time, and resolves to the browsers. */
async function signInAtOnce(person: Person, urls: readonly string[]): Promise<Client[]> {
  const browsers = urls.map((url) => createClient(url));
  const credentials = { login: person.email, password: person.password };
  const answers = await Promise.all(browsers.map((browser) => browser.post(auth("login"), credentials)));
  expect(answers.map(({ status }) => status)).toEqual(urls.map(() => 200));
  return browsers;
}

describe("C-20 with AUTH_MAX_SESSIONS=4", () => {
  let target: Target;
  let rows: Rows;
  let people: ReturnType<typeof createPeople>;
  beforeAll(async () => {
    target = await startTarget({ env: { ...calm, AUTH_MAX_SESSIONS: "4" } });
    rows = openRows(target.databasePath);
    people = createPeople(target.url);
  });
  afterAll(async () => {
    rows.close();
    await target.stop();
  });

  test("a fifth sign-in ends the oldest session of the user, remembered or not, and nobody else's", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const browsers = [ada.client, await ada.login({ remember: true }), await ada.login(), await ada.login()];
    for (const browser of browsers) expect(await isServed(browser)).toBe(true);
    const fifth = await ada.login();
    expect(await isServed(ada.client)).toBe(false);
    for (const browser of [...browsers.slice(1), fifth]) expect(await isServed(browser)).toBe(true);
    const sixth = await ada.login({ remember: true });
    expect(await Promise.all([...browsers, fifth, sixth].map(isServed))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(await isServed(grace.client)).toBe(true);
  });

  test("a session that has ended or expired takes nobody's place", async () => {
    const ada = await people.register("ada");
    const [second, third] = [await ada.login(), await ada.login({ remember: true })];
    await second.post(auth("logout"));
    rows.run("update auth_sessions set last_seen_at = last_seen_at - ? where user_id = ?", 3 * hour, ada.id);
    expect(await isServed(third)).toBe(true);
    const more = [await ada.login(), await ada.login(), await ada.login()];
    for (const browser of [third, ...more]) expect(await isServed(browser)).toBe(true);
    await ada.login();
    expect(await isServed(third)).toBe(false);
  });

  test("the session that was ended leaves a row in the audit log that says why", async () => {
    const ada = await people.register("ada");
    const [oldest] = await idsOf(ada.client);
    for (let count = 0; count < 4; count += 1) await ada.login();
    const row = rows.get(
      "select session_id, reason from audit_events where subject_user_id = ? and action = 'auth.session-revoked'",
      ada.id,
    );
    expect(row).toEqual({ session_id: String(oldest), reason: "too_many_sessions" });
  });

  test("of many sign-ins at once as many stay", async () => {
    const ada = await people.register("ada");
    const browsers = await signInAtOnce(
      ada,
      Array.from({ length: 8 }, () => target.url),
    );
    expect(live(rows, ada)).toBe(4);
    expect((await Promise.all(browsers.map(isServed))).filter(Boolean)).toHaveLength(4);
  });

  test("the list has all sessions, and the current one however many there were before there was a limit", async () => {
    const ada = await people.register("ada");
    const copy = `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address,
        created_at, last_seen_at, expires_at)
      select ? || substr(id, 9), user_id, secret_hash, generation, 1, user_agent, ip_address,
        created_at + ?, last_seen_at, expires_at from auth_sessions where id = ?`;
    const [own] = await idsOf(ada.client);
    for (let count = 1; count <= 300; count += 1) rows.run(copy, String(10_000_000 + count), count, String(own));
    const list = await listed(ada.client);
    expect(list).toHaveLength(301);
    expect(list.at(-1)?.get("current")).toBe(true);
    expect(list.filter((session) => session.get("current") === true)).toHaveLength(1);
    await ada.login();
    expect(live(rows, ada)).toBe(4);
  });
});

test("C-20 a user has at most 100 sessions by default, and the list shows each of them", async () => {
  const target = await startTarget({ env: { ...calm, AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000" } });
  try {
    const ada = await createPeople(target.url).register("ada");
    for (let count = 0; count < 25; count += 1)
      await signInAtOnce(
        ada,
        Array.from({ length: 4 }, () => target.url),
      );
    expect(await isServed(ada.client)).toBe(false);
    const [newest] = await signInAtOnce(ada, [target.url]);
    expect(newest === undefined ? [] : await listed(newest)).toHaveLength(100);
  } finally {
    await target.stop();
  }
}, 120_000);

test("C-20 sign-ins at two processes at once keep the limit together", async () => {
  const env = {
    ...calm,
    AUTH_MAX_SESSIONS: "4",
    APP_URL: "http://127.0.0.1:3000",
    DB_DATABASE: join(folder, "two.db"),
  };
  const first = await startTarget({ env, roles: ["http"], ownProcess: true });
  const second = await startTarget({ env, roles: ["http"], migrate: false, ownProcess: true });
  const rows = openRows(join(folder, "two.db"));
  try {
    const ada = await createPeople(first.url).register("ada");
    for (let round = 0; round < 3; round += 1) {
      const urls = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? first.url : second.url));
      await signInAtOnce(ada, urls);
      expect(live(rows, ada)).toBe(4);
      rows.forgive();
    }
  } finally {
    rows.close();
    await Promise.all([first.stop(), second.stop()]);
  }
}, 120_000);
