import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  calm,
  cookieNames,
  createPeople,
  expectRefusal,
  hour,
  isServed,
  minute,
  openRows,
  refreshes,
  second,
  secretsOf,
  type Rows,
} from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { startTarget, type Target } from "../../support/target.ts";

let target: Target;
let rows: Rows;
let people: ReturnType<typeof createPeople>;
beforeAll(async () => {
  target = await startTarget({ env: calm });
  rows = openRows(target.databasePath);
  people = createPeople(target.url);
});
afterAll(async () => {
  rows.close();
  await target.stop();
});

const listed = async (client: Client): Promise<Record<string, unknown>[]> => {
  const sessions = (await client.get(auth("sessions"))).at("sessions");
  if (!Array.isArray(sessions)) throw new Error("no sessions");
  return sessions.map((session: unknown) => ({ ...Object(session) }));
};
const currentId = async (client: Client): Promise<string> =>
  String((await listed(client)).find(({ current }) => current === true)?.["id"]);
const isCleared = (answer: Answer): boolean =>
  cookieNames(answer).join() === "auth_access,auth_refresh" &&
  answer.setCookies.every(({ value, attributes }) => value === "" && attributes.get("max-age") === "0");
/** Neither cookie of that browser is worth anything any more. */
async function expectEnded({ url }: Client, secrets: ReturnType<typeof secretsOf>): Promise<void> {
  expect(await isServed(browserWith(url, secrets))).toBe(false);
  expect(await isServed(browserWith(url, { access: secrets.access }))).toBe(false);
  expect(await isServed(browserWith(url, { refresh: secrets.refresh }))).toBe(false);
  expect(await refreshes(browserWith(url, secrets))).toBe(false);
}

describe("RequireAuth", () => {
  const guarded = [
    ["GET", auth("me")],
    ["POST", auth("profile")],
    ["GET", auth("sessions")],
    ["POST", auth("sessions/0190b6d0-0000-7000-8000-000000000000/revoke")],
    ["POST", auth("change-password")],
    ["POST", auth("email-verification/request")],
    ["POST", auth("logout-all")],
    ["GET", "/api/v1/hello"],
  ] as const;

  test.each(guarded)("%s %s answers 401 without a session, and never changes cookies", async (method, path) => {
    const body = path.endsWith("change-password") ? { current_password: "x", new_password: "y" } : undefined;
    const strangers = [
      createClient(target.url),
      browserWith(target.url, { access: "x" }),
      browserWith(target.url, { refresh: "x" }),
      browserWith(target.url, { access: "a.b.c", refresh: "a.b.c.d" }),
    ];
    for (const stranger of strangers) {
      const answer = await stranger.request(method, path, method === "POST" ? body : undefined);
      expectRefusal(answer, 401, "unauthorized", "unauthorized");
      expect(answer.setCookies).toEqual([]);
    }
  });

  test("GET /hello greets in plain text", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.get("/api/v1/hello");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("text/plain");
    expect(answer.text).toBe(`Hello, ${ada.username}!`);
  });

  test("an access token is taken as a bearer token too; a wrong one is not saved by good cookies", async () => {
    const ada = await people.register("ada");
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
    const { access, refresh } = secretsOf(ada.client);
    expect((await createClient(target.url).get(auth("me"), bearer(access))).at("user.id")).toBe(ada.id);
    for (const wrong of ["", "x", refresh, `${access}x`]) {
      expect((await createClient(target.url).get(auth("me"), bearer(wrong))).status).toBe(401);
    }
    expect((await ada.client.get(auth("me"), bearer("x"))).status).toBe(401);
  });

  test("GET /me answers the user", async () => {
    const ada = await people.register("ada", { display_name: "Ada Lovelace" });
    const answer = await ada.client.get(auth("me"));
    expect(answer.status).toBe(200);
    expect(answer.at("ok")).toBe(true);
    expect(answer.at("user")).toMatchObject({ id: ada.id, email: ada.email, display_name: "Ada Lovelace" });
    expect(answer.text).not.toMatch(/hash|secret|argon/i);
  });
});

