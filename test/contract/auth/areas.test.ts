import { afterEach, describe, expect, test } from "bun:test";
import { from } from "../../support/areas.ts";
import { auth, expectRefusal, mailedToken, minute, type Person } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { setUpTotp } from "../../support/factors.ts";
import { eventually } from "../../support/log.ts";
import { office } from "../../support/office.ts";
import { stage } from "../../support/stage.ts";

const wrong = "not the password";
const next = "another walk by the sea";
const limit = 3;
const proxied = { API_TRUSTED_PROXIES: "127.0.0.1/32" };
let names = 0;
const newName = (): string => `nobody.${(names += 1)}`;
const statusesOf = (answers: readonly Answer[]): number[] => answers.map(({ status }) => status);
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** The addresses of a block, each of which may fail three times at most: `count` of them. */
const spread = (count: number, address: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => address(Math.floor(index / limit)));

/** Blocks within one another: an address of the smaller one, outside it, and outside both. */
const blocks = [
  {
    name: "a /56",
    level: 1,
    inside: (number: number) => `2001:db8:1:${(number % 256).toString(16)}::1`,
    beside: "2001:db8:1:1ff::1",
  },
  {
    name: "a /48",
    level: 2,
    inside: (number: number) => `2001:db8:2:${((number * 256) % 65_536).toString(16)}::1`,
    beside: "2001:db8:3::1",
  },
  {
    name: "a /32",
    level: 3,
    inside: (number: number) => `2001:db9:${number.toString(16)}::1`,
    beside: "2001:dba::1",
  },
  { name: "a /24", level: 1, inside: (number: number) => `192.0.2.${number}`, beside: "192.0.3.1" },
  { name: "a /16", level: 2, inside: (number: number) => `198.51.${number}.1`, beside: "198.52.0.1" },
] as const;

const failing = await stage({ env: { ...proxied, AUTH_IP_LOGIN_FAILURES: String(limit) } });
const { people: seen } = await office(failing.target);

