import { afterEach, expect, test } from "bun:test";
import { auth, createPeople, isServed, mailedToken, mailTo } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

endTargetsAfterEach();

const limitMs = 120_000;
const mailboxes: Mailbox[] = [];
const sockets: Bun.Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await Promise.all(mailboxes.splice(0).map((mailbox) => mailbox.stop()));
});

async function openMailbox(): Promise<Mailbox> {
  const mailbox = await startMailbox();
  mailboxes.push(mailbox);
  return mailbox;
}

const startApi = (env: Readonly<Record<string, string>>): Promise<Target> =>
  startTarget({ env, roles: ["http"], ownProcess: true });

/** Asks for readiness on a new connection. Resolves to undefined once nobody listens any more. */
async function readiness({ url }: Target): Promise<number | undefined> {
  try {
    const answer = await createClient(url).get("/-/ready", { headers: { connection: "close" } });
    return answer.status;
  } catch {
    return undefined;
  }
}

async function untilReadiness(target: Target, wanted: number | undefined): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const status = await readiness(target);
    if (status === wanted) return;
    if (performance.now() > deadline) throw new Error(`readiness stays at ${status}`);
    await Bun.sleep(5);
  }
}

function signal({ pid }: Target): void {
  if (pid === undefined) throw new Error("not a process of its own");
  process.kill(pid, "SIGTERM");
}

/** Begins a request whose body the test completes later. */
async function beginRequest(target: Target, path: string, body: string) {
  const received: string[] = [];
  const closed = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: target.port,
    socket: {
      data: (_socket, chunk) => void received.push(decoder.decode(chunk, { stream: true })),
      close: () => closed.resolve(),
      error: () => closed.resolve(),
    },
  });
  sockets.push(socket);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${target.port}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  socket.flush();
  return {
    /** Resolves to everything that was answered until the connection was closed. */
    async finish(): Promise<string> {
      socket.write(body.slice(10));
      socket.flush();
      await closed.promise;
      return received.join("");
    },
  };
}

test(
  "api and worker run apart on one database: what one is asked, the other mails",
  async () => {
    const mailbox = await openMailbox();
    const env = { ...mailTo(mailbox), AUTH_PASSWORD_RESET_RETURN_TOKEN: "false" };
    const api = await startApi(env);
    const ada = await createPeople(api.url).register("ada");
    await createClient(api.url).post(auth("password-reset/request"), { login: ada.email });
    expect(mailbox.all()).toEqual([]);

    const workerEnv = { ...env, DB_DATABASE: api.databasePath };
    const worker = await startTarget({ env: workerEnv, roles: ["worker"], ownProcess: true, migrate: false });
    const token = await mailedToken(mailbox, ada.email, "Reset your password");
    const password = "chosen after the mail had come";
    const confirmed = await createClient(api.url).post(auth("password-reset/confirm"), {
      token,
      new_password: password,
    });
    expect(confirmed.status).toBe(200);
    expect(await isServed(ada.client)).toBe(false);
    expect(await isServed(await ada.login({ password }))).toBe(true);
    await mailbox.next(ada.email);
    expect(await Promise.all([api.stop(), worker.stop()])).toEqual([0, 0]);
  },
  limitMs,
);

