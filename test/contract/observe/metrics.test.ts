import { expect, test } from "bun:test";
import manifest from "../../../package.json" with { type: "json" };
import { families } from "../../../src/observe/metrics/families.ts";
import { auth, calm, createPeople, jwtSecret, secretsOf } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { readExposition, type Exposition } from "../../support/exposition.ts";
import { testTarget } from "../../support/process.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { exchange } from "../../unit/http/site.ts";

endTargetsAfterEach();

const scrape = async (target: Target): Promise<Exposition> => {
  const answer = await createClient(target.url).get("/metrics");
  expect(answer.status).toBe(200);
  return readExposition(answer.text);
};

/** Waits for figures: background work counts a little later than the answer that caused it. */
async function until(target: Target, wanted: (exposition: Exposition) => boolean): Promise<Exposition> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const exposition = await scrape(target);
    if (wanted(exposition)) return exposition;
    if (performance.now() > deadline) throw new Error(`never came: ${wanted.toString()}`);
    await Bun.sleep(10);
  }
}

test("/metrics has every family with its type and labels, app and source first", async () => {
  const target = await startTarget();
  await createPeople(target.url).register("ada");
  const answer = await createClient(target.url).get("/metrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const { types, series } = readExposition(answer.text);
  expect(Object.fromEntries(types)).toEqual(
    Object.fromEntries(Object.entries(families).map(([name, { type }]) => [name, type])),
  );
  const known = Object.entries(families);
  for (const { name, labels } of series) {
    const [family, { labels: own }] = known.find(([each]) => name.startsWith(each)) ?? ["", { labels: [] }];
    const le = name === `${family}_bucket` ? ["le"] : [];
    expect([...labels.keys()]).toEqual(["app", "source", ...own, ...le]);
    expect([labels.get("app"), labels.get("source")]).toEqual(["app", "combined"]);
  }
  const revision = testTarget === "binary" ? manifest.version : "0.0.0-source";
  expect(series.find(({ name }) => name === "gatehouse_build_info")?.labels.get("version")).toBe(revision);
  await target.stop();
});

test("known traffic is counted by route, method and status, and the flows by their outcome", async () => {
  const target = await startTarget({ env: calm });
  const ada = await createPeople(target.url).register("ada");
  const stranger = createClient(target.url);
  for (let times = 0; times < 7; times += 1) await ada.client.get("/api/v1/hello");
  for (let times = 0; times < 3; times += 1) await stranger.get("/api/v1/hello");
  await ada.login();
  await stranger.post(auth("login"), { login: ada.email, password: "not the password" });
  await stranger.post(auth("login"), {});
  await stranger.get(auth("login"));
  await stranger.request("HEAD", "/-/health");
  await stranger.get("/nowhere");
  await ada.client.post(auth("refresh"));
  await ada.client.post(auth("sessions/none-of-mine/revoke"));
  await stranger.post(auth("password-reset/request"), { login: "nobody" });
  await stranger.post(auth("password-reset/confirm"), { token: "made-up", new_password: "a new walk by the sea" });
  await ada.client.post(auth("logout"));

  const { sum } = await scrape(target);
  const requests = (method: string, route: string, status: number): number =>
    sum("http_requests_by_route_total", { method, route, status: String(status) });
  expect(requests("GET", "/api/v1/hello", 200)).toBe(7);
  expect(requests("GET", "/api/v1/hello", 401)).toBe(3);
  expect(requests("POST", "/api/v1/auth/login", 200)).toBe(1);
  expect(requests("POST", "/api/v1/auth/login", 401)).toBe(1);
  expect(requests("POST", "/api/v1/auth/login", 400)).toBe(1);
  expect(requests("GET", "/api/v1/auth/login", 405)).toBe(1);
  expect(requests("HEAD", "/-/health", 200)).toBe(1);
  expect(requests("GET", "unmatched", 404)).toBe(1);
  expect(requests("POST", "/api/v1/auth/sessions/:id/revoke", 404)).toBe(1);
  expect(sum("http_requests_total")).toBe(sum("http_requests_by_route_total"));
  expect(sum("http_request_duration_seconds_count")).toBe(sum("http_requests_by_route_total"));
  expect(sum("http_request_duration_seconds_count", { method: "GET", route: "/api/v1/hello" })).toBe(10);
  expect(sum("http_requests_inflight")).toBe(1);

  const flows = (flow: string, reason: string): number =>
    sum("auth_flows_total", { flow, reason, status: reason === "none" ? "ok" : "failed", provider: "local" });
  expect(flows("register", "none")).toBe(1);
  expect(flows("login", "none")).toBe(1);
  expect(flows("login", "invalid_credentials")).toBe(1);
  expect(flows("refresh", "none")).toBe(1);
  expect(flows("session_revoke", "session_not_found")).toBe(1);
  expect(flows("password_reset_request", "none")).toBe(1);
  expect(flows("password_reset_confirm", "invalid_reset_token")).toBe(1);
  expect(flows("logout", "none")).toBe(1);
  expect(sum("auth_flows_total")).toBe(8);
  expect(sum("auth_flow_duration_seconds_count")).toBe(8);

  for (const operation of ["get", "run", "batch"]) {
    expect(sum("database_operations_total", { operation, status: "ok" })).toBeGreaterThan(0);
    expect(sum("database_operation_duration_seconds_count", { operation })).toBe(
      sum("database_operations_total", { operation }),
    );
  }
  expect(sum("database_operations_total", { status: "failed" })).toBe(0);

  const published = (topic: string): number => sum("events_publishes_total", { topic, status: "ok" });
  expect(published("auth.registered")).toBe(1);
  expect(published("auth.logged-in")).toBe(1);
  expect(published("auth.logged-out")).toBe(1);
  expect(sum("events_publishes_total", { status: "failed" })).toBe(0);
  await target.stop();
});

test("a limit that holds a flow back is counted as its refusal", async () => {
  const target = await startTarget({ env: { AUTH_IP_RATE_LIMIT_ATTEMPTS: "2" } });
  const client = createClient(target.url);
  for (let times = 0; times < 4; times += 1) await client.post(auth("password-reset/request"), { login: "ada" });
  const { sum } = await scrape(target);
  const flow = "password_reset_request";
  expect(sum("auth_flows_total", { flow, reason: "none" })).toBe(2);
  expect(sum("auth_flows_total", { flow, reason: "rate_limited", status: "failed" })).toBe(2);
  await target.stop();
});

test("jobs and mails are counted, registered names from the start", async () => {
  const target = await startTarget({ env: calm });
  const before = await scrape(target);
  const job = "auth:send-email-verification";
  const zero = "app=app,source=combined";
  expect(before.names()).toContain(`queue_jobs_archived_total{${zero},name=${job}}`);
  expect(before.names()).toContain(`scheduler_failures_total{${zero},schedule=auth:cleanup}`);
  expect(before.sum("queue_jobs_enqueued_total")).toBe(0);
  await createPeople(target.url).register("ada");
  const { sum } = await until(target, (now) => now.sum("queue_jobs_processed_total", { name: job }) === 1);
  expect(sum("queue_jobs_enqueued_total")).toBe(1);
  expect(sum("queue_jobs_failed_total")).toBe(0);
  expect(sum("queue_jobs_inflight")).toBe(0);
  expect(sum("mail_sends_total", { driver: "log", status: "ok" })).toBe(1);
  await target.stop();
});

test("a mail that can't be sent is a failed job that is tried again", async () => {
  const env = { ...calm, MAIL_DRIVER: "smtp", MAIL_SMTP_HOST: "127.0.0.1", MAIL_SMTP_PORT: "1", MAIL_SMTP_TLS: "off" };
  const target = await startTarget({ env });
  await createPeople(target.url).register("ada");
  const { sum } = await until(target, (now) => now.sum("queue_jobs_failed_total") >= 1);
  expect(sum("queue_jobs_processed_total")).toBe(sum("queue_jobs_failed_total"));
  expect(sum("queue_jobs_retried_total")).toBe(sum("queue_jobs_failed_total"));
  expect(sum("queue_jobs_archived_total")).toBe(0);
  expect(sum("mail_sends_total", { driver: "smtp", status: "failed" })).toBeGreaterThan(0);
  await target.stop();
});

test("jobs of the sync queue are counted too", async () => {
  const target = await startTarget({ env: { ...calm, QUEUE_DRIVER: "sync" } });
  await createPeople(target.url).register("ada");
  const { sum } = await scrape(target);
  expect(sum("queue_jobs_enqueued_total")).toBe(1);
  expect(sum("queue_jobs_processed_total")).toBe(1);
  expect(sum("queue_jobs_inflight")).toBe(0);
  await target.stop();
});

test("a client that goes away leaves nothing in flight", async () => {
  const target = await startTarget();
  for (let times = 0; times < 5; times += 1) {
    const gone = new AbortController();
    const asked = fetch(new URL(auth("login"), target.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login: "ada", password: "a long walk by the sea" }),
      signal: gone.signal,
    }).catch(() => undefined);
    await Bun.sleep(5);
    gone.abort();
    await asked;
  }
  await until(target, ({ sum }) => sum("http_requests_inflight") === 1);
  await target.stop();
});

