import { readFileSync } from "node:fs";
import { request as open, Agent } from "node:http";
import { expect, test } from "bun:test";
import { auth, secretsOf } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";

const { target, people } = await stage({ ownProcess: true });
const ada = await people.register("ada");
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Returns the processor time of the serving thread in nanoseconds. Other work of the machine, and the threads that hash, do not count. */
const served = (): number =>
  Number(/^\d+/.exec(readFileSync(`/proc/${target.pid}/task/${target.pid}/schedstat`, "utf8"))?.[0]);

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string;
}

const send = ({ method = "GET", path, headers = {}, body }: Sent): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = open(
      { agent, host: "127.0.0.1", port: target.port, method, path, headers: { ...headers } },
      (answer) => {
        answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.on("error", reject).end(body);
  });

/** The most guarded reads that one request may cost. */
const most = 10;

/** Resolves to the cheapest of several rounds: a round may include garbage collection or the compiler's work. */
async function costOf(sent: Sent): Promise<{ readonly cost: number; readonly status: number }> {
  const [rounds, each] = [4, 40];
  let [cost, status] = [Number.POSITIVE_INFINITY, 0];
  for (let round = 0; round < rounds; round += 1) {
    const before = served();
    for (let count = 0; count < each; count += 1) status = await send(sent);
    cost = Math.min(cost, (served() - before) / each);
  }
  return { cost, status };
}

const json = { "content-type": "application/json" };
const post = (route: string, body: string): Sent => ({ method: "POST", path: auth(route), headers: json, body });
const marks = (count: number): string => "\u0301\u0323".repeat(count / 2);
const text = (value: unknown): string => JSON.stringify(value);
const keys = (count: number): string =>
  text(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])));

/** Requests with everything that a stranger can make long, deep, many or odd, within the bounds of the runtime. */
const kinds: Readonly<Record<string, Sent>> = {
  "a path of thousands of parts": { path: `/api${"/a".repeat(3_500)}` },
  "a path of thousands of parts elsewhere": { path: "/a".repeat(3_500) },
  "a path just short enough": { path: `/api${"/a".repeat(1_020)}` },
  "a path of encoded characters": { path: `/api/${"%2f%00%ff".repeat(200)}` },
  "a method that no route takes": { method: "DELETE", path: `/api${"/a".repeat(1_020)}` },
  "thousands of query parameters": { path: `${auth("me")}?${"a=1&".repeat(3_000)}` },
  "a long query of encoded characters": { path: `${auth("verify")}?role=${"%ff".repeat(4_000)}` },
  "hundreds of cookies of one name": { path: auth("me"), headers: { cookie: "auth_access=x; ".repeat(800) } },
  "hundreds of refresh cookies": { path: auth("me"), headers: { cookie: "auth_refresh=x; ".repeat(800) } },
  "a cookie of nothing but separators": { path: auth("me"), headers: { cookie: ";=".repeat(6_000) } },
  "a token of dots": { path: auth("me"), headers: { authorization: `Bearer ${".".repeat(12_000)}` } },
  "a long token": { path: auth("me"), headers: { authorization: `Bearer ${"eyJ".repeat(4_000)}` } },
  "a page": { path: "/login" },
  "a page in one language": { path: "/login", headers: { "accept-language": "de" } },
  "thousands of languages": { path: "/login", headers: { "accept-language": "de;q=0.1,".repeat(1_300) } },
  "thousands of forwarded addresses": { path: "/api/x", headers: { "x-forwarded-for": "1.1.1.1,".repeat(1_500) } },
  "thousands of accepted types": { path: "/api/x", headers: { accept: "text/html;q=0.1,".repeat(700) } },
  "a long origin": { ...post("login", "{}"), headers: { ...json, origin: `https://${"a.".repeat(5_000)}` } },
  "passwords of unordered marks": post("login", text({ login: "ada", password: marks(7_000) })),
  "passwords of as many marks as fit": post(
    "password-reset/confirm",
    text({ token: marks(500), new_password: marks(4_090) }),
  ),
  "names of unordered marks": post(
    "register",
    text({ email: marks(2_500), username: marks(2_500), display_name: marks(1_600) }),
  ),
  "an address of many signs": post("register", text({ email: "@".repeat(319), password: "x" })),
  "an address of many labels": post("register", text({ email: `a@${"a.".repeat(150)}com`, password: "x" })),
  "nested lists": post("login", "[".repeat(16_000)),
  "nested objects": post("login", `${'{"a":'.repeat(2_700)}1${"}".repeat(2_700)}`),
  "nested objects as deep as is read": post("login", `${'{"a":'.repeat(20)}1${"}".repeat(20)}`),
  "thousands of unknown names": post("login", keys(1_500)),
  "as many unknown names as are read": post("login", keys(500)),
  "thousands of entries": post(
    "password-reset/confirm",
    text({ token: "x", new_password: "y", keep: Array.from({ length: 5_000 }, () => "a") }),
  ),
  "broken JSON at its very end": post("login", `{"login":"${"a".repeat(15_000)}"`),
  "a string of escapes": post("login", `{"login":"${String.raw`\u0301`.repeat(2_600)}"}`),
  "a long number": post("login", `{"login":${"9".repeat(15_000)}}`),
  "a form in place of JSON": {
    ...post("login", "a=1&".repeat(4_000)),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  },
  "a body larger than any": post("login", " ".repeat(60_000)),
  "a code of spaces and hyphens": post("email-login/confirm", text({ login: "ada", code: "- ".repeat(2_000) })),
  "a credential of a passkey": post("passkeys/login/verify", text({ credential: { id: "A".repeat(14_000) } })),
  "a state of a provider": { path: `${auth("oauth/google/callback")}?state=${"a".repeat(12_000)}` },
};

test("X-98 no request of a stranger costs the thread that serves more than ten guarded reads", async () => {
  const { access, refresh } = secretsOf(ada.client);
  const read: Sent = { path: "/api/v1/hello", headers: { cookie: `auth_access=${access}; auth_refresh=${refresh}` } };
  // The compiler has seen the path of a request by then.
  for (let count = 0; count < 5; count += 1) await costOf(read);
  const guarded = await costOf(read);
  expect(guarded.status).toBe(200);
  const costs: Record<string, number> = {};
  for (const [kind, sent] of Object.entries(kinds)) {
    let measured = await costOf(sent);
    // A round that shared its processor with others has found cold caches. A request that is truly expensive is so each time.
    for (let again = 0; again < 3 && measured.cost > most * guarded.cost; again += 1) {
      const once = await costOf(sent);
      if (once.cost < measured.cost) measured = once;
    }
    costs[`${kind}: ${measured.status}`] = Math.round((10 * measured.cost) / guarded.cost) / 10;
  }
  expect(Object.entries(costs).filter(([, times]) => times > most)).toEqual([]);
});

test("X-99 a path of more than 2 KiB is 414, in the envelope, and one of 2 KiB is looked for", async () => {
  const long = await fetch(`${target.url}/api/${"a".repeat(2_044)}`);
  expect(long.status).toBe(414);
  expect(await long.json()).toMatchObject({ ok: false, code: "uri_too_long", request_id: expect.any(String) });
  expect((await fetch(`${target.url}/api/${"a".repeat(2_043)}`)).status).toBe(404);
});
