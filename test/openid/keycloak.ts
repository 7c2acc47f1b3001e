import { cp } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../support/proxy.ts";
import { serve, type OpenIdClient, type OpenIdServer, type Person } from "./server.ts";

const told = (name: string, attribute: string, claim: string, type: string) => ({
  name,
  protocol: "openid-connect",
  protocolMapper: "oidc-usermodel-property-mapper",
  config: {
    "user.attribute": attribute,
    "claim.name": claim,
    "jsonType.label": type,
    "id.token.claim": "false",
    "access.token.claim": "false",
    "userinfo.token.claim": "true",
  },
});

/** Keycloak from the folder of a release, with one realm. Clients have to bring a PKCE challenge. */
export async function startKeycloak(release: string, clients: readonly OpenIdClient[]): Promise<OpenIdServer> {
  const port = freePort();
  const issuer = `http://127.0.0.1:${port}/realms/people`;
  const people: Person[] = ["ada", "grace", "mary"].map((username) => ({
    username,
    email: `${username}@people.test`,
    emailVerified: username !== "mary",
    password: `the password of ${username}`,
  }));
  const realm = {
    realm: "people",
    enabled: true,
    sslRequired: "none",
    users: people.map(({ username, email, emailVerified, password }) => ({
      username,
      email,
      emailVerified,
      enabled: true,
      firstName: username,
      lastName: "of the realm",
      credentials: [{ type: "password", value: password, temporary: false }],
    })),
    clients: clients.map(({ id, secret, callback, isLean = false }) => ({
      clientId: id,
      secret,
      protocol: "openid-connect",
      publicClient: false,
      standardFlowEnabled: true,
      redirectUris: [callback],
      attributes: { "pkce.code.challenge.method": "S256" },
      ...(isLean && {
        defaultClientScopes: ["basic", "profile"],
        optionalClientScopes: [],
        protocolMappers: [
          told("address", "email", "email", "String"),
          told("address verified", "emailVerified", "email_verified", "boolean"),
        ],
      }),
    })),
  };
  const stop = await serve(async (folder) => {
    const home = join(folder, "keycloak");
    await cp(release, home, { recursive: true });
    await Bun.write(join(home, "data", "import", "people.json"), JSON.stringify(realm));
    return [join(home, "bin", "kc.sh"), ...options(port)];
  }, `${issuer}/.well-known/openid-configuration`);
  return { issuer, people, hasLeanClients: true, stop };
}

const options = (port: number): readonly string[] => [
  "start-dev",
  "--import-realm",
  "--http-host=127.0.0.1",
  `--http-port=${port}`,
];