test("the lag of the event loop is sampled once somebody scrapes", async () => {
  const target = await startTarget();
  await until(target, ({ sum }) => sum("runtime_event_loop_lag_seconds_count") >= 2);
  await target.stop();
});

test("X-12 hostile paths, methods, logins and providers keep the number of series constant", async () => {
  const target = await startTarget({ env: { ...calm, AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000" } });
  const client = createClient(target.url);
  /** Sends each kind of request with values that never came before. */
  async function attack(round: number): Promise<void> {
    const odd = `x${round}"\\\n{}<${round}>`;
    const path = encodeURIComponent(odd);
    for (const method of ["GET", "POST", "DELETE"]) {
      await client.request(method, `/${path}`);
      await client.request(method, `/api/v1/${path}?next=${path}`);
      await client.request(method, `${auth("oauth")}/${path}/start`);
      await client.request(method, `${auth("sessions")}/${path}/revoke`);
    }
    for (const method of [`BREW${round}`, "PROPFIND"]) {
      await exchange(target.port, `${method} /${path} HTTP/1.1\r\nHost: x${round}\r\nConnection: close\r\n\r\n`);
    }
    await client.post(auth("login"), { login: `${odd}@example.test`, password: odd });
    await client.post(auth("login"), { login: `ada${round}`, password: "wrong" }, { headers: { "user-agent": path } });
    await client.post(auth("password-reset/request"), { login: `${round}"{}@example.test` });
    await client.post(auth("password-reset/confirm"), { token: odd, new_password: "a long walk by the sea" });
    await client.post(auth("email-verification/confirm"), { token: odd });
    await client.get("/api/v1/hello", { headers: { "x-request-id": path, cookie: `auth_access=${path}` } });
  }
  await scrape(target);
  await attack(0);
  const job = "auth:send-password-reset";
  const first = await until(target, (now) => now.sum("queue_jobs_processed_total", { name: job }) === 1);
  for (let round = 1; round <= 30; round += 1) await attack(round);
  const last = await until(target, (now) => now.sum("queue_jobs_processed_total", { name: job }) === 31);
  expect(last.names()).toEqual(first.names());
  expect(last.sum("http_requests_by_route_total", { route: "unmatched" })).toBeGreaterThan(200);
  await target.stop();
});

test("X-11 the exposition holds no secret, no address and no name of anybody", async () => {
  // An inspect keeps the path of a request unless it looks like a secret.
  const target = await startTarget({ env: { ...calm, LIGHTHOUSE_INSPECT_ENABLED: "false" } });
  const ada = await createPeople(target.url).register("ada");
  const before = secretsOf(ada.client);
  await ada.client.post(auth("refresh"));
  const after = secretsOf(ada.client);
  const browser = await ada.login({ remember: true });
  const planted = "planted-secret-4711";
  await browser.get(`/${planted}?token=${planted}`, { headers: { authorization: `Bearer ${planted}` } });
  await browser.post(auth("login"), { login: `${planted}@example.test`, password: planted });
  await browser.post(auth("change-password"), { current_password: planted, new_password: `${planted}-new` });
  await browser.post(auth("password-reset/confirm"), { token: planted, new_password: planted });
  await browser.post(auth("password-reset/request"), { login: ada.email });
  const answer = await createClient(target.url).get("/metrics");
  const kept = [
    ...[before, after, secretsOf(browser)].flatMap(({ access, refresh }) => [access, refresh]),
    ada.id,
    ada.email,
    ada.username,
    ada.password,
    planted,
    jwtSecret,
    "example.test",
    target.folder,
    ...["APP_KEY", "APP_DIAG_TOKEN"].map((name) => target.env[name] ?? name),
  ];
  expect(kept.filter((secret) => answer.text.includes(secret))).toEqual([]);
  expect(answer.setCookies).toEqual([]);
  await target.stop();
});

test("HEAD is GET without the body, and other methods are refused", async () => {
  const target = await startTarget();
  const client = createClient(target.url);
  const head = await client.request("HEAD", "/metrics");
  expect([head.status, head.text, head.headers.get("content-type")]).toEqual([
    200,
    "",
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const post = await client.post("/metrics", {});
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  await target.stop();
});

test("without METRICS_ENABLED /metrics is a route that is not there", async () => {
  const target = await startTarget({ env: { METRICS_ENABLED: "false" } });
  const client = createClient(target.url);
  const seen = async (method: string, path: string) => {
    const { status, text, headers } = await client.request(method, path);
    headers.delete("x-request-id");
    headers.delete("date");
    return { status, text, headers: Object.fromEntries(headers.entries()) };
  };
  for (const method of ["GET", "HEAD", "POST"]) {
    const absent = await seen(method, "/nowhere");
    expect(absent.status).toBe(404);
    expect(await seen(method, "/metrics")).toEqual(absent);
  }
  await target.stop();
});
