import { describe, expect, test } from "bun:test";
import { auth, expectHonestRetry, expectRefusal, isServed, minute, second, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, people } = await stage();

const login = (name: string, password = "not the password") =>
  createClient(target.url).post(auth("login"), { login: name, password });
const rightly = ({ email, password }: Person) => login(email, password);
async function fail(name: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await login(name)).status);
  return statuses;
}
const expectLocked = (answer: Answer): void => expectRefusal(answer, 423, "account locked", "account_locked");

describe("lockout", () => {
  test("L-03 the fifth wrong password in a row locks the account, and says so", async () => {
    const ada = await people.register("ada");
    expect(await fail(ada.email, 4)).toEqual([401, 401, 401, 401]);
    const fifth = await login(ada.email);
    expectLocked(fifth);
    expect(Number(fifth.headers.get("retry-after"))).toBeWithin(15 * 60 - 2, 15 * 60 + 1);
    expect(fifth.setCookies).toEqual([]);
  });

  test("L-04 during the lock the right password gets the same reply; after it, it works, and the counter starts anew", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    const [wrong, right] = [await login(ada.email), await rightly(ada)];
    for (const answer of [wrong, right]) {
      expectLocked(answer);
      expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(answer.setCookies).toEqual([]);
    }
    rows.letPass(15 * minute + second);
    expect((await rightly(ada)).status).toBe(200);
    expect(await fail(ada.email, 4)).toEqual([401, 401, 401, 401]);
    expect((await rightly(ada)).status).toBe(200);
  });

  test("L-04 after the lock it takes five failures again", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    rows.letPass(15 * minute + second);
    expect(await fail(ada.email, 5)).toEqual([401, 401, 401, 401, 423]);
  });

  test("attempts during the lock do not prolong it", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    rows.letPass(10 * minute);
    expect(await fail(ada.email, 4)).toEqual([423, 423, 423, 423]);
    rows.letPass(5 * minute + second);
    expect((await rightly(ada)).status).toBe(200);
  });

  test("a success in between clears the counter", async () => {
    const ada = await people.register("ada");
    for (let round = 0; round < 3; round += 1) {
      expect(await fail(ada.email, 4)).toEqual([401, 401, 401, 401]);
      expect((await rightly(ada)).status).toBe(200);
    }
  });

  test("a lock leaves open sessions alone", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 5);
    expect(await isServed(ada.client)).toBe(true);
    expect((await ada.client.post(auth("refresh"))).status).toBe(200);
  });

  test("L-01 an unknown login is limited and locked exactly as a known one", async () => {
    const ada = await people.register("ada");
    const history = async (name: string) => {
      const statuses: unknown[] = [];
      for (let time = 0; time < 12; time += 1) {
        const answer = await login(name);
        statuses.push([answer.status, answer.at("code"), answer.headers.has("retry-after")]);
      }
      return statuses;
    };
    const known = await history(ada.email);
    expect(known.map((each) => String(each))).toEqual([
      ...Array<string>(4).fill("401,invalid_credentials,false"),
      ...Array<string>(6).fill("423,account_locked,true"),
      ...Array<string>(2).fill("429,rate_limited,true"),
    ]);
    expect(await history("nobody@example.test")).toEqual(known);
    expect(await history("nobody")).toEqual(known);
    const alan = await people.register("alan");
    rows.run("update users set active = 0 where id = ?", alan.id);
    expect(await history(alan.username)).toEqual(known);
  });

  test.each([
    ["name", ["Ada.L", "ADA.L", "\uff21\uff44\uff41.\uff2c", "  ada.l ", "ada.L", "ADA.l"]],
    [
      "address",
      [
        "ada.love@b\u00fccher.example",
        "ADA.LOVE@xn--bcher-kva.example",
        "ada.love@bu\u0308cher.example",
        " Ada.Love@B\u00dcCHER.example",
        "\uff21da.love@b\u00fccher.example",
        "ada.love@b\u00fccher.example",
      ],
    ],
  ])("L-05 one counter for the %s of an account, however it is spelt", async (_, spellings) => {
    const ada = await people.register("ada", { username: "Ada.L", email: "Ada.Love@B\u00fccher.example" });
    const statuses: number[] = [];
    for (const spelling of spellings) statuses.push((await login(spelling)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 423, 423]);
    for (const spelling of spellings.slice(0, 2)) expectLocked(await login(spelling, ada.password));
    rows.run("delete from users where id = ?", ada.id);
    rows.forgive();
  });

  test("L-05 aliases of an unknown login share a counter too", async () => {
    const aliases = [
      "no.body@example.test",
      "NO.BODY@example.test",
      " no.body@EXAMPLE.test ",
      "No.Body@Example.Test",
      "no.body@example.test",
    ];
    const statuses: number[] = [];
    for (const alias of aliases) statuses.push((await login(alias)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 423]);
  });

  test("L-10 every check of the password counts: logins on the name, a change and a new address on the session", async () => {
    const ada = await people.register("ada");
    const wrong = { current_password: "not the password" };
    const change = () =>
      ada.client.post(auth("change-password"), { ...wrong, new_password: "another walk by the sea" });
    const move = () => ada.client.post(auth("profile"), { ...wrong, email: `new.${ada.email}` });
    const statuses: number[] = [];
    for (const ask of [change, move, change, move, change, move]) statuses.push((await ask()).status);
    expect(statuses).toEqual([401, 403, 401, 403, 423, 423]);
    expect((await rightly(ada)).status).toBe(200);
    expect(await fail(ada.username, 6)).toEqual([401, 401, 401, 401, 423, 423]);
  });

  test("L-03 parallel guesses can't outrun the counter", async () => {
    const ada = await people.register("ada");
    const answers = await Promise.all(Array.from({ length: 40 }, () => login(ada.email)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect(count(401)).toBe(4);
    expect(count(423)).toBe(6);
    expect(count(429)).toBe(30);
    expect((await rightly(ada)).status).toBe(429);
  });

  test("a burst of right passwords is no attack", async () => {
    const ada = await people.register("ada");
    const answers = await Promise.all(Array.from({ length: 20 }, () => rightly(ada)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test("L-09 Retry-After of a lock is true within a second", async () => {
    const ada = await people.register("ada");
    await fail(ada.email, 4);
    rows.letPass(7 * minute + 321);
    await expectHonestRetry(rows, await login(ada.email), 423, async () => (await rightly(ada)).status === 200);
    const grace = await people.register("grace");
    await fail(grace.email, 5);
    rows.letPass(7 * minute + 654);
    await expectHonestRetry(rows, await rightly(grace), 423, async () => (await rightly(grace)).status === 200);
  });
});
