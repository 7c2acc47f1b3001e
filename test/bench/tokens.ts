import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { count, ms, times, type Measure, type Part } from "./findings.ts";
import { binary, cookiesOf, environment, register as registerPerson, startGatehouse } from "./gatehouse.ts";
import { openConnection, post, postForm, type HttpConnection } from "./http.connection.ts";
import { askInTurns, interleave, latencySummary, medianOf, medianRatio, type Asked } from "./load.ts";
import { startOidcProvider } from "./rivals.ts";
import type { Server, Workspace } from "./workspace.ts";

const rounds = 3;
const seconds = 4;
const clients = 32;
/** Codes live for a minute, so each round makes its own. */
const codesEach = 2_000;
const redirectUri = "https://shop.example.test/callback";
const verifier = "a-verifier-of-the-benchmarks-0123456789-0123456789";
const challenge = new Bun.CryptoHasher("sha256").update(verifier).digest("base64url");
const scope = "openid offline_access";

const algorithms = ["RS256", "ES256"] as const;
type Algorithm = (typeof algorithms)[number];

/** A provider's client, whose ID tokens are signed by one algorithm. */
interface Issuer {
  readonly server: Server;
  readonly authorization: string;
  codes(count: number): Promise<string[]>;
}
type Issuers = Readonly<Record<Algorithm, Issuer>>;

const keys = {
  RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
} as const;
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" });
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

async function startOurs(workspace: Workspace, path: string): Promise<Issuers> {
  const env = { IDP_ENABLED: "true", API_JWT_PRIVATE_KEY: pem(keys.ES256), IDP_RSA_PRIVATE_KEY: pem(keys.RS256) };
  async function register(algorithm: Algorithm): Promise<{ client_id: string; client_secret: string }> {
    const settings = ["--type", "web", "--redirect-uri", redirectUri, "--id-token-alg", algorithm];
    const command = [binary, "client:create", `bench-${algorithm}`, ...settings, "--json"];
    return JSON.parse(await workspace.complete("client", command, { ...environment(path), ...env }));
  }
  const clientsOf = { RS256: await register("RS256"), ES256: await register("ES256") };
  const server = await startGatehouse(workspace, "gatehouse-tokens", path, { env });
  const cookie = await registerPerson(server, "tokens");

  function issuer({ client_id: id, client_secret: secret }: (typeof clientsOf)[Algorithm]): Issuer {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: id,
      redirect_uri: redirectUri,
      scope,
      code_challenge: challenge,
      code_challenge_method: "S256",
    });
    const address = `http://127.0.0.1:${server.port}/oauth2/authorize?${query.toString()}`;
    async function code(): Promise<string> {
      const { headers, status } = await fetch(address, { headers: { cookie }, redirect: "manual" });
      const found = URL.parse(headers.get("location") ?? "")?.searchParams.get("code");
      if (found === null || found === undefined) throw new Error(`no code: ${status} ${headers.get("location")}`);
      return found;
    }
    return {
      server,
      authorization: basic(id, secret),
      async codes(wanted) {
        const found: string[] = [];
        while (found.length < wanted) {
          const more = Math.min(clients, wanted - found.length);
          found.push(...(await Promise.all(Array.from({ length: more }, code))));
        }
        return found;
      },
    };
  }
  return { RS256: issuer(clientsOf.RS256), ES256: issuer(clientsOf.ES256) };
}

async function startTheirs(workspace: Workspace, isDurable: boolean): Promise<Issuers> {
  const secret = "a-benchmark-secret-that-guards-nothing";
  const server = await startOidcProvider(workspace, secret, isDurable);
  const issuer = (client: Algorithm): Issuer => ({
    server,
    authorization: basic(client, secret),
    async codes(wanted) {
      const query = new URLSearchParams({ count: String(wanted), client, scope, challenge });
      const answer: unknown = await (await fetch(`http://127.0.0.1:${server.port}/codes?${query.toString()}`)).json();
      if (!Array.isArray(answer)) throw new Error("there are no codes");
      return answer.map(String);
    },
  });
  return { RS256: issuer("RS256"), ES256: issuer("ES256") };
}

/** Has tokens made for a form. Resolves to the next refresh token. */
async function tokenFor(
  connection: HttpConnection,
  { authorization }: Issuer,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const { status, body } = await connection.send(postForm("/oauth2/token", fields, authorization));
  const [, token] = /"refresh_token":"([^"]+)"/.exec(body) ?? [];
  if (status !== 200 || token === undefined || !body.includes('"id_token"'))
    throw new Error(`the token endpoint answered ${status} ${body}`);
  return token;
}
const swap = (code: string) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: redirectUri,
  code_verifier: verifier,
});

const connect = ({ server }: Issuer): Promise<HttpConnection[]> =>
  Promise.all(Array.from({ length: clients }, () => openConnection(server.port)));

