import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  auth,
  expectHonestRetry,
  expectRefusal,
  isServed,
  minute,
  refreshes,
  second,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";

import { stage } from "../../support/stage.ts";

const expectLimited = (answer: Answer): void => {
  expectRefusal(answer, 429, "rate limited", "rate_limited");
  expect(answer.setCookies).toEqual([]);
};

// Otherwise the lockout would come first.
const byName = await stage({ env: { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100" } });
const byAddress = await stage({ env: { AUTH_IP_RATE_LIMIT_ATTEMPTS: "3" } });

describe("logins of one name from one address", () => {
  const { target, rows, people } = byName;

  const login = (name: string, password = "not the password") =>
    createClient(target.url).post(auth("login"), { login: name, password });
  async function fail({ email }: Person, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) expect((await login(email)).status).toBe(401);
  }

  test("L-03 the 11th attempt in 15 minutes is refused, even with the right password", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    await fail(ada, 10);
    const refused = await login(ada.email, ada.password);
    expectLimited(refused);
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(15 * 60 - 5, 15 * 60 + 1);
    expectLimited(await login(ada.email.toUpperCase(), ada.password));
    expect((await login(grace.email, grace.password)).status).toBe(200);
  });

  test("L-03 an unknown login is limited alike", async () => {
    for (let attempt = 1; attempt <= 10; attempt += 1) expect((await login("nobody")).status).toBe(401);
    expectLimited(await login("nobody"));
  });

  test("L-03 of 40 attempts at the same time ten are looked at, though none of them was counted when they came", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => login("somebody")));
    const refused = answers.filter(({ status }) => status !== 401);
    expect(answers.length - refused.length).toBe(10);
    for (const answer of refused) expectLimited(answer);
  });

  test("the window is counted from the first attempt, and refused ones do not prolong it", async () => {
    const ada = await people.register("ada");
    await fail(ada, 1);
    rows.letPass(10 * minute);
    await fail(ada, 9);
    for (let attempt = 1; attempt <= 3; attempt += 1) expectLimited(await login(ada.email));
    rows.letPass(5 * minute + second);
    expect((await login(ada.email, ada.password)).status).toBe(200);
  });

  test("a success clears the counter", async () => {
    const ada = await people.register("ada");
    await fail(ada, 9);
    expect((await login(ada.email, ada.password)).status).toBe(200);
    await fail(ada, 10);
    expectLimited(await login(ada.email));
  });

  test("L-06 with no trusted proxy, no header makes another client of the same one", async () => {
    const ada = await people.register("ada");
    const names = [
      "x-forwarded-for",
      "forwarded",
      "x-real-ip",
      "cf-connecting-ip",
      "true-client-ip",
      "x-client-ip",
      "x-cluster-client-ip",
    ];
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const address = `203.0.113.${attempt}`;
      const headers = Object.fromEntries(
        names.map((name) => [name, name === "forwarded" ? `for=${address}` : address]),
      );
      const body = { login: ada.email, password: "not the password" };
      statuses.push((await createClient(target.url).post(auth("login"), body, { headers })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    const listing = await ada.client.get(auth("sessions"), { headers: { "x-forwarded-for": "203.0.113.1" } });
    expect(listing.text).toContain('"ip_address":"127.0.0.1"');
  });

  test("L-09 Retry-After is true within a second", async () => {
    const ada = await people.register("ada");
    await fail(ada, 10);
    rows.letPass(3 * minute + 456);
    await expectHonestRetry(
      rows,
      await login(ada.email),
      429,
      async () => (await login(ada.email, ada.password)).status === 200,
    );
  });
});

describe("requests of one kind from one address", () => {
  const { target, rows } = byAddress;
  let count = 0;
  beforeEach(() => void rows.forgive());
  afterEach(() => void rows.forgive());

  const stranger = () => createClient(target.url);
  const register = (client = stranger()) => {
    count += 1;
    return client.post(auth("register"), { email: `ada${count}@example.test`, password: "a long walk by the sea" });
  };
  const kinds: Readonly<Record<string, () => Promise<Answer>>> = {
    register: () => register(),
    "password-reset/request": () => stranger().post(auth("password-reset/request"), { login: "nobody" }),
    "password-reset/confirm": () =>
      stranger().post(auth("password-reset/confirm"), { token: "x", new_password: "a long walk by the sea" }),
    "email-verification/confirm": () => stranger().post(auth("email-verification/confirm"), { token: "x" }),
  };

  test.each(Object.keys(kinds))("G-10 L-10 %s is limited, and L-09 says truly for how long", async (name) => {
    const ask = kinds[name] ?? register;
    for (let time = 1; time <= 3; time += 1) expect((await ask()).status).not.toBe(429);
    expectLimited(await ask());
    rows.letPass(4 * minute + 123);
    await expectHonestRetry(rows, await ask(), 429, async () => (await ask()).status !== 429);
  });

  test("email-verification/request is limited too", async () => {
    const client = stranger();
    await register(client);
    for (let time = 1; time <= 3; time += 1)
      expect((await client.post(auth("email-verification/request"))).status).toBe(200);
    expectLimited(await client.post(auth("email-verification/request")));
  });

  test("each kind is counted by itself", async () => {
    for (let time = 1; time <= 4; time += 1) await register();
    expectLimited(await register());
    for (const name of ["password-reset/request", "password-reset/confirm", "email-verification/confirm"]) {
      expect((await kinds[name]?.())?.status).not.toBe(429);
    }
  });

  test("G-10 the limit of reset requests is no oracle: it counts and answers alike for known and unknown", async () => {
    const known = await register();
    for (const login of [known.textAt("user.email"), "nobody@example.test"]) {
      rows.forgive();
      const ask = () => stranger().post(auth("password-reset/request"), { login });
      for (let time = 1; time <= 3; time += 1) expect((await ask()).json).toEqual({ ok: true });
      expectLimited(await ask());
    }
  });

  test("refresh and protected requests are not limited", async () => {
    const client = stranger();
    await register(client);
    for (let time = 1; time <= 10; time += 1) {
      expect(await refreshes(client)).toBe(true);
      expect(await isServed(client)).toBe(true);
    }
  });
});
