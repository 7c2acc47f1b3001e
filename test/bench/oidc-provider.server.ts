import { Database } from "bun:sqlite";
import { createServer } from "node:http";
import { exportJWK, generateKeyPair } from "jose";
import { Provider, type Adapter, type AdapterPayload } from "oidc-provider";

// oidc-provider with its rows in a file of SQLite, as Gatehouse has them; BENCH_DATABASE may be :memory:. Refresh tokens rotate.
// GET /codes?count=N&client=ID answers with N codes, which the provider's own class makes. A client is named by what signs its ID tokens.
const path = Bun.env["BENCH_DATABASE"] ?? ":memory:";
const algorithms = ["RS256", "ES256"] as const;
const redirectUri = "https://shop.example.test/callback";

function createStore(file: string) {
  const database = new Database(file, { create: true });
  database.run("pragma journal_mode = wal");
  database.run(
    "create table rows (key text primary key, grant_id text, expires_at integer, payload text not null) without rowid",
  );
  database.run("create index rows_by_grant on rows (grant_id)");
  const find = database.query<{ payload: string; expires_at: number }, [string]>("select * from rows where key = ?");
  const upsert = database.query("insert or replace into rows values (?, ?, ?, ?)");
  const update = database.query("update rows set payload = ? where key = ?");
  const remove = database.query("delete from rows where key = ?");
  const removeGrant = database.query("delete from rows where grant_id = ?");
  const read = (key: string): AdapterPayload | undefined => {
    const row = find.get(key);
    return row === null || row.expires_at < Date.now() ? undefined : JSON.parse(row.payload);
  };
  return (name: string): Adapter => {
    const keyOf = (id: string): string => `${name}:${id}`;
    return {
      upsert: async (id, payload, expiresIn) =>
        void upsert.run(
          keyOf(id),
          payload.grantId ?? null,
          Date.now() + (expiresIn ?? 86_400) * 1_000,
          JSON.stringify(payload),
        ),
      find: async (id) => read(keyOf(id)),
      findByUid: async () => undefined,
      findByUserCode: async () => undefined,
      async consume(id) {
        const payload = { ...read(keyOf(id)), consumed: Math.floor(Date.now() / 1_000) };
        update.run(JSON.stringify(payload), keyOf(id));
      },
      destroy: async (id) => void remove.run(keyOf(id)),
      revokeByGrantId: async (grantId) => void removeGrant.run(grantId),
    };
  };
}

const port = Number(Bun.env["PORT"]);
const keys = algorithms.map(async (alg) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: alg, alg, use: "sig" };
});
const provider = new Provider(`http://127.0.0.1:${port}`, {
  adapter: createStore(path),
  clients: algorithms.map((algorithm) => ({
    client_id: algorithm,
    client_secret: Bun.env["BENCH_SECRET"] ?? "",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    id_token_signed_response_alg: algorithm,
  })),
  jwks: { keys: await Promise.all(keys) },
  cookies: { keys: ["a benchmark secret that guards nothing at all"] },
  features: { devInteractions: { enabled: false } },
  rotateRefreshToken: true,
  issueRefreshToken: () => Promise.resolve(true),
  ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 86_400, IdToken: 600, RefreshToken: 86_400 },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  routes: { token: "/oauth2/token" },
});

async function makeCode(clientId: string, scope: string, challenge: string): Promise<string> {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error("there is no client");
  const grant = new provider.Grant({ clientId, accountId: "ada" });
  grant.addOIDCScope(scope);
  const code = new provider.AuthorizationCode({
    accountId: "ada",
    client,
    grantId: await grant.save(),
    gty: "authorization_code",
    redirectUri,
    scope,
    codeChallenge: challenge,
    codeChallengeMethod: "S256",
    authTime: Math.floor(Date.now() / 1_000),
    expiresWithSession: false,
  });
  return code.save();
}

async function makeCodes(query: URLSearchParams): Promise<readonly string[]> {
  const codes: string[] = [];
  for (let left = Number(query.get("count")); left > 0; left -= 1)
    codes.push(await makeCode(query.get("client") ?? "", query.get("scope") ?? "", query.get("challenge") ?? ""));
  return codes;
}

const answer = provider.callback();
createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
  if (pathname !== "/codes") void answer(request, response);
  else void makeCodes(searchParams).then((codes) => response.end(JSON.stringify(codes)));
}).listen(port, "127.0.0.1", () => console.log(`listening on ${port}`));
