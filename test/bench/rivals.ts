import { resolve } from "node:path";
import { openConnection, post } from "./http.connection.ts";
import type { Server, Workspace } from "./workspace.ts";

const script = (name: string): string => resolve(import.meta.dir, name);

export const startElysia = (workspace: Workspace, text: string): Promise<Server> =>
  workspace.start({
    name: "elysia",
    command: ["bun", script("elysia.server.ts")],
    env: { BENCH_TEXT: text },
    readyPath: "/api/v1/hello",
  });

export const startBetterAuth = (workspace: Workspace): Promise<Server> =>
  workspace.start({
    name: "better-auth",
    command: ["bun", script("better-auth.server.ts")],
    env: { BENCH_DATABASE: workspace.path("better-auth.db") },
    readyPath: "/api/auth/ok",
  });

/** Starts oidc-provider, with its rows in a file or in memory. */
export const startOidcProvider = (workspace: Workspace, secret: string, isDurable: boolean): Promise<Server> =>
  workspace.start({
    name: "oidc-provider",
    command: ["bun", script("oidc-provider.server.ts")],
    env: { BENCH_SECRET: secret, BENCH_DATABASE: isDurable ? workspace.path("oidc-provider.db") : ":memory:" },
    readyPath: "/.well-known/openid-configuration",
  });

export const betterAuthCredentials = (index: number) => ({
  email: `user${index}@example.org`,
  password: "a garden of forking paths",
});

/** Registers a user. Resolves to the new user's cookie. */
export async function betterAuthSignUp(server: Server, index: number): Promise<string> {
  const connection = await openConnection(server.port);
  const reply = await connection.send(
    post("/api/auth/sign-up/email", { name: "Ada", ...betterAuthCredentials(index) }),
  );
  connection.close();
  const cookie = reply.setCookies[0]?.split(";")[0];
  if (reply.status !== 200 || cookie === undefined) throw new Error(`better-auth sign-up: ${reply.status}`);
  return cookie;
}

/** Measures bare Argon2 hashes per second in a process of their own, `inFlight` at once. */
export async function bareHashesPerSecond(workspace: Workspace, inFlight: number, seconds: number): Promise<number> {
  const output = await workspace.complete("hashes", ["bun", script("hashes.process.ts")], {
    BENCH_IN_FLIGHT: String(inFlight),
    BENCH_SECONDS: String(seconds),
  });
  return Number(output);
}
