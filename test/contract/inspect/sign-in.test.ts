import { describe, expect, test } from "bun:test";
import base from "../../../src/http/pages/style/base.css" with { type: "text" };
import lists from "../../../src/http/pages/style/lists.css" with { type: "text" };
import parts from "../../../src/http/pages/style/parts.css" with { type: "text" };
import tokens from "../../../src/http/pages/style/tokens.css" with { type: "text" };
import live from "../../../src/inspect/pages/script.js" with { type: "text" };
import list from "../../../src/inspect/pages/style.css" with { type: "text" };
import timeline from "../../../src/inspect/pages/timeline.css" with { type: "text" };
import { eventually } from "../../support/log.ts";
import { auth, createPeople } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { startTarget } from "../../support/target.ts";
import {
  asOperator,
  createOperator,
  lighthouseSecret,
  recording,
  stageRecording,
  startRecording,
} from "./lighthouse.fixture.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const post = (client: Client, path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Answer> =>
  client.post(path, undefined, { headers: { ...form, ...headers }, body: new URLSearchParams(fields).toString() });
const signIn = (client: Client, secret: string, more = {}): Promise<Answer> =>
  post(client, "/lighthouse/sign-in", { secret, ...more });
const csrfOf = (page: Answer): string => /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";

const { target } = await stageRecording({
  AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
  AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "100",
});

