import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { count, ms, times, type Part } from "./findings.ts";
import { binary, environment, register, startGatehouse } from "./gatehouse.ts";
import { openConnection, postForm, type HttpConnection } from "./http.connection.ts";
import { closedLoop, interleave, latencySummary, medianOf, medianRatio, type Load } from "./load.ts";
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

/** A provider with a client of its own, which makes codes for one person. */
interface Issuer {
  readonly server: Server;
  readonly authorization: string;
  codes(count: number): Promise<string[]>;
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
const pem = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" });
const basic = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;

async function startOurs(workspace: Workspace, path: string): Promise<Issuer> {
  const env = {
    IDP_ENABLED: "true",
    API_JWT_PRIVATE_KEY: pem(generateKeyPairSync("ed25519").privateKey),
    IDP_RSA_PRIVATE_KEY: pem(rsa),
  };
  const command = [binary, "client:create", "bench", "--type", "web", "--redirect-uri", redirectUri, "--json"];
  const made: { client_id: string; client_secret: string } = JSON.parse(
    await workspace.complete("client", command, { ...environment(path), ...env }),
  );
  const { client_id: id, client_secret: secret } = made;
  const server = await startGatehouse(workspace, "gatehouse-tokens", path, { env });
  const cookie = await register(server, "tokens");
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

async function startTheirs(workspace: Workspace, isDurable: boolean): Promise<Issuer> {
  const secret = "a-benchmark-secret-that-guards-nothing";
  const server = await startOidcProvider(workspace, secret, isDurable);
  return {
    server,
    authorization: basic("bench", secret),
    async codes(wanted) {
      const query = new URLSearchParams({ count: String(wanted), scope, challenge });
      const answer: unknown = await (await fetch(`http://127.0.0.1:${server.port}/codes?${query.toString()}`)).json();
      if (!Array.isArray(answer)) throw new Error("there are no codes");
      return answer.map(String);
    },
  };
}

/** Has tokens made for a form. Resolves to the next refresh token. */
async function ask(
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

interface Asked extends Load {
  /** The server's processor time per answer, in microseconds, which stays comparable on a busy machine. */
  readonly cpuMicros: number;
}

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
        await ask(connection, issuer, swap(code));
        latencies.push(performance.now() - asked);
      }
      connection.close();
    }),
  );
  const perSecond = codesEach / ((performance.now() - started) / 1_000);
  const cpuMicros = (((await issuer.server.cpuSeconds()) - cpuBefore) / codesEach) * 1_000_000;
  return { perSecond, cpuMicros, ...latencySummary(latencies) };
}

/** Lets each client refresh as fast as it gets its next token. */
async function refresh(issuer: Issuer): Promise<Asked> {
  const codes = await issuer.codes(clients);
  const connections = await connect(issuer);
  const chains = await Promise.all(
    connections.map(async (connection, index) => ({
      connection,
      token: await ask(connection, issuer, swap(codes[index] ?? "")),
    })),
  );
  let answers = 0;
  const cpuBefore = await issuer.server.cpuSeconds();
  const load = await closedLoop(chains, seconds, async (chain) => {
    answers += 1;
    chain.token = await ask(chain.connection, issuer, { grant_type: "refresh_token", refresh_token: chain.token });
  });
  const cpuMicros = (((await issuer.server.cpuSeconds()) - cpuBefore) / answers) * 1_000_000;
  for (const connection of connections) connection.close();
  return { ...load, cpuMicros };
}

const acts = { "refreshes of a program": refresh, "codes that a program swaps": redeem } as const;

/** Returns the processor time of the one signature that both have to make. */
function signatureMicros(): number {
  const [signatures, text] = [500, Buffer.alloc(500)];
  const before = process.cpuUsage();
  for (let left = signatures; left > 0; left -= 1) sign("sha256", text, rsa);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / signatures;
}

/** Measures the token endpoint: what is answered is on the disk, and each answer has a signed ID token. */
export const tokens: Part = {
  name: "tokens",
  limitSeconds: 240,
  async run({ workspace, population }) {
    const { path } = await population(10_000);
    const issuers = {
      Gatehouse: await startOurs(workspace, path),
      "oidc-provider": await startTheirs(workspace, true),
      "oidc-provider in memory": await startTheirs(workspace, false),
    } as const;
    const names = ["Gatehouse", "oidc-provider", "oidc-provider in memory"] as const;
    const measured: { readonly act: string; readonly of: (name: (typeof names)[number]) => readonly Asked[] }[] = [];
    for (const [act, measure] of Object.entries(acts)) {
      for (const name of names) await measure(issuers[name]);
      measured.push({ act, of: await interleave(rounds, names, (name) => measure(issuers[name])) });
    }
    return {
      measures: measured.map(({ act, of }) => {
        const ratio = medianRatio(of("Gatehouse"), of("oidc-provider"), ({ perSecond }) => perSecond);
        return {
          measure: `${act}, durable, with an ID token, against oidc-provider`,
          goal: "≥ 3×",
          measured: times(ratio),
          met: ratio >= 3,
        };
      }),
      raw: [
        `a signature by RS256 alone, of which each answer has one: ${signatureMicros().toFixed(0)} µs of the processor`,
        ...measured.flatMap(({ act, of }) =>
          names.map((name) => {
            const figure = (what: "perSecond" | "p50Ms" | "p99Ms" | "cpuMicros"): number =>
              medianOf(of(name), (load) => load[what]);
            return `${act}, ${clients} clients, ${name}: ${count(figure("perSecond"))}/s, p50 ${ms(figure("p50Ms"))}, p99 ${ms(figure("p99Ms"))}, processor ${figure("cpuMicros").toFixed(0)} µs an answer`;
          }),
        ),
      ],
    };
  },
};
