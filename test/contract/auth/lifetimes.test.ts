import { describe, expect, test } from "bun:test";
import {
  auth,
  claimsOf,
  expectEnded,
  hour,
  isServed,
  listed,
  minute,
  refreshes,
  second,
  secretsOf,
} from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people } = await stage();

/** Resolves to the absolute end of the browser's only session. */
const endOf = async (client: Client): Promise<number> =>
  Date.parse(String((await listed(client)).at(0)?.get("expires_at")));

describe("the row decides", () => {
  test("C-16 disabling a user refuses every session and token at once; enabling again does not need a login", async () => {
    const ada = await people.register("ada");
    const other = await ada.login({ remember: true });
    rows.run("update users set active = 0 where id = ?", ada.id);
    await expectEnded(target.url, secretsOf(ada.client));
    await expectEnded(target.url, secretsOf(other));
    rows.run("update users set active = 1 where id = ?", ada.id);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("C-16 deleting a user refuses every session and token at once", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    rows.run("delete from users where id = ?", ada.id);
    await expectEnded(target.url, secrets);
  });

  test("C-11 an unused session ends after its idle time, by the server's clock", async () => {
    const ada = await people.register("ada");
    const secrets = secretsOf(ada.client);
    rows.letPass(2 * hour - 30 * second);
    expect(await isServed(ada.client)).toBe(true);
    rows.letPass(2 * hour + second);
    await expectEnded(target.url, secrets);
    const again = await ada.login();
    expect((await again.get(auth("sessions"))).at("sessions")).toHaveLength(1);
  });

  test("C-11 use keeps a session alive up to its absolute end; neither refresh nor use moves that", async () => {
    const ada = await people.register("ada");
    const end = await endOf(ada.client);
    expect(end - Date.now()).toBeWithin(24 * hour - minute, 24 * hour + 1);
    for (let hours = 1.5; hours <= 22.5; hours += 1.5) {
      rows.letPass(1.5 * hour);
      expect(await refreshes(ada.client)).toBe(true);

      expect(end - (await endOf(ada.client))).toBe(hours * hour);
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
    const { exp } = claimsOf(secretsOf(ada.client).access);
    expect(Number(exp)).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 60);
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
