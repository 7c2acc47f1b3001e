import { describe, expect, test } from "bun:test";
import { auth, createPeople } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { startTarget } from "../../support/target.ts";
import {
  createOperator,
  eventOf,
  kinds,
  recording,
  stageRecording,
  startRecording,
  type SeenInspect,
} from "./lighthouse.fixture.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const spanId = "00f067aa0ba902b7";
const traceparent = `00-${traceId}-${spanId}-01`;

const sentAs =
  ({ headers }: Answer) =>
  ({ labels }: SeenInspect): boolean =>
    labels["request_id"] === headers.get("x-request-id");

const recorded = await stageRecording({ LIGHTHOUSE_INSPECT_MAX_EVENTS: "40" });

describe("an inspect", () => {
  const { target, people, operator } = recorded;

  test("of a request has what it was, how it ended and what it did on the way", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.get("/api/v1/hello", { headers: { "user-agent": "a browser of ada's" } });
    const inspect = await operator.find("name=hello&text=a%20browser%20of%20ada");
    expect(inspect).toMatchObject({
      source: "http",
      name: "GET /api/v1/hello",
      status: "200",
      failed: false,
      reason: null,
      app: "app",
      labels: {
        path: "/api/v1/hello",
        address: "127.0.0.1",
        user_agent: "a browser of ada's",
        request_id: answer.headers.get("x-request-id"),
      },
    });
    expect(inspect.instance).toMatch(/^.+:\d+$/);
    const query = eventOf(inspect, "query", "get");
    expect(query.attributes["sql"]).toMatch(/^select .* from auth_sessions .* where .* s\.id in \(\$id\)$/);
    expect(query.attributes["rows"]).toBe(1);
    expect(query.duration_ms).toBeGreaterThan(0);
    expect(query.offset_ms + (query.duration_ms ?? 0)).toBeLessThanOrEqual(inspect.duration_ms + 1);
  });

  test("has statements without the values that are bound to them", async () => {
    const grace = {
      username: "grace-unbound",
      email: "grace-unbound@example.test",
      password: "a long walk by the sea",
    };
    const answer = await createClient(target.url).post(auth("register"), grace);
    const latest = await operator.find("name=register", sentAs(answer));
    expect(kinds(latest)).toContain("query");
    const text = JSON.stringify(latest.events.filter(({ kind }) => kind === "query"));
    expect(text).not.toContain(grace.email);
    expect(text).not.toContain(answer.textAt("user.id"));
  });

  test.each(["refresh", "login", "register", "change-password"])(
    "of auth/%s ends with its write: no read can fail after what the client has to be told of",
    async (route) => {
      const { client, email, password } = await people.register("ada");
      const bodies: Readonly<Record<string, object>> = {
        refresh: {},
        login: { login: email, password },
        register: { username: `${route}-anew`, email: `${route}-anew@example.test`, password },
        "change-password": { current_password: password, new_password: `${password}, and back` },
      };
      const answer = await client.post(auth(route), bodies[route]);
      expect(answer.status).toBe(200);
      const inspect = await operator.find(`name=auth/${route}`, sentAs(answer));
      const queries = inspect.events.filter(({ kind }) => kind === "query");
      expect(queries.at(-1)?.name).toMatch(/^(run|batch)$/);
    },
  );

  test("of a job has the trace of the request that enqueued it", async () => {
    const ada = await people.register("ada");
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const request = await operator.find("name=password-reset/request");
    const job = await operator.find(`source=jobs&name=auth:send-password-reset&trace_id=${request.trace_id}`);
    expect(job).toMatchObject({ source: "jobs", status: "done", failed: false, labels: { attempt: 1 } });
    expect(job.parent_id).toBeNull();
    expect(eventOf(request, "queue").name).toBe("auth:send-password-reset");
    expect(eventOf(job, "mail", "send").attributes).toMatchObject({
      driver: "smtp",
      subject: "Reset your password for Gatehouse",
    });
    expect(JSON.stringify(job)).not.toContain(ada.email);
    expect((await operator.one(request.trace_id)).id).toBe(request.id);
  });

  test("of a job that kept a mail back says why", async () => {
    const ada = await people.register("ada");
    const ask = () => createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const answers = [await ask(), await ask()];
    const reasons = [];
    for (const answer of answers) {
      const request = await operator.find(`text=${answer.headers.get("x-request-id")}`);
      const job = await operator.find(`source=jobs&name=auth:send-password-reset&trace_id=${request.trace_id}`);
      reasons.push(
        JSON.stringify(job.events).includes('"mail withheld"') && JSON.stringify(job.events).includes('"joined"'),
      );
    }
    expect(reasons.toSorted()).toEqual([false, true]);
  });

  test("goes on with the W3C trace of its caller", async () => {
    await createClient(target.url).get("/api/v1/hello", { headers: { traceparent } });
    const inspect = await operator.find(`trace_id=${traceId}`);
    expect(inspect).toMatchObject({ trace_id: traceId, parent_id: spanId, status: "401" });
  });

  test.each([
    ["of another version's form", `00-${traceId}-${spanId}-01-more`],
    ["without a trace", `00-${"0".repeat(32)}-${spanId}-01`],
    ["in capitals", traceparent.toUpperCase()],
    ["forbidden", `ff-${traceId}-${spanId}-01`],
    ["endless", `${traceparent}-${"a".repeat(2_000)}`],
  ])("begins a trace of its own where traceparent is %s", async (kind, header) => {
    const agent = `traceparent ${kind}`;
    await createClient(target.url).get("/api/v1/hello", { headers: { traceparent: header, "user-agent": agent } });
    const inspect = await operator.find(`text=${encodeURIComponent(agent)}`);
    expect(inspect.trace_id).toMatch(/^[0-9a-f]{32}$/);
    expect(inspect.trace_id).not.toBe(traceId);
    expect(inspect.parent_id).toBeNull();
  });

  test("has the events that were published", async () => {
    const ada = await people.register("ada");
    await ada.client.post(auth("logout"));
    const inspect = await operator.find("name=auth/logout");
    expect(eventOf(inspect, "event").name).toBe("auth.logged-out");
  });

  test.each([
    ["GET", "/nowhere", "404", "not_found", "GET unmatched"],
    ["GET", "/api/v1/auth/login", "405", "method_not_allowed", "GET /api/v1/auth/login"],
    ["POST", "/api/v1/auth/login", "400", "invalid_payload", "POST /api/v1/auth/login"],
  ])("of %s %s says why it was refused", async (method, path, status, reason, name) => {
    const agent = `asks for ${reason}`;
    await createClient(target.url).request(method, path, undefined, { headers: { "user-agent": agent } });
    const inspect = await operator.find(`text=${encodeURIComponent(agent)}`);
    expect(inspect).toMatchObject({ name, status, reason, failed: true, labels: { path } });
  });

  test("of a page of another site says so, although no route was reached", async () => {
    const headers = { origin: "https://evil.test", "user-agent": "a page of evil.test" };
    await createClient(target.url).post(auth("login"), {}, { headers });
    const inspect = await operator.find("text=a%20page%20of%20evil.test");
    expect(inspect).toMatchObject({ status: "403", reason: "cross_site_request" });
  });

  test("has no query string", async () => {
    await createClient(target.url).get("/reset-password?token=in-the-query", {
      headers: { "user-agent": "has a query" },
    });
    const inspect = await operator.find("text=has%20a%20query");
    expect(inspect.labels["path"]).toBe("/reset-password");
    expect(JSON.stringify(inspect)).not.toContain("in-the-query");
  });

  test("is not made of probes that went well, of scrapes, or of Lighthouse's own requests", async () => {
    const client = createClient(target.url);
    for (const path of ["/-/health", "/-/ready", "/metrics", "/lighthouse", "/lighthouse/nowhere"])
      await client.get(path);
    await client.get("/a-path-after-all-of-them");
    await operator.find("text=a-path-after-all-of-them");
    expect((await operator.list("limit=200")).filter(({ name }) => /\/-\/|metrics|lighthouse/.test(name))).toEqual([]);
  });
});

