import { describe, expect, test } from "bun:test";
import { auth, calm, createPeople, listed } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { startTarget } from "../../support/target.ts";
import { stage } from "../../support/stage.ts";

const proxies = {
  API_TRUSTED_PROXIES: "127.0.0.0/8,10.0.0.0/8,2001:db8:ffff::/48",
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
};
const { target, people } = await stage({ env: proxies });

const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const login = (name: string, address: string, password = "not the password") =>
  createClient(target.url).post(auth("login"), { login: name, password }, from(address));

describe("L-07 behind trusted proxies", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["203.0.113.9, 10.1.2.3", "203.0.113.9"],
    ["198.51.100.1,203.0.113.9 , 10.1.2.3,10.9.9.9", "203.0.113.9"],
    ["203.0.113.9, 2001:db8:ffff::7", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["203.0.113.9:5555", "203.0.113.9"],
    ["[2001:DB8::1]:443", "2001:db8::1"],
    ["2001:0db8:0000::0001", "2001:db8::1"],
    ["nonsense", "127.0.0.1"],
    ["", "127.0.0.1"],
    ["203.0.113.999", "127.0.0.1"],
    ["<script>alert(1)</script>", "127.0.0.1"],
  ])("the client of X-Forwarded-For: %s is %s", async (forwarded, address) => {
    const ada = await people.register("ada");
    const client = createClient(target.url);
    await client.post(auth("login"), { login: ada.email, password: ada.password }, from(forwarded));
    const current = (await listed(client)).find((session) => session.get("current") === true);
    expect(current?.get("ip_address")).toBe(address);
  });

  test("two clients behind one proxy are limited each by itself; a claimed hop on the left is not believed", async () => {
    const ada = await people.register("ada");
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await login(ada.email, `198.51.100.${attempt}, 203.0.113.9`)).status).toBe(401);
    }
    expect((await login(ada.email, "203.0.113.9", ada.password)).status).toBe(429);
    expect((await login(ada.email, "::ffff:203.0.113.9", ada.password)).status).toBe(429);
    expect((await login(ada.email, "203.0.113.10", ada.password)).status).toBe(200);
  });

  test("IPv6 clients are counted by /64", async () => {
    const ada = await people.register("ada");
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect((await login(ada.email, `2001:db8:1:2::${attempt.toString(16)}:1`)).status).toBe(401);
    }
    expect((await login(ada.email, "2001:db8:1:2:ffff:ffff:ffff:ffff", ada.password)).status).toBe(429);
    expect((await login(ada.email, "2001:db8:1:3::1", ada.password)).status).toBe(200);
  });
});

test("the lockout holds an account whichever addresses the guesses come from", async () => {
  const strict = await startTarget({ env: { ...calm, API_TRUSTED_PROXIES: "127.0.0.0/8" } });
  try {
    const ada = await createPeople(strict.url).register("ada");
    const statuses: number[] = [];
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      const body = { login: ada.email, password: "not the password" };
      statuses.push((await createClient(strict.url).post(auth("login"), body, from(`203.0.113.${attempt}`))).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 423, 423]);
  } finally {
    await strict.stop();
  }
});