describe("signing in to Lighthouse", () => {
  test("a page leads to the form, and the form back to the page", async () => {
    const browser = createClient(target.url);
    const away = await browser.get("/lighthouse/runtime");
    expect(away.status).toBe(303);
    expect(away.headers.get("location")).toBe("/lighthouse/sign-in?next=%2Flighthouse%2Fruntime");
    const page = await browser.get("/lighthouse/sign-in?next=%2Flighthouse%2Fruntime");
    expect(page.text).toContain('value="/lighthouse/runtime"');
    const answer = await signIn(browser, lighthouseSecret, { next: "/lighthouse/runtime" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/lighthouse/runtime"]);
    const [cookie] = answer.setCookies;
    expect(cookie?.attributes.get("path")).toBe("/lighthouse");
    expect(cookie?.attributes.get("samesite")?.toLowerCase()).toBe("strict");
    expect(cookie?.attributes.has("httponly")).toBe(true);
    expect(Number(cookie?.attributes.get("max-age"))).toBe(28_800);
    expect(cookie?.value).not.toContain(lighthouseSecret);
    expect((await browser.get("/lighthouse/runtime")).status).toBe(200);
    expect((await browser.get("/lighthouse/api/inspects")).status).toBe(200);
  });

  test.each([
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "/lighthouse/../x",
    "javascript:alert(1)",
    "/api/v1/hello",
  ])("leads to %s in no case", async (next) => {
    const answer = await signIn(createClient(target.url), lighthouseSecret, { next });
    expect(answer.headers.get("location")).toBe("/lighthouse");
  });

  test("a wrong secret is 401 and sets no cookie", async () => {
    const answer = await signIn(createClient(target.url), `${lighthouseSecret}x`);
    expect(answer.status).toBe(401);
    expect(answer.setCookies).toEqual([]);
    expect(answer.text).toContain("not the secret");
  });

  test("X-17 a cookie that was changed, prolonged, or made for another app is none", async () => {
    const browser = createClient(target.url);
    await signIn(browser, lighthouseSecret);
    const value = browser.cookie("lighthouse_app") ?? "";
    const [expires = "", nonce = "", signature = ""] = value.split(".");
    const admin = await startTarget({ app: "admin", env: recording });
    const there = createClient(admin.url);
    await signIn(there, lighthouseSecret);
    const forged = [
      `${Number(expires) + 1}.${nonce}.${signature}`,
      `${expires}.${nonce}x.${signature}`,
      `${expires}.${nonce}.`,
      `1.${nonce}.${signature}`,
      "",
      there.cookie("lighthouse_admin") ?? "",
    ];
    await admin.stop();
    for (const cookie of forged) {
      const other = createClient(target.url);
      other.setCookie("lighthouse_app", cookie);
      expect((await other.get("/lighthouse")).status).toBe(303);
      expect((await other.get("/lighthouse/api/inspects")).status).toBe(401);
    }
    expect((await browser.get("/lighthouse")).status).toBe(200);
  });

  test("signing out takes the form's token, and ends the browser's session", async () => {
    const browser = createClient(target.url);
    await signIn(browser, lighthouseSecret);
    const csrf = csrfOf(await browser.get("/lighthouse"));
    expect((await post(browser, "/lighthouse/sign-out", { csrf: `${csrf}x` })).status).toBe(403);
    expect((await post(browser, "/lighthouse/sign-out", {})).status).toBe(403);
    expect((await post(browser, "/lighthouse/sign-out", { csrf }, { origin: "https://evil.test" })).status).toBe(403);
    expect((await browser.get("/lighthouse")).status).toBe(200);
    expect((await post(browser, "/lighthouse/sign-out", { csrf })).status).toBe(303);
    expect((await browser.get("/lighthouse")).status).toBe(303);
  });

  test("a failed job is retried by the form with its token alone", async () => {
    const { id } = await createPeople(target.url).register("ada");
    const rows = openRows(target.databasePath);
    // A worker takes a retried job at once, so each retry of the test has a job of its own.
    const [job, another] = ["0197a000-0000-7000-8000-000000000001", "0197a000-0000-7000-8000-000000000002"];
    for (const each of [job, another])
      rows.run(
        `insert into jobs (id, queue, name, payload, state, attempts, max_attempts, available_at, created_at, finished_at, last_error)
         values (?, 'default', 'auth:send-notice', ?, 'dead', 8, 8, 1, 1, 1, 'the letter was <b>lost</b>')`,
        each,
        JSON.stringify({ notice: "password_changed", userId: id }),
      );
    const browser = createClient(target.url);
    await signIn(browser, lighthouseSecret);
    const page = await browser.get("/lighthouse/runtime");
    expect(page.text).toContain("the letter was &lt;b&gt;lost&lt;/b&gt;");
    const path = `/lighthouse/jobs/${job}/retry`;
    expect((await post(browser, path, {})).status).toBe(403);
    expect((await post(createClient(target.url), path, { csrf: csrfOf(page) })).status).toBe(401);
    const state = (): unknown => rows.get("select state from jobs where id = ?", job);
    expect(state()).toMatchObject({ state: "dead" });
    expect((await post(browser, path, { csrf: csrfOf(page) })).headers.get("location")).toBe(
      "/lighthouse/runtime#failed-jobs",
    );
    expect(state()).not.toMatchObject({ state: "dead" });
    const twice = await post(browser, path, { csrf: csrfOf(page) });
    expect(twice.status).toBe(404);
    expect(twice.text).toContain("<h1>That job is not among the failed ones");
    const stranger = await post(createClient(target.url), path, { csrf: csrfOf(page) });
    expect(stranger.text).toContain("<h1>The sign-in has ended.");
    expect(stranger.text).not.toContain('action="/lighthouse/sign-out"');
    expect(
      (await createClient(target.url).post(`/lighthouse/api/jobs/${job}/retry`, undefined, asOperator)).status,
    ).toBe(404);
    const told = () => target.logs().split("a failed job is tried again").length;
    const before = told();
    expect(
      (await createClient(target.url).post(`/lighthouse/api/jobs/${another}/retry`, undefined, asOperator)).status,
    ).toBe(200);
    await eventually("the operator's act in the log", () => told() === before + 1);
    rows.close();
  });
});

test("X-17 X-34 wrong secrets lock out what guesses, at the API too, and neither the right bearer nor who is signed in", async () => {
  const target = await startTarget({ env: recording });
  const operator = createClient(target.url);
  await signIn(operator, lighthouseSecret);
  const browser = createClient(target.url);
  for (let guess = 1; guess < 5; guess += 1) expect((await signIn(browser, `guess ${guess}`)).status).toBe(401);
  const fifth = await signIn(browser, "guess 5");
  expect(fifth.status).toBe(423);
  expect(Number(fifth.headers.get("retry-after"))).toBeGreaterThan(890);
  expect((await signIn(browser, lighthouseSecret)).status).toBe(423);
  const withBearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
  for (let guess = 6; guess < 20; guess += 1) {
    expect((await browser.get("/lighthouse/api/inspects", withBearer(`guess ${guess}`))).status).toBe(423);
    expect((await browser.get("/lighthouse/api/inspects", asOperator)).status).toBe(200);
    expect((await operator.get("/lighthouse")).status).toBe(200);
    expect((await operator.get("/lighthouse/api/inspects", withBearer("guess"))).status).toBe(200);
  }
  // The right bearer token does not lift the lock of a guesser at the same address.
  expect((await signIn(browser, lighthouseSecret)).status).toBe(423);
  expect(target.logs()).not.toContain("guess 5");
  await target.stop();
});

test("X-02 pages load nothing but what this host serves, and run no script but its own", async () => {
  const { target } = await startRecording();
  const browser = createClient(target.url);
  const style = await browser.get("/lighthouse/assets/style.css");
  expect([style.status, style.headers.get("content-type")]).toEqual([200, "text/css; charset=utf-8"]);
  for (const sheet of [tokens, base, parts, lists, list, timeline]) expect(style.text).toContain(sheet);
  const script = await browser.get("/lighthouse/assets/script.js");
  expect([script.status, script.headers.get("content-type")]).toEqual([200, "text/javascript; charset=utf-8"]);
  expect(script.text).toBe(live);
  await signIn(browser, lighthouseSecret);
  for (const path of ["/lighthouse", "/lighthouse/runtime", "/lighthouse/inspects/none"]) {
    const page = await browser.get(path);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|https?:\/\//i);
  }
  await target.stop();
});

const xss = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg onload=alert(1)>",
  "</pre></dd><script>alert(1)</script>",
  "javascript:alert(1)",
  "<a href='javascript:alert(1)'>x</a>",
  "{{constructor.constructor('alert(1)')()}}",
  "</title><script>alert(1)</script>",
  "<!--<script>alert(1)//-->",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
];

test.each(xss)("X-16 %s in a path, a user agent, a name or a search comes out as text", async (text) => {
  const { target, operator } = await startRecording({ env: { APP_DEBUG: "true" } });
  const client = createClient(target.url);
  const headers = { "user-agent": text };
  await client.get(`/${encodeURI(text)}`, { headers });
  await client.post(
    auth("register"),
    { email: "ada@example.test", password: "a long walk by the sea", display_name: text },
    { headers },
  );
  await client.post(auth("login"), { login: text, password: "a walk by another sea" }, { headers });
  await client.get("/api/v1/hello", { headers });
  const browser = createClient(target.url);
  await signIn(browser, lighthouseSecret);
  const all = await operator.atLeast(4, "source=http");
  const pages = [
    await browser.get("/lighthouse"),
    await browser.get(
      `/lighthouse?${new URLSearchParams({ text, name: text, status: text, source: text }).toString()}`,
    ),
    ...(await Promise.all(all.map(({ id }) => browser.get(`/lighthouse/inspects/${id}`)))),
  ];
  expect(all.some(({ labels }) => labels["user_agent"] === text)).toBe(true);
  for (const page of pages) {
    expect(page.status).toBe(200);
    if (/[<"']/.test(text)) expect(page.text).not.toContain(text);
    expect(tagsOf(page.text).filter((tag) => !known.has(tag))).toEqual([]);
    expect(page.text).not.toMatch(/href="(?!\/|#|data:,")/);
    expect(scriptsOf(page.text)).toEqual(1);
  }
  await target.stop();
});

const known = new Set(
  "html head meta title link script body a header p span nav form input button main div h1 h2 label select option section table caption thead tbody tr th td code time dl dt dd ol li strong details summary pre svg rect".split(
    " ",
  ),
);
const tagsOf = (html: string): string[] =>
  [...html.matchAll(/<([a-z][\w]*)/gi)].map(([, tag = ""]) => tag.toLowerCase());
const scriptsOf = (html: string): number => html.match(/<script/gi)?.length ?? 0;

test("the list tells the day where it changes, and a record what its client was told", async () => {
  const { target, operator } = await startRecording();
  await createClient(target.url).get("/api/v1/hello");
  await createClient(target.url).get("/nowhere");
  const [, first] = await operator.atLeast(2, "source=http");
  const browser = createClient(target.url);
  await signIn(browser, lighthouseSecret);
  const list = await browser.get("/lighthouse");
  expect(list.text.match(/<span class="day">\d{4}-\d\d-\d\d<\/span>/g)?.length).toBeLessThan(3);
  expect(list.text).toContain(`<span class="day">${String(first?.started_at).slice(0, 10)}</span>`);
  const page = await browser.get(`/lighthouse/inspects/${first?.id}`);
  expect(page.text).toContain("The client was told <code>unauthorized</code>");
  await target.stop();
});

test("the operator of one app reads what that app did", async () => {
  const { target } = await startRecording({ app: "admin" });
  await createClient(target.url).get("/asked-of-admin");
  const inspect = await createOperator(target.url).find("text=asked-of-admin");
  expect(inspect.app).toBe("admin");
  await target.stop();
});