describe("POST /logout", () => {
  test("C-10 C-18 ends the session at once and clears both cookies, leaving those of sibling hosts alone", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    const answer = await ada.client.post(auth("logout"));
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
    expect(isCleared(answer)).toBe(true);
    // Clear-Site-Data would drop the cookies of the whole registrable domain, other services' included.
    expect(answer.headers.get("clear-site-data")).toBeNull();
    await expectEnded(ada.client, secrets);
  });

  test("leaves the user's other sessions alone", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    await ada.client.post(auth("logout"));
    expect(await isServed(other)).toBe(true);
  });

  test("works with the refresh cookie alone, as with the access cookie alone", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    for (const secrets of [secretsOf(ada.client), secretsOf(other)]) {
      const { access, refresh } = secrets;
      const partial = secrets === secretsOf(other) ? { access } : { refresh };
      expect((await browserWith(target.url, partial).post(auth("logout"))).status).toBe(200);
      await expectEnded(other.copy(), secrets);
    }
  });

  test("without a session answers 401, and clears both cookies all the same", async () => {
    const stale = browserWith(target.url, { access: "x", refresh: "y" });
    const answer = await stale.post(auth("logout"));
    expectRefusal(answer, 401, "unauthorized", "unauthorized");
    expect(isCleared(answer)).toBe(true);
  });
});

test("C-10 POST /logout-all ends all of the user's sessions, and nobody else's", async () => {
  const [ada, grace] = [await people.register("ada"), await people.register("grace")];
  const other = await ada.login({ remember: true });
  const ended = [secretsOf(ada.client), secretsOf(other)];
  const answer = await ada.client.post(auth("logout-all"));
  expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
  expect(isCleared(answer)).toBe(true);
  for (const secrets of ended) await expectEnded(other, secrets);
  expect(await isServed(grace.client)).toBe(true);
});

describe("GET /sessions", () => {
  test("C-12 lists only own, active sessions, newest first, the current one flagged", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const second = await ada.login();
    const third = await ada.login({ remember: true });
    const gone = await ada.login();
    await gone.post(auth("logout"));
    const list = await listed(second);
    expect(list.map(({ id }) => id)).toEqual([
      await currentId(third),
      await currentId(second),
      await currentId(ada.client),
    ]);
    expect(list.map(({ current }) => current)).toEqual([false, true, false]);
    expect(list.map(({ remembered }) => remembered)).toEqual([true, false, false]);
    expect(await listed(grace.client)).toHaveLength(1);
  });

  test("C-12 shows safe fields alone", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.get(auth("sessions"));
    const [session = {}] = await listed(ada.client);
    expect(Object.keys(session).toSorted()).toEqual([
      "created_at",
      "current",
      "device_label",
      "expires_at",
      "id",
      "ip_address",
      "last_seen_at",
      "remembered",
      "user_agent",
    ]);
    expect(session["ip_address"]).toBe("127.0.0.1");
    for (const field of ["created_at", "last_seen_at", "expires_at"]) {
      expect(String(session[field])).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
    const { access, refresh } = secretsOf(ada.client);
    const stored = rows.get("select secret_hash from auth_sessions where user_id = ?", ada.id)["secret_hash"];
    for (const secret of [access, ...refresh.split(".").slice(2), String(stored)])
      expect(answer.text).not.toContain(secret);
  });

  test("names the device by its user agent", async () => {
    const ada = await people.register("ada");
    const agents = {
      "curl/8.5.0": "curl",
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15":
        "Mac · Safari",
      "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": "Linux · Firefox",
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0":
        "Windows · Edge",
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Safari/604.1":
        "iPhone · Chrome",
      "something of our own": "Unknown device",
    };
    for (const [agent, label] of Object.entries(agents)) {
      const client = createClient(target.url);
      const credentials = { login: ada.username, password: ada.password };
      await client.post(auth("login"), credentials, { headers: { "user-agent": agent } });
      const current = (await listed(client)).find((session) => session["current"] === true);
      expect(current).toMatchObject({ user_agent: agent, device_label: label });
    }
  });
});

