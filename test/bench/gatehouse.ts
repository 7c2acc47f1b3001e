import { resolve } from "node:path";
import { createAccessTokens } from "../../src/auth/session/access.token.ts";
import { createTokenKeys } from "../../src/auth/session/token.keys.ts";
import { createRefreshTokens } from "../../src/auth/session/refresh.token.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import { get, openConnection, post, type HttpReply } from "./http.connection.ts";
import type { Server, Workspace } from "./workspace.ts";

/** The binary to measure. GATEHOUSE_BINARY names another build. */
export const binary = resolve(Bun.env["GATEHOUSE_BINARY"] ?? resolve(import.meta.dir, "../../dist/gatehouse"));
export const helloPath = "/api/v1/hello";

const jwtSecret = "a benchmark secret that guards nothing at all";
const publicUrl = "http://127.0.0.1:3000";

/** Settings as in operation, except for the limits per client address: here one address sends all requests. */
export const environment = (databasePath: string): Record<string, string> => ({
  APP_ENV: "testing",
  APP_URL: publicUrl,
  APP_KEY: "another benchmark secret that guards nothing",
  APP_DIAG_TOKEN: "a third benchmark secret that guards nothing",
  API_JWT_SECRET_KEY: jwtSecret,
  AUTH_ACCESS_TOKEN_TTL: "12h",
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
  APP_LOG_FORMAT: "json",
  DB_DRIVER: "sqlite",
  DB_DATABASE: databasePath,
  CACHE_DRIVER: "database",
  APP_MAINTENANCE_DRIVER: "cache",
  EVENTS_DRIVER: "inproc",
  STORAGE_DRIVER: "local",
  STORAGE_PATH: "/var/lib/gatehouse-bench/storage",
  QUEUE_DRIVER: "database",
  MAIL_DRIVER: "log",
});

export const migrate = (workspace: Workspace, databasePath: string, program = binary): Promise<string> =>
  workspace.complete("migrate", [program, "migrate"], environment(databasePath));

/** Starts the bare command: HTTP, worker and scheduler in one process. */
export const startGatehouse = (
  workspace: Workspace,
  name: string,
  databasePath: string,
  { program = binary, env = {} }: { readonly program?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Server> =>
  workspace.start({
    name,
    command: [program],
    env: { ...environment(databasePath), ...env },
    portVariable: "API_HTTP_PORT",
    readyPath: "/-/ready",
  });

/** Makes tokens for seeded rows, by the functions of the server itself. */
export const accessTokens = createAccessTokens({
  keys: await createTokenKeys({ secret: jwtSecret, previousSecrets: [] }),
  issuer: new URL(publicUrl).origin,
  audience: "app",
  ttlMs: 12 * hour,
  clock: systemClock,
});
export const refreshTokens = createRefreshTokens(jwtSecret, []);

/** Returns both session cookies of a reply, as the next request sends them. */
export function cookiesOf(reply: HttpReply): string {
  const all = reply.setCookies.map((cookie) => cookie.slice(0, cookie.indexOf(";")));
  const cookies = all.filter((cookie) => /^auth_(?:access|refresh)=/.test(cookie));
  if (cookies.length !== 2) throw new Error(`expected two cookies, got status ${reply.status} and ${cookies.length}`);
  return cookies.join("; ");
}

/** Registers a user over HTTP. Resolves to its cookies. */
export async function register(server: Server, username: string): Promise<string> {
  const connection = await openConnection(server.port);
  const body = {
    email: `${username}@example.org`,
    username,
    display_name: "Ada",
    password: `a garden for ${username}`,
  };
  const reply = await connection.send(post("/api/v1/auth/register", body));
  connection.close();
  return cookiesOf(reply);
}

/**
 * Makes the first visits, which are not to be measured: a session's first visit in a minute writes `last_seen_at`, and a token's first one
 * verifies it.
 */
export async function visitWithEach(server: Server, path: string, cookies: readonly string[]): Promise<void> {
  const left = cookies.values();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      const connection = await openConnection(server.port);
      for (const cookie of left) {
        const { status } = await connection.send(get(path, cookie));
        if (status !== 200) throw new Error(`${path} answered ${status}`);
      }
      connection.close();
    }),
  );
}