test(
  "SIGTERM under load: readiness goes 503 first, no request fails, and the exit code is 0 in time",
  async () => {
    const shutdownMs = 20_000;
    const drainMs = 2_000;
    const api = await startApi({
      APP_DRAIN_DELAY: `${drainMs}ms`,
      APP_SHUTDOWN_TIMEOUT: `${shutdownMs}ms`,
      AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
      AUTH_PASSWORD_HASH_QUEUE: "1000",
    });
    const people = createPeople(api.url);
    const [ada, grace, lin] = await Promise.all(["ada", "grace", "lin"].map((name) => people.register(name)));
    if (ada === undefined || grace === undefined || lin === undefined) throw new Error("nobody registered");
    const late = await beginRequest(api, auth("login"), JSON.stringify({ login: ada.email, password: ada.password }));

    const statuses: number[] = [];
    let isReady = true;
    /** Sends requests like the clients of a load balancer: no new one once readiness is gone. */
    const load = [ada, grace, lin].flatMap((person) =>
      [0, 1, 2].map(async (kind) => {
        while (isReady) {
          const asked =
            kind === 0
              ? person.client.get("/api/v1/hello")
              : person.client.copy().post(auth("login"), { login: person.email, password: person.password });
          statuses.push((await asked).status);
        }
      }),
    );
    await Bun.sleep(200);
    const started = performance.now();
    const exit = api.stop();
    await untilReadiness(api, 503);
    // The instance still serves requests, and tells clients to go elsewhere.
    const stillServed = await ada.client.get("/api/v1/hello");
    expect(stillServed.status).toBe(200);
    expect(stillServed.headers.get("connection")).toBe("close");
    isReady = false;
    await Promise.all(load);
    await untilReadiness(api, undefined);
    expect(performance.now() - started).toBeGreaterThan(drainMs * 0.9);

    // The request began before the signal, and ends when nobody listens any more.
    const answer = await late.finish();
    expect(answer).toStartWith("HTTP/1.1 200");
    expect(answer.toLowerCase()).toContain("connection: close");
    expect(answer).toContain("auth_refresh=");
    expect(await exit).toBe(0);
    expect(performance.now() - started).toBeLessThan(drainMs + shutdownMs);
    expect(statuses.length).toBeGreaterThan(10);
    expect(new Set(statuses)).toEqual(new Set([200]));
  },
  limitMs,
);

test(
  "a request that never ends is cut off at APP_SHUTDOWN_TIMEOUT, and the exit code is 0",
  async () => {
    const api = await startApi({ APP_SHUTDOWN_TIMEOUT: "500ms" });
    await beginRequest(api, auth("login"), JSON.stringify({ login: "ada", password: "never sent to its end" }));
    const started = performance.now();
    expect(await api.stop()).toBe(0);
    expect(performance.now() - started).toBeWithin(400, 5_000);
  },
  limitMs,
);

test(
  "a second SIGTERM ends the process at once, with an exit code of its own",
  async () => {
    const api = await startApi({ APP_DRAIN_DELAY: "30s" });
    signal(api);
    await untilReadiness(api, 503);
    const started = performance.now();
    expect(await api.stop()).not.toBe(0);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(api.logs()).toContain("stopped at once by a second signal");
  },
  limitMs,
);

test(
  "a second api on a port in use ends with a message that names it, and the first goes on",
  async () => {
    const api = await startApi({});
    const env = { ...api.env, API_HTTP_PORT: String(api.port) };
    const second = await runGatehouse(["api"], { cwd: api.folder, env });
    expect(second.code).toBe(1);
    const output = second.stdout + second.stderr;
    expect(output).toContain(String(api.port));
    expect(output).toMatch(/in use/i);
    expect(await readiness(api)).toBe(200);
    await api.stop();
  },
  limitMs,
);

test(
  "API_HTTP_REUSE_PORT lets two processes share a port, and one may leave without a request lost",
  async () => {
    const shared = { API_HTTP_REUSE_PORT: "true", APP_DRAIN_DELAY: "300ms" };
    const one = await startApi(shared);
    const env = { ...shared, API_HTTP_PORT: String(one.port), DB_DATABASE: one.databasePath };
    const two = await startTarget({ env, roles: ["http"], ownProcess: true, migrate: false });
    const ada = await createPeople(one.url).register("ada");
    const served: boolean[] = [];
    let isLeaving = true;
    const load = Array.from({ length: 8 }, async () => {
      while (isLeaving || served.length < 200) served.push(await isServed(ada.client));
    });
    expect(await two.stop()).toBe(0);
    isLeaving = false;
    await Promise.all(load);
    expect(new Set(served)).toEqual(new Set([true]));
    await one.stop();
  },
  limitMs,
);
