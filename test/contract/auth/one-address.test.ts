import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { untilLogged } from "../../support/log.ts";
import { openAddress, type Reply } from "../../support/address.ts";
import { auth, inParallel, minute } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const wrong = "not the password";
const limit = 20;
const count = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length;
let names = 0;
const newName = (): string => `nobody.${(names += 1)}`;

const limited = await stage({ env: { AUTH_IP_LOGIN_FAILURES: String(limit), AUTH_PASSWORD_HASH_QUEUE: "1000" } });
// The limits by address are out of reach: only the queue protects others from a flood.
const crowded = await stage({ env: { AUTH_PASSWORD_HASH_CONCURRENCY: "1", AUTH_PASSWORD_HASH_QUEUE: "8" } });

describe("failed logins of one address", () => {
  const { target, rows, people } = limited;
  const [here, there] = [openAddress(target.url, "127.0.0.1"), openAddress(target.url, "127.0.0.2")];
  afterAll(() => [here, there].forEach(({ close }) => close()));
  afterEach(() => void rows.forgive());
  const login = (from: typeof here, name: string, password = wrong, headers = {}) =>
    from.post(auth("login"), { login: name, password }, headers);
  async function guess(from: typeof here, times: number, headers = {}): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (let time = 0; time < times; time += 1) replies.push(await login(from, newName(), wrong, headers));
    return replies;
  }

  test("L-24 are limited over all names, and other addresses go on", async () => {
    const ada = await people.register("ada");
    const replies = await guess(here, limit + 5);
    expect(replies.map(({ status }) => status)).toEqual([
      ...Array<number>(limit).fill(401),
      ...Array<number>(5).fill(429),
    ]);
    expect(replies.at(-1)?.code).toBe("rate_limited");
    expect(Number(replies.at(-1)?.retryAfter)).toBeWithin(15 * 60 - 10, 15 * 60 + 1);
    expect((await login(here, ada.email, ada.password)).status).toBe(429);
    expect((await login(there, ada.email, ada.password)).status).toBe(200);
    // A browser that has signed in before is not held back by others at its address.
    const known = { cookie: `auth_device=${ada.client.cookie("auth_device")}` };
    expect((await login(here, ada.email, ada.password, known)).status).toBe(200);
    rows.letPass(15 * minute);
    expect((await login(here, ada.email, ada.password)).status).toBe(200);
  });

  test("L-24 can't be outrun by sending them at once", async () => {
    const replies = await Promise.all(Array.from({ length: 80 }, () => login(here, newName())));
    expect(count(replies, 401)).toBe(limit);
    expect(count(replies, 429) + count(replies, 503)).toBe(80 - limit);
    expect((await login(here, newName())).status).toBe(429);
  });

  test("L-24 right passwords do not count, however many people share the address", async () => {
    const crowd = await Promise.all(Array.from({ length: limit + 5 }, () => people.register("grace")));
    rows.forgive();
    for (const { email, password } of crowd) expect((await login(here, email, password)).status).toBe(200);
    expect(rows.count("auth_attempts")).toBe(0);
  });

  test("L-25 what is refused with 429 or 423 leaves no row behind", async () => {
    await guess(here, limit);
    const before = rows.count("auth_attempts");
    expect(count(await guess(here, 50), 429)).toBe(50);
    expect(rows.count("auth_attempts")).toBe(before);
    rows.forgive();
    const name = newName();
    for (let time = 0; time < 5; time += 1) await login(here, name);
    const locked = rows.count("auth_attempts");
    for (let time = 0; time < 10; time += 1) expect((await login(there, name)).status).toBe(423);
    expect(rows.count("auth_attempts")).toBe(locked);
  });

  test("L-26 a proxy on this host that nobody trusts is many people: warned of, and not limited as one", async () => {
    const forwarded = { "x-forwarded-for": "203.0.113.7" };
    expect(count(await guess(here, limit + 5, forwarded), 401)).toBe(limit + 5);
    await untilLogged(target, /is not in API_TRUSTED_PROXIES/);
    const warnings = target.logs().match(/is not in API_TRUSTED_PROXIES/g);
    expect(warnings).toHaveLength(1);
    expect((await createClient(target.url).get("/metrics")).text).toMatch(
      /^http_forgotten_proxy_requests_total\{.*\} 25$/m,
    );
  });
});

describe("a flood from one address", () => {
  const { target, rows, people } = crowded;

  test("L-27 takes its turn with the other addresses for the places where passwords are checked", async () => {
    const crowd = await Promise.all(Array.from({ length: 6 }, () => people.register("ada")));
    const mallory = openAddress(target.url, "127.0.0.1");
    let isOver = false;
    const statuses = new Map<number, number>();
    const flood = Array.from({ length: 100 }, async () => {
      while (!isOver) {
        const { status } = await mallory.post(auth("login"), { login: newName(), password: wrong });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await Bun.sleep(200);
    const others = crowd.map((person, index) => ({ person, from: openAddress(target.url, `127.0.0.${index + 2}`) }));
    const replies: Reply[] = [];
    await inParallel(3, others, async ({ person, from }) => {
      for (let time = 0; time < 5; time += 1)
        replies.push(await from.post(auth("login"), { login: person.email, password: person.password }));
    });
    isOver = true;
    await Promise.all(flood);
    for (const { close } of [mallory, ...others.map(({ from }) => from)]) close();
    expect(count(replies, 200)).toBe(30);
    expect(statuses.get(503) ?? 0).toBeGreaterThan(100);
  });

  test("L-25 what is refused with 503 leaves no row behind", async () => {
    rows.forgive();
    const client = createClient(target.url);
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => client.post(auth("login"), { login: newName(), password: wrong })),
    );
    const tried = replies.filter(({ status }) => status === 401).length;
    expect(tried).toBeLessThan(40);
    // Each tried name has a counter of its rate and one of its lock. The address has one, as has each of the two blocks around it. The
    // names without an account share a few.
    const shared = rows.count("auth_attempts where expires_at > ?", Date.now() + 24 * 60 * minute);
    expect(rows.count("auth_attempts")).toBe(2 * tried + 3 + shared);
    expect(shared).toBeLessThanOrEqual(tried);
  });
});
