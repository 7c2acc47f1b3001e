import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportJWK, generateKeyPair } from "jose";
import { idpKit, providerOn } from "../contract/idp/idp.fixture.ts";
import { makeCertificate } from "../support/certificate.ts";
import { runGatehouse } from "../support/process.ts";
import { startTarget, type Target } from "../support/target.ts";
import { createSuite, type Finding } from "./fapi.suite.ts";

// `bun test/idp/fapi.process.ts https://localhost:8443 [WORD]`: lets the conformance suite of the OpenID Foundation, which runs at that address on
// this machine, try a Gatehouse by its plan for the FAPI 2.0 Security Profile, and prints what each module found; WORD chooses among them. A quarter of an hour.
const [at = "", word = ""] = process.argv.slice(2);
if (!at.startsWith("https://")) throw new Error("the first word is the address of the suite");
const password = "a long walk by the sea";
const alias = "gatehouse";
/** Those that BCP 195 recommends for TLS 1.2: the suite tries others as well. */
const ciphers = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384";
const callback = `${new URL(at).origin}/test/a/${alias}/callback`;

/** A program of the suite: two are let in without a question, and two whose person says no to the question. */
const programs = {
  client: ["PS256"],
  client2: ["ES256"],
  refused: ["PS256", "--third-party"],
  refused2: ["ES256", "--third-party"],
} as const;
type Program = keyof typeof programs;

async function keysOf(alg: string, name: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const named = { alg, kid: name, use: "sig" };
  return {
    own: { ...(await exportJWK(privateKey)), ...named },
    published: { ...(await exportJWK(publicKey)), ...named },
  };
}

/** Registers the programs. Returns what the suite has to know of each. */
async function register(target: Target, jwksAt: string, published: Map<string, unknown>) {
  const kit = idpKit(target);
  const known: Partial<Record<Program, unknown>> = {};
  for (const [name, [alg, ...flags]] of Object.entries(programs)) {
    const { own, published: key } = await keysOf(alg, name);
    published.set(`/${name}`, { keys: [key] });
    const keeps = ["--fapi", "--auth", "private_key_jwt", "--jwks-uri", `${jwksAt}/${name}`, "--id-token-alg", "EdDSA"];
    const leads = ["--redirect-uri", callback, "--redirect-uri", `${callback}?dummy1=lorem&dummy2=ipsum`];
    const { client_id } = await kit.register(name, ...keeps, ...leads, ...flags);
    Object.assign(known, {
      [name]: { client_id, scope: "openid profile email offline_access", jwks: { keys: [own] }, dpop_signing_alg: alg },
    });
  }
  return known;
}

/** What the suite's browser does: it signs in, says no where a module wants that, and ends at the suite or at a page of ours. */
function browsing(issuer: string) {
  const pages = `${issuer}/oauth2/*`;
  const login = {
    task: "sign in",
    optional: true,
    match: `${issuer}/login*`,
    commands: [
      ["text", "id", "login", "ada"],
      ["text", "id", "password", password],
      ["click", "css", "form[action='/login'] button.primary"],
    ],
  };
  const refusal = {
    task: "see a page",
    optional: true,
    match: pages,
    commands: [["wait", "xpath", "//main", 10, ".*", "update-image-placeholder-optional"]],
  };
  const end = {
    task: "come back",
    optional: true,
    match: `${new URL(at).origin}/test/*`,
    commands: [["wait", "id", "submission_complete", 20]],
  };
  const match = `${issuer}/oauth2/authorize*`;
  const look = {
    task: "look",
    match: `${issuer}/login*`,
    commands: [["wait", "id", "login", 10, ".*", "update-image-placeholder-optional"]],
  };
  const deny = { task: "say no", match: pages, commands: [["click", "css", "button[value='deny']"]] };
  return {
    usual: [{ match, tasks: [login, refusal, end] }],
    denying: [{ match, tasks: [login, deny, end] }],
    lookingFirst: [
      { match, "match-limit": 1, tasks: [look] },
      { match, tasks: [login, refusal, end] },
    ],
  };
}

function settingsOf(issuer: string, { client, client2, refused, refused2 }: Partial<Record<Program, unknown>>) {
  const { usual, denying, lookingFirst } = browsing(issuer);
  const plan = "fapi2-security-profile-final";
  return {
    alias,
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration` },
    resource: { resourceUrl: `${issuer}/oauth2/userinfo` },
    options: { browsercontrol_css_enable: false },
    client,
    client2,
    browser: usual,
    override: {
      [`${plan}-user-rejects-authentication`]: { client: refused, client2: refused2, browser: denying },
      [`${plan}-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`]: { browser: lookingFirst },
    },
  };
}

function print({ module, result, remarks }: Finding): void {
  console.log(`| ${module} | ${result} | ${remarks.join("; ")} |`);
}

const folder = await mkdtemp(join(tmpdir(), "gatehouse-fapi-"));
const { certFile, keyFile } = makeCertificate(folder);
let inner = "";
const front = Bun.serve({
  hostname: "localhost",
  port: 0,
  tls: { cert: Bun.file(certFile), key: Bun.file(keyFile), ciphers },
  fetch(request) {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("x-forwarded-proto", "https");
    return fetch(`${inner}${pathname}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      redirect: "manual",
      decompress: false,
    });
  },
});
const published = new Map<string, unknown>();
const keys = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => Response.json(published.get(new URL(request.url).pathname) ?? {}),
});
const issuer = front.url.origin;
const target = await startTarget({
  ownProcess: true,
  env: {
    ...providerOn,
    APP_URL: issuer,
    API_TRUSTED_PROXIES: "127.0.0.1/32",
    FRONTEND_KIT: "server",
    AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000",
  },
});
inner = target.url.replace(/\/$/, "");
try {
  const { folder: cwd, env } = target;
  const made = await runGatehouse(["auth:create-user", "--email", "ada@example.test", "--username", "ada"], {
    cwd,
    env,
    stdin: password,
  });
  if (made.code !== 0) throw new Error(made.stderr);
  const suite = createSuite(at);
  const findings = await suite.run(settingsOf(issuer, await register(target, keys.url.origin, published)), word, print);
  const failed = findings.filter(({ result }) => result !== "PASSED" && result !== "WARNING");
  console.log(`\n${findings.length - failed.length} of ${findings.length} without a failure`);
  process.exitCode = failed.length === 0 && findings.length > 0 ? 0 : 1;
} finally {
  await target.stop();
  await Promise.all([front.stop(true), keys.stop(true), rm(folder, { recursive: true })]);
}