/** Swaps codes until there are none left. */
async function redeem(issuer: Issuer): Promise<Asked> {
  const codes = await issuer.codes(codesEach);
  const connections = await connect(issuer);
  const cpuBefore = await issuer.server.cpuSeconds();
  const started = performance.now();
  const latencies: number[] = [];
  await Promise.all(
    connections.map(async (connection) => {
      for (let code = codes.pop(); code !== undefined; code = codes.pop()) {
        const asked = performance.now();
        await tokenFor(connection, issuer, swap(code));
        latencies.push(performance.now() - asked);
      }
      connection.close();
    }),
  );
  const perSecond = codesEach / ((performance.now() - started) / 1_000);
  const cpuMicros = (((await issuer.server.cpuSeconds()) - cpuBefore) / codesEach) * 1_000_000;
  return { perSecond, cpuMicros, ...latencySummary(latencies) };
}

/** Lets each chain of secrets go on as fast as it gets its next one. */
async function chained<Chain extends { readonly connection: HttpConnection }>(
  server: Server,
  chains: readonly Chain[],
  next: (chain: Chain) => Promise<void>,
): Promise<Asked> {
  const asked = await askInTurns(server, chains, seconds, next);
  for (const { connection } of chains) connection.close();
  return asked;
}

/** Has programs refresh. */
async function refresh(issuer: Issuer): Promise<Asked> {
  const codes = await issuer.codes(clients);
  const connections = await connect(issuer);
  const chains = await Promise.all(
    connections.map(async (connection, index) => ({
      connection,
      token: await tokenFor(connection, issuer, swap(codes[index] ?? "")),
    })),
  );
  return chained(issuer.server, chains, async (chain) => {
    chain.token = await tokenFor(chain.connection, issuer, { grant_type: "refresh_token", refresh_token: chain.token });
  });
}

/** Has browsers refresh sessions of Gatehouse's own. */
async function refreshSessions(issuer: Issuer, cookies: readonly string[]): Promise<Asked> {
  const connections = await connect(issuer);
  const chains = connections.map((connection, index) => ({ connection, cookie: cookies[index] ?? "" }));
  return chained(issuer.server, chains, async (chain) => {
    chain.cookie = cookiesOf(await chain.connection.send(post("/api/v1/auth/refresh", undefined, chain.cookie)));
  });
}

const acts = { "refreshes of a program": refresh, "codes that a program swaps": redeem } as const;

/** Returns the processor time of a signature that both have to make. */
function signatureMicros(algorithm: Algorithm): number {
  const [signatures, text] = [500, Buffer.alloc(500)];
  const before = process.cpuUsage();
  for (let left = signatures; left > 0; left -= 1) sign("sha256", text, keys[algorithm]);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / signatures;
}

type Measured = (name: string) => readonly Asked[];

/** Says how often the first one answers for each answer of the other, and which share of the processor time it needs. */
function comparison(measure: string, of: Measured, to: string, least: number): Measure {
  const ratio = medianRatio(of("Gatehouse"), of(to), ({ perSecond }) => perSecond);
  const cpu = medianRatio(of(to), of("Gatehouse"), ({ cpuMicros }) => cpuMicros);
  return {
    measure: `${measure}, against ${to}; processor time of that one's answer over ours`,
    goal: `≥ ${least}×; –`,
    measured: `${times(ratio)}; ${times(cpu)}`,
    met: ratio >= least,
  };
}

function figures(measure: string, of: Measured, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const figure = (what: "perSecond" | "p50Ms" | "p99Ms" | "cpuMicros"): number =>
      medianOf(of(name), (load) => load[what]);
    return `${measure}, ${clients} clients, ${name}: ${count(figure("perSecond"))}/s, p50 ${ms(figure("p50Ms"))}, p99 ${ms(figure("p99Ms"))}, processor ${figure("cpuMicros").toFixed(0)} µs an answer`;
  });
}

/**
 * Measures the token endpoint: what is answered is on the disk, and each answer has an ID token, which both sides sign by one algorithm. Ours
 * has a signed access token besides, where oidc-provider stores an opaque one.
 */
export const tokens: Part = {
  name: "tokens",
  limitSeconds: 480,
  async run({ workspace, population }) {
    const { path, refreshCookie, takeSessions } = await population(10_000);
    const ours = await startOurs(workspace, path);
    const issuers: Readonly<Record<string, Issuers>> = {
      Gatehouse: ours,
      "oidc-provider": await startTheirs(workspace, true),
      "oidc-provider in memory": await startTheirs(workspace, false),
    };
    const sessions = "sessions of Gatehouse's own";
    const measures: Measure[] = [];
    const raw = algorithms.map(
      (each) => `a signature by ${each} alone: ${signatureMicros(each).toFixed(0)} µs of the processor`,
    );
    for (const algorithm of algorithms) {
      for (const [act, ask] of Object.entries(acts)) {
        const besides = algorithm === "ES256" && ask === refresh ? [sessions] : [];
        const names = [...Object.keys(issuers), ...besides];
        const measureOnce = (name: string): Promise<Asked> => {
          const issuer = issuers[name];
          return issuer === undefined
            ? refreshSessions(ours[algorithm], takeSessions(clients).map(refreshCookie))
            : ask(issuer[algorithm]);
        };
        for (const name of names) await measureOnce(name);
        const of = await interleave(rounds, names, measureOnce);
        const measure = `${act}, durable, with an ID token by ${algorithm}`;
        measures.push(comparison(measure, of, "oidc-provider", 3));
        for (const name of besides) measures.push(comparison(measure, of, name, 1));
        raw.push(...figures(measure, of, names));
      }
    }
    return { measures, raw };
  },
};
