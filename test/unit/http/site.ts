import { connect } from "node:net";
import { Elysia, t, type AnyElysia } from "elysia";
import { AppError } from "../../../src/core/errors.ts";
import { text } from "../../../src/core/text/text.ts";
import { CacheUnavailable } from "../../../src/drivers/cache/index.ts";
import { DatabaseUnavailable } from "../../../src/drivers/database/index.ts";
import {
  appendCookie,
  createHttpServer,
  createRequestFacts,
  docsRoutes,
  errorResponses,
  httpPlugins,
  readCookie,
} from "../../../src/http/index.ts";
import type { Log, LogFields } from "../../../src/observe/index.ts";
import { usualLook } from "../../support/looks.ts";

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly fields: LogFields;
}

/** Makes a log that keeps its lines. */
export function createRecorder(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: string, fixed: LogFields) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields: { ...fixed, ...fields } });
    };
  const create = (fixed: LogFields): Log => ({
    debug: write("debug", fixed),
    info: write("info", fixed),
    warn: write("warn", fixed),
    error: write("error", fixed),
    with: (fields) => create({ ...fixed, ...fields }),
  });
  return { log: create({}), lines };
}

interface SiteOptions {
  readonly appUrl?: string;
  readonly trustedProxies?: readonly string[];
  readonly routes?: AnyElysia;
}

const Greeting = t.Object({ greeting: t.String() });

/** Serves a small app of its own on the real HTTP layer. */
export async function serveSite({ appUrl = "http://localhost:3000", trustedProxies = [], routes }: SiteOptions = {}) {
  const { log, lines } = createRecorder();
  const facts = createRequestFacts({ trustedProxies, own: { appUrl: new URL(appUrl), loopback: false } });
  const gate = Promise.withResolvers<void>();
  const writing = new Elysia({ name: "writing" }).macro({
    marked: {
      resolve({ set }) {
        appendCookie(set, "mark", "from-the-macro", { httpOnly: true });
      },
    },
  });
  const pages = new Elysia()
    .use(writing)
    .get("/api/hello", () => "hello ada")
    .get("/api/slow", () => gate.promise.then(() => "slow"))
    .get("/api/marked", () => "marked", { marked: true })
    .get("/api/items/:id", ({ params }) => ({ id: params.id }))
    .get("/api/facts", ({ request }) => ({
      address: facts.clientAddress(request),
      scheme: facts.scheme(request),
      id: facts.requestId(request),
    }))
    .get("/api/cookie", ({ request }) => ({ value: readCookie(request, "auth_access") ?? null }))
    .get("/api/broken", () => {
      throw new Error("select * from users at /srv/gatehouse/data/app.db");
    })
    .get("/api/busy", () => {
      throw new DatabaseUnavailable("the database is locked", new Error("SQLITE_BUSY"));
    })
    .get("/api/uncached", () => {
      throw new CacheUnavailable("the cache is full");
    })
    .get("/api/leaky", () => ({ greeting: "hello", password_hash: "argon2id" }), {
      response: { 200: Greeting, ...errorResponses("internal_error") },
    })
    // @ts-expect-error: the answer breaks its schema, which is the point.
    .get("/api/mistyped", () => ({ greeting: 7 }), { response: { 200: Greeting } })
    .get("/page", () => new Response("<p>hello", { headers: { "content-type": "text/html" } }))
    .post("/api/cookies", ({ set }) => {
      appendCookie(set, "auth_access", "a.b.c", { httpOnly: true, sameSite: "lax", path: "/", maxAge: 900 });
      appendCookie(set, "auth_refresh", "d", { httpOnly: true, sameSite: "lax", path: "/" });
      return { ok: true };
    })
    .post("/api/locked", ({ set }) => {
      appendCookie(set, "auth_access", "", { path: "/", maxAge: 0 });
      appendCookie(set, "auth_refresh", "", { path: "/", maxAge: 0 });
      throw new AppError("account_locked", { retryAfterSeconds: 90 });
    })
    .post("/api/people", ({ body }) => ({ ok: true, name: text("name", body.name), age: body.age ?? null }), {
      body: t.Object({ name: t.String({ minLength: 2, maxLength: 20 }), age: t.Optional(t.Number()) }),
    })
    .post("/api/anything", ({ body }) => ({ ok: true, body }), { body: t.Record(t.String(), t.Unknown()) })
    .post("/api/nothing", () => ({ ok: true }), { body: t.Object({}) });

  const app = new Elysia().use(httpPlugins({ facts, log })).use(pages);
  if (routes !== undefined) app.use(routes);
  app.use(
    docsRoutes({
      app: "app",
      version: "1.2.3",
      brand: { mark: { product: "Gatehouse", home: "/", icon: "data:," }, look: usualLook },
    }),
  );
  const config = { host: "127.0.0.1", port: 0, reusePort: false };
  const server = createHttpServer({ app, config, appUrl: new URL(appUrl), facts, log });
  const { port, url } = await server.start();

  return {
    lines,
    port,
    server,
    letSlowFinish: gate.resolve,
    origin: url.origin,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(new URL(path, url), { headers, redirect: "manual" }),
    post: (path: string, body?: string, headers: Record<string, string> = { "content-type": "application/json" }) =>
      fetch(new URL(path, url), { method: "POST", headers, ...(body === undefined ? {} : { body }) }),
    stop: () => server.stop(1000),
  };
}

export type Site = Awaited<ReturnType<typeof serveSite>>;

/** Sends bytes, and resolves to those that come back until the other side closes or an answer with its whole body is there. */
export function exchange(port: number, request: string, address = "127.0.0.1"): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = "";
  const socket = connect(port, address, () => socket.write(request));
  socket.setTimeout(5000, () => socket.destroy(new Error(`no whole answer, only ${JSON.stringify(received)}`)));
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    if (isWhole(received)) socket.end();
  });
  socket.on("error", (error) => (received === "" ? reject(error) : resolve(received)));
  socket.on("close", () => resolve(received));
  return promise;
}

function isWhole(received: string): boolean {
  const end = received.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(received)?.[1];
  return end !== -1 && length !== undefined && received.length >= end + 4 + Number(length);
}