describe("POST /sessions/:id/revoke", () => {
  test("C-10 ends that session at once and leaves the cookies of the one who asks alone", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const secrets = secretsOf(other);
    const answer = await ada.client.post(auth(`sessions/${await currentId(other)}/revoke`));
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
    expect(answer.setCookies).toEqual([]);
    await expectEnded(other, secrets);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("C-10 of the current one clears both cookies", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    const answer = await ada.client.post(auth(`sessions/${await currentId(ada.client)}/revoke`));
    expect(answer.status).toBe(200);
    expect(isCleared(answer)).toBe(true);
    await expectEnded(ada.client, secrets);
  });

  test("C-13 of a foreign, an unknown, an ended and a malformed id gives one reply and changes nothing", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const ended = await mallory.login();
    const endedId = await currentId(ended);
    await ended.post(auth("logout"));
    const before = rows.get("select group_concat(id || coalesce(revoked_at, '-')) as all_rows from auth_sessions");
    const ids = [
      await currentId(ada.client),
      Bun.randomUUIDv7(),
      endedId,
      "x",
      "a%2Fb",
      "1%20or%201=1",
      "x".repeat(65),
      "x".repeat(500),
    ];
    for (const id of ids) {
      const answer = await mallory.client.post(auth(`sessions/${id}/revoke`));
      expectRefusal(answer, 404, "session not found", "session_not_found");
      expect(answer.setCookies).toEqual([]);
    }
    expect(rows.get("select group_concat(id || coalesce(revoked_at, '-')) as all_rows from auth_sessions")).toEqual(
      before,
    );
    expect(await isServed(ada.client)).toBe(true);
  });
});

describe("the row decides", () => {
  test("C-16 disabling a user refuses every session and token at once; enabling again does not need a login", async () => {
    const ada = await people.register("ada");
    const other = await ada.login({ remember: true });
    rows.run("update users set active = 0 where id = ?", ada.id);
    await expectEnded(ada.client, secretsOf(ada.client));
    await expectEnded(other, secretsOf(other));
    rows.run("update users set active = 1 where id = ?", ada.id);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("C-16 deleting a user refuses every session and token at once", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    rows.run("delete from users where id = ?", ada.id);
    await expectEnded(ada.client, secrets);
  });

  test("C-11 an unused session ends after its idle time, by the server's clock", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    rows.letPass(2 * hour - 30 * second);
    expect(await isServed(ada.client)).toBe(true);
    rows.letPass(2 * hour + second);
    await expectEnded(ada.client, secrets);
  });

  test("C-11 use keeps a session alive up to its absolute end; neither refresh nor use moves that", async () => {
    const ada = await people.register("ada");
    const [{ expires_at: end } = {}] = await listed(ada.client);
    expect(Date.parse(String(end)) - Date.now()).toBeWithin(24 * hour - minute, 24 * hour + 1);
    for (let hours = 1.5; hours <= 22.5; hours += 1.5) {
      rows.letPass(1.5 * hour);
      expect(await refreshes(ada.client)).toBe(true);
      const [{ expires_at: moved } = {}] = await listed(ada.client);
      expect(Date.parse(String(end)) - Date.parse(String(moved))).toBe(hours * hour);
    }
    rows.letPass(1.5 * hour + second);
    expect(await isServed(ada.client)).toBe(false);
    expect(await refreshes(ada.client)).toBe(false);
  });

  test("C-11 being remembered raises the end to 720 h, and lifts the idle limit", async () => {
    const ada = await people.register("ada");
    const remembered = await ada.login({ remember: true });
    rows.letPass(700 * hour);
    expect(await isServed(ada.client)).toBe(false);
    const answer = await remembered.post(auth("refresh"));
    expect(answer.status).toBe(200);
    const left = Number(answer.setCookies.find(({ name }) => name === "auth_refresh")?.attributes.get("max-age"));
    expect(left).toBeWithin(20 * 3600 - 60, 20 * 3600 + 1);
    rows.letPass(20 * hour + second);
    expect(await isServed(remembered)).toBe(false);
  });

  test("C-11 an access token never outlives its session", async () => {
    const ada = await people.register("ada");
    rows.run("update auth_sessions set expires_at = ? where user_id = ?", Date.now() + 60 * second, ada.id);
    const answer = await ada.client.post(auth("refresh"));
    expect(answer.status).toBe(200);
    const { access } = secretsOf(ada.client);
    const expiry: unknown = JSON.parse(Buffer.from(access.split(".")[1] ?? "", "base64url").toString());
    expect(Reflect.get(Object(expiry), "exp")).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60);
  });

  test("last_seen_at is written at most once a minute", async () => {
    const ada = await people.register("ada");
    const seen = () => Number(rows.get("select last_seen_at as at from auth_sessions where user_id = ?", ada.id)["at"]);
    rows.letPass(40 * second);
    const before = seen();
    await ada.client.get(auth("me"));
    expect(seen()).toBe(before);
    rows.letPass(30 * second);
    await ada.client.get(auth("me"));
    expect(seen()).toBeGreaterThan(Date.now() - 5 * second);
  });
});