test("a command leaves one, without its arguments", async () => {
  const { target, operator } = await startRecording();
  const env = { ...target.env };
  const options = { cwd: target.folder, env, stdin: "a long walk by the sea\n" };
  const created = await runGatehouse(["auth:create-user", "--email", "hidden@example.test"], options);
  expect(created.code).toBe(0);
  const command = await operator.find("source=cli&name=auth:create-user");
  expect(command).toMatchObject({ status: "done", failed: false });
  expect(kinds(command)).toContain("query");
  expect(JSON.stringify(command)).not.toContain("hidden@example.test");
  expect(JSON.stringify(command)).not.toContain("by the sea");

  const again = await runGatehouse(["auth:create-user", "--email", "hidden@example.test"], options);
  expect(again.code).toBe(1);
  const refused = await operator.find("source=cli&failed=true");
  expect(refused).toMatchObject({ status: "failed", reason: "email_taken" });

  const retried = await runGatehouse(["queue:retry", "--all"], { cwd: target.folder, env });
  expect(retried.code).toBe(0);
  expect(await operator.find("source=cli&name=queue:retry")).toMatchObject({ status: "done" });
  await target.stop();
});

test("a job that runs within its request leaves one of its own, in the request's trace", async () => {
  const { target, operator } = await startRecording({ env: { QUEUE_DRIVER: "sync" } });
  const ada = await createPeople(target.url).register("ada");
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  const job = await operator.find("source=jobs&name=auth:send-password-reset");
  const request = await operator.find("name=password-reset/request");
  expect(job.trace_id).toBe(request.trace_id);
  await target.stop();
});

