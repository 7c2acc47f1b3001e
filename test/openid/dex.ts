import { join } from "node:path";
import { freePort } from "../support/proxy.ts";
import { serve, type OpenIdClient, type OpenIdServer, type Person } from "./server.ts";

/** Dex with people of its own. Every address there counts as verified, and all that it knows is in the ID token. */
export async function startDex(binary: string, clients: readonly OpenIdClient[]): Promise<OpenIdServer> {
  const port = freePort();
  const issuer = `http://127.0.0.1:${port}/dex`;
  const people: Person[] = ["ada", "grace"].map((username) => ({
    username,
    email: `${username}@people.test`,
    emailVerified: true,
    password: `the password of ${username}`,
  }));
  const configuration = {
    issuer,
    storage: { type: "memory" },
    web: { http: `127.0.0.1:${port}` },
    oauth2: { skipApprovalScreen: true },
    staticClients: clients.map(({ id, secret, callback }) => ({ id, secret, name: id, redirectURIs: [callback] })),
    enablePasswordDB: true,
    staticPasswords: await Promise.all(
      people.map(async ({ username, email, password }) => ({
        email,
        username,
        userID: Bun.hash(username).toString(),
        hash: await Bun.password.hash(password, { algorithm: "bcrypt", cost: 10 }),
      })),
    ),
  };
  const stop = await serve(async (folder) => {
    const file = join(folder, "dex.yaml");
    // YAML takes JSON as it is.
    await Bun.write(file, JSON.stringify(configuration));
    return [binary, "serve", file];
  }, `${issuer}/.well-known/openid-configuration`);
  return { issuer, people, hasLeanClients: false, stop };
}
