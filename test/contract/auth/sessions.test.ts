import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  expectEnded,
  expectRefusal,
  isCleared,
  isServed,
  listed,
  secretsOf,
} from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people } = await stage();

const currentId = async (client: Client): Promise<string> =>
  String((await listed(client)).find((session) => session.get("current") === true)?.get("id"));

describe("POST /logout", () => {
  test("C-10 C-18 ends the session at once and clears both cookies, leaving those of sibling hosts alone", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    const answer = await ada.client.post(auth("logout"));
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 200, json: { ok: true } });
    expect(isCleared(answer)).toBe(true);
    // Clear-Site-Data would drop the cookies of the whole registrable domain, including those of other services.
    expect(answer.headers.get("clear-site-data")).toBeNull();
    await expectEnded(target.url, secrets);
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
      await expectEnded(target.url, secrets);
    }
  });

  test("that can't be recorded is no logout: the cookies stay, and it can be tried again", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    const held = rows.holdWrites();
    const answer = await ada.client.post(auth("logout")).finally(() => held[Symbol.dispose]());
    expect([answer.status, answer.at("code"), answer.setCookies]).toEqual([503, "unavailable", []]);
    expect(await isServed(ada.client)).toBe(true);
    expect((await ada.client.post(auth("logout"))).status).toBe(200);
    await expectEnded(target.url, secrets);
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
  for (const secrets of ended) await expectEnded(target.url, secrets);
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
    expect(list.map((session) => session.get("id"))).toEqual([
      await currentId(third),
      await currentId(second),
      await currentId(ada.client),
    ]);
    expect(list.map((session) => session.get("current"))).toEqual([false, true, false]);
    expect(list.map((session) => session.get("remembered"))).toEqual([true, false, false]);
    expect(await listed(grace.client)).toHaveLength(1);
  });

  test("C-12 shows safe fields alone", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.get(auth("sessions"));
    const [session] = await listed(ada.client);
    expect([...(session?.keys() ?? [])].toSorted()).toEqual([
      "client",
      "created_at",
      "current",
      "device_label",
      "expires_at",
      "factor",
      "id",
      "impersonator",
      "ip_address",
      "last_seen_at",
      "remembered",
      "user_agent",
    ]);
    expect(session?.get("ip_address")).toBe("127.0.0.1");
    for (const field of ["created_at", "last_seen_at", "expires_at"]) {
      expect(String(session?.get(field))).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
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
      const current = (await listed(client)).find((session) => session.get("current") === true);
      expect([current?.get("user_agent"), current?.get("device_label")]).toEqual([agent, label]);
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
    await expectEnded(target.url, secrets);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("C-10 of the current one clears both cookies", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    const answer = await ada.client.post(auth(`sessions/${await currentId(ada.client)}/revoke`));
    expect(answer.status).toBe(200);
    expect(isCleared(answer)).toBe(true);
    await expectEnded(target.url, secrets);
  });

  test("C-13 of a foreign, an unknown, an ended and a malformed id gives one reply and changes nothing", async () => {
    const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
    const ended = await mallory.login();
    const endedId = await currentId(ended);
    await ended.post(auth("logout"));
    const before = rows.get(
      "select string_agg(id || coalesce(cast(revoked_at as text), '-'), ',' order by id) as all_rows from auth_sessions",
    );
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
    expect(
      rows.get(
        "select string_agg(id || coalesce(cast(revoked_at as text), '-'), ',' order by id) as all_rows from auth_sessions",
      ),
    ).toEqual(before);
    expect(await isServed(ada.client)).toBe(true);
  });
});