test("a job that fails says so, and shows its error", async () => {
  const env = { MAIL_DRIVER: "smtp", MAIL_SMTP_HOST: "127.0.0.1", MAIL_SMTP_PORT: "1", MAIL_SMTP_TLS: "off" };
  const { target, operator } = await startRecording({ env });
  const ada = await createPeople(target.url).register("ada");
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  const job = await operator.find("source=jobs&name=auth:send-password-reset&failed=true");
  expect(job).toMatchObject({ status: "retried", reason: "job_retried" });
  expect(eventOf(job, "mail").level).toBe("error");
  expect(eventOf(job, "log", "warn").message).toBe("job failed");
  await target.stop();
});

test("readiness that fails is recorded with its reason", async () => {
  const { target, operator } = await startRecording({ migrate: false });
  await createClient(target.url).get("/-/ready");
  expect(await operator.find("name=ready")).toMatchObject({ status: "503", reason: "not_ready" });
  await target.stop();
});

test("a sample rate of 0 records no request, and jobs all the same", async () => {
  const { target, operator } = await startRecording({ env: { LIGHTHOUSE_INSPECT_SAMPLE_RATE: "0" } });
  const ada = await createPeople(target.url).register("ada");
  await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
  await operator.find("source=jobs");
  expect(await operator.list("source=http")).toEqual([]);
  await target.stop();
});

test("split processes of an app on one host share their inspects", async () => {
  const first = await startTarget({ env: recording, roles: ["http"], ownProcess: true });
  const worker = await startTarget({
    env: { ...recording, DB_DATABASE: first.databasePath },
    roles: ["worker"],
    migrate: false,
    ownProcess: true,
  });
  const ada = await createPeople(first.url).register("ada");
  await createClient(first.url).post(auth("password-reset/request"), { login: ada.email });
  const operator = createOperator(first.url);
  const job = await operator.find("source=jobs&name=auth:send-password-reset");
  const request = await operator.one(job.trace_id);
  expect(request.name).toBe("POST /api/v1/auth/password-reset/request");
  expect(job.instance).not.toBe(request.instance);
  await worker.stop();
  await first.stop();
});