describe("wrong passwords from a block of addresses", () => {
  const { target, rows, people } = failing;
  afterEach(() => void rows.forgive());
  const login = (name: string, password: string, address: string, browser: Client = createClient(target.url)) =>
    browser.post(auth("login"), { login: name, password }, { headers: from(address) });
  const rightly = ({ email, password }: Person, address: string, browser?: Client) =>
    login(email, password, address, browser);
  async function fail(addresses: readonly string[]): Promise<number[]> {
    const answers: Answer[] = [];
    for (const address of addresses) answers.push(await login(newName(), wrong, address));
    return statusesOf(answers);
  }
  /** A browser that the account knows, whose session has ended. */
  function knownTo({ client }: Person): Client {
    const browser = createClient(target.url);
    browser.setCookie("auth_device", client.cookie("auth_device") ?? "");
    return browser;
  }

  test.each(blocks)("L-83 are limited over all of $name, and outside it goes on", async ({ level, inside, beside }) => {
    const ada = await people.register("ada");
    const most = limit * 4 ** level;
    expect(await fail(spread(most, inside))).toEqual(times(most, 401));
    const fresh = inside(most / limit);
    const refused = await rightly(ada, fresh);
    expectRefusal(refused, 429, "rate limited", "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(15 * 60 - 60, 15 * 60 + 1);
    expect((await rightly(ada, beside)).status).toBe(200);
    rows.letPass(15 * minute);
    expect((await rightly(ada, fresh)).status).toBe(200);
  });

  const [block] = blocks;
  const most = limit * 4;
  const fresh = block.inside(200);

  test("L-83 refuse neither a browser that the account knows nor a session there, nor the second step of a sign-in", async () => {
    const ada = await people.register("ada");
    await fail(spread(most, block.inside));
    expect((await rightly(ada, fresh)).status).toBe(429);
    expect((await rightly(ada, fresh, knownTo(ada))).status).toBe(200);
    const again = { current_password: ada.password };
    expect((await ada.client.post(auth("reauthenticate"), again, { headers: from(fresh) })).status).toBe(200);
    const { recoveryCodes } = await setUpTotp(ada);
    const unknown = createClient(target.url);
    const challenge = (await rightly(ada, block.beside, unknown)).textAt("challenge");
    const answer = { challenge, method: "recovery_code", code: recoveryCodes[0] };
    expect((await unknown.post(auth("login/verify"), answer, { headers: from(fresh) })).status).toBe(200);
  });

  test("L-83 count for the block when they happen: right passwords there write nothing that others there wait for", async () => {
    const ada = await people.register("ada");
    rows.forgive();
    for (let time = 0; time < most + 2; time += 1) expect((await rightly(ada, block.inside(time))).status).toBe(200);
    expect(rows.count("auth_attempts")).toBe(0);
    await fail(spread(most - 1, block.inside));
    expect((await rightly(ada, fresh)).status).toBe(200);
  });

  test("L-83 that are refused add to no counter and leave no row", async () => {
    await fail(spread(most, block.inside));
    const before = rows.count("auth_attempts");
    expect(await fail(times(10, fresh))).toEqual(times(10, 429));
    expect(rows.count("auth_attempts")).toBe(before);
  });

  test("L-83 a browser that has used up its tries is a stranger of its block", async () => {
    const ada = await people.register("ada");
    const known = knownTo(ada);
    for (let round = 0; round < 20; round += 1) {
      for (let time = 0; time < 5; time += 1) await login(ada.email, wrong, block.beside, known.copy());
      rows.run("update auth_attempts set expires_at = expires_at - ?", 16 * minute);
    }
    await fail(spread(most, block.inside));
    expect((await rightly(ada, fresh, known)).status).toBe(429);
  }, 120_000);

  test("L-83 those who look after accounts see which block is held back", async () => {
    const ada = await people.register("ada");
    await login(ada.email, wrong, fresh);
    await fail(spread(most - 1, block.inside));
    const standing = async () => (await seen.show(ada.email)).standing;
    // The failure is written down behind its answer.
    await eventually("the failure in the list", async () =>
      (await standing()).some(({ why }) => why === "address_limited"),
    );
    const [found] = (await standing()).filter(({ why }) => why === "address_limited");
    expect(found).toMatchObject({ address: "2001:db8:1::/56", failures: most });
  });
});

const asking = await stage({ env: { ...proxied, AUTH_IP_RATE_LIMIT_ATTEMPTS: String(limit) } });

describe("requests that anybody may send, from a block of addresses", () => {
  const { target, rows, people, mailbox } = asking;
  afterEach(() => void rows.forgive());
  const post = (path: string, body: object, address: string) =>
    createClient(target.url).post(auth(path), body, { headers: from(address) });
  const askReset = (address: string, login = newName()) => post("password-reset/request", { login }, address);

  test.each(blocks)("L-84 are limited over all of $name, and outside it goes on", async ({ level, inside, beside }) => {
    const most = limit * 4 ** level;
    for (const address of spread(most, inside)) expect((await askReset(address)).status).toBe(200);
    const refused = await askReset(inside(most / limit));
    expectRefusal(refused, 429, "rate limited", "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(15 * 60 - 60, 15 * 60 + 1);
    expect((await askReset(beside)).status).toBe(200);
  });

  const [{ inside, beside }] = blocks;
  const fresh = inside(200);

  test("L-84 what is refused is counted nowhere, and leaves no row", async () => {
    for (const address of spread(limit * 4, inside)) await askReset(address);
    const before = rows.count("auth_attempts");
    const sum = (): number => Number(rows.get("select sum(attempts) as n from auth_attempts")["n"]);
    const counted = sum();
    for (let time = 0; time < 5; time += 1) expect((await askReset(fresh)).status).toBe(429);
    for (let time = 0; time < 5; time += 1) expect((await askReset(inside(0))).status).toBe(429);
    expect([rows.count("auth_attempts"), sum()]).toEqual([before, counted]);
  });

  test("L-84 refuse nobody who brings a link that works, nor a session", async () => {
    const ada = await people.register("ada");
    rows.forgive();
    await askReset(beside, ada.email);
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    const reset = (shown: string, address: string) =>
      post("password-reset/confirm", { token: shown, new_password: next }, address);
    const made = "x".repeat(token.length);
    for (const address of spread(limit * 4, inside)) expect((await reset(made, address)).status).toBe(401);
    expect((await reset(made, fresh)).status).toBe(429);
    expect((await reset(token, fresh)).status).toBe(200);
    // It works no longer, and proves nothing any more.
    expect((await reset(token, fresh)).status).toBe(429);
  });

  test("L-84 a link that works does not lift the limit of its own address", async () => {
    const ada = await people.register("ada");
    rows.forgive();
    await askReset(beside, ada.email);
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    for (let time = 0; time < limit; time += 1)
      await post("password-reset/confirm", { token: "x".repeat(43), new_password: next }, fresh);
    expect((await post("password-reset/confirm", { token, new_password: next }, fresh)).status).toBe(429);
  });
});

describe("what a passkey is asked for with", () => {
  const { target, rows, people } = asking;
  afterEach(() => void rows.forgive());
  const ask = (address: string) =>
    createClient(target.url).post(auth("passkeys/login/options"), {}, { headers: from(address) });
  async function askOften(count: number, address: (number: number) => string): Promise<Map<number, number>> {
    const answers = new Map<number, number>();
    for (let number = 0; number < count; number += 1) {
      const { status } = await ask(address(number));
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
    return answers;
  }

  test("L-85 is limited by address, at ten times the limit of other requests", async () => {
    const answers = await askOften(limit * 10 + 30, () => "203.0.113.5");
    // Up to nine are not counted yet.
    expect(answers.get(200)).toBeWithin(limit * 10, limit * 10 + 10);
    const refused = await ask("203.0.113.5");
    expectRefusal(refused, 429, "rate limited", "rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(15 * 60 - 60, 15 * 60 + 1);
    expect((await ask("203.0.114.5")).status).toBe(200);
    // Passwords are no part of it.
    const ada = await people.register("ada");
    const body = { login: ada.email, password: ada.password };
    const login = await createClient(target.url).post(auth("login"), body, { headers: from("203.0.113.5") });
    expect(login.status).toBe(200);
    rows.letPass(15 * minute);
    expect((await ask("203.0.113.5")).status).toBe(200);
  });

  test("L-85 can't be outrun by asking at once, and holds back nobody else of the block", async () => {
    const most = limit * 10;
    const answers = await Promise.all(Array.from({ length: most * 2 }, () => ask("2001:db8:85:1::1")));
    expect(answers.filter(({ status }) => status === 200).length).toBeWithin(most, most + 10);
    expect((await ask("2001:db8:85:2::1")).status).toBe(200);
  });

  test("L-85 whoever loads a page a few times leaves no row", async () => {
    for (let time = 0; time < 9; time += 1) await ask("100.64.3.9");
    expect(rows.count("auth_attempts")).toBe(0);
    await ask("100.64.3.9");
    expect(rows.count("auth_attempts")).toBe(1);
  });
});
