import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import {
  auth,
  browserWith,
  calm,
  claimsOf,
  createPeople,
  forge,
  isServed,
  refreshes,
  secretsOf,
  type Person,
} from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { createOperator, lighthouseSecret } from "../inspect/lighthouse.fixture.ts";
import { sharedFolder } from "../../support/folder.ts";
import { pythonMissing, pythonPackages, type PythonPackages } from "../../support/python.ts";
import { signingAlgorithms, signingPair, type SigningPair } from "../../support/signing.pair.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";

endTargetsAfterEach();

const folder = sharedFolder();
const appUrl = "http://127.0.0.1:3000";
const keySetPath = "/.well-known/jwks.json";
const minuteMs = 60_000;

const start = (pair: SigningPair, env: Readonly<Record<string, string>> = {}): Promise<Target> =>
  startTarget({ env: { ...calm, APP_URL: appUrl, API_JWT_PRIVATE_KEY: pair.privatePem, ...env }, shared: true });
const bearer = async (url: string, token: string): Promise<number> =>
  (await createClient(url).get(auth("me"), { headers: { authorization: `Bearer ${token}` } })).status;

describe.each(signingAlgorithms)("with an %s key", (alg) => {
  const pair = signingPair(alg);
  let target: Target;
  let ada: Person;
  let access: string;
  beforeAll(async () => {
    target = await start(pair);
    ada = await createPeople(target.url).register("ada");
    access = secretsOf(ada.client).access;
  });
  afterAll(() => target.stop());

  test("T-20 access tokens keep to the profile for access tokens, and sign in", async () => {
    expect(decodeProtectedHeader(access)).toEqual(pair.header);
    const claims = claimsOf(access);
    expect(Object.keys(claims).toSorted()).toEqual(
      ["acr", "amr", "aud", "auth_time", "client_id", "exp", "iat", "iss", "jti", "sid", "sub", "usr"].toSorted(),
    );
    expect(claims).toMatchObject({ iss: appUrl, aud: "app", client_id: "app", sub: ada.id, usr: ada.username });
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(900);
    expect(await isServed(browserWith(target.url, { access }))).toBe(true);
    expect(await bearer(target.url, access)).toBe(200);
    const again = await ada.login();
    expect(claimsOf(secretsOf(again).access)["jti"]).not.toBe(claims["jti"]);
  });

  test("T-20 the public key is published, to be kept for five minutes, and nothing of the private one", async () => {
    const answer = await createClient(target.url).get(keySetPath);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toStartWith("application/json");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300");
    expect(answer.setCookies).toEqual([]);
    expect(answer.json).toEqual({ keys: [pair.jwk] });
    expect((await createClient(target.url).request("HEAD", keySetPath)).status).toBe(200);
  });

  test("T-20 jose verifies them by the published keys", async () => {
    const keys = createRemoteJWKSet(new URL(keySetPath, target.url));
    const { payload } = await jwtVerify(access, keys, { issuer: appUrl, audience: "app", typ: "at+jwt" });
    expect(payload).toMatchObject({ sub: ada.id, sid: expect.any(String) });
    await expect(jwtVerify(pair.token(claimsOf(access)), keys, { audience: "admin" })).rejects.toThrow("aud");
  });

  test("T-21 introspection takes them, and none that the secret has signed", async () => {
    const { create, introspect } = serviceKit(target);
    const secret = await create("crm");
    expect((await introspect(secret, access)).json).toMatchObject({ active: true, sub: ada.id, aud: "app" });
    expect((await introspect(secret, forge(claimsOf(access)))).json).toEqual({ active: false });
  });

  test("T-22 a token that the key has signed is as good as ours: what follows fails for its own reason", async () => {
    expect(await bearer(target.url, pair.token(claimsOf(access)))).toBe(200);
  });
});

const inPython = `
import json, sys, jwt
url, issuer = sys.argv[1:]
token = sys.stdin.read()
key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)
required = ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]
print(json.dumps(jwt.decode(token, key, algorithms=["EdDSA", "ES256"], audience="app", issuer=issuer, options={"require": required})))
`;

describe.skipIf(pythonMissing !== undefined)(
  `in Python${pythonMissing === undefined ? "" : ` (${pythonMissing})`}`,
  () => {
    let python: PythonPackages;
    beforeAll(async () => {
      python = await pythonPackages();
    }, 5 * minuteMs);

    test.each(signingAlgorithms)(
      "T-20 PyJWT verifies %s tokens by the published keys, and no altered one",
      async (alg) => {
        const target = await start(signingPair(alg));
        const ada = await createPeople(target.url).register("ada");
        const verify = (token: string) =>
          python.run("python", ["-c", inPython, `${target.url}${keySetPath}`, appUrl], { cwd: folder, stdin: token });
        const { access } = secretsOf(ada.client);
        const { code, stdout, stderr } = await verify(access);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(JSON.parse(stdout)).toEqual(claimsOf(access));
        const [head, , signature] = access.split(".");
        const grown = Buffer.from(JSON.stringify({ ...claimsOf(access), sub: "grace" })).toString("base64url");
        expect((await verify(`${head}.${grown}.${signature}`)).stderr).toContain("InvalidSignatureError");
        await target.stop();
      },
    );
  },
);

test("T-20 without a key that path looks absent, in the admin app always", async () => {
  const without = await startTarget({ env: { ...calm, API_DOCS_ENABLED: "true" } });
  const absent = await createClient(without.url).get("/.well-known/no-such-path");
  const answer = await createClient(without.url).get(keySetPath);
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 404, text: "" });
  const headers = (each: typeof answer) => [...each.headers].filter(([name]) => !/^(?:x-request-id|date)$/.test(name));
  expect(headers(answer)).toEqual(headers(absent));
  const reference = await createClient(without.url).get("/openapi/json");
  expect(reference.at("paths")).toHaveProperty([keySetPath]);
  await without.stop();
  const env = { ...calm, API_JWT_PRIVATE_KEY: signingPair("EdDSA").privatePem };
  const admin = await startTarget({ app: "admin", env });
  expect((await createClient(admin.url).get(keySetPath)).status).toBe(404);
  await admin.stop();
});

test("T-25 the private key is in no output: neither the log, inspects, the documents nor what commands print", async () => {
  const pair = signingPair("ES256");
  const body = pair.privatePem.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
  const env = { LIGHTHOUSE_INSPECT_ENABLED: "true", LIGHTHOUSE_SECRET: lighthouseSecret, APP_DEBUG: "3" };
  const target = await startTarget({
    env: { ...calm, ...env, APP_URL: appUrl, API_DOCS_ENABLED: "true", API_JWT_PRIVATE_KEY: pair.privatePem },
  });
  const ada = await createPeople(target.url).register("ada");
  const client = createClient(target.url);
  // The requests put the key where somebody may put it by mistake.
  for (const line of body) {
    await client.get(`/api/v1/hello?key=${encodeURIComponent(line)}`, { headers: { "user-agent": `key ${line}` } });
    await client.post(auth("login"), { login: line, password: pair.privatePem });
  }
  await ada.client.post(auth("refresh"));
  const operator = createOperator(target.url);
  await operator.find("source=http", ({ labels }) => String(labels["user_agent"]).startsWith("key "));
  const inspects = await operator.ask("/inspects?limit=200");
  const surfaces = [keySetPath, "/openapi/json", "/metrics"].map(async (path) => (await client.get(path)).text);
  const commands = [["env:check"], ["env:check", "--json"], ["about"], ["about", "--json"], ["route:list"]].map(
    async (args) => {
      const { code, stdout, stderr } = await runGatehouse(args, { cwd: folder, env: target.env });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    },
  );
  const texts = await Promise.all([...surfaces, ...commands, inspects.text, target.logs()]);
  await target.stop();
  expect(texts.join("\n")).toContain("API_JWT_PRIVATE_KEY");
  expect(texts.flatMap((text) => body.filter((line) => text.includes(line)))).toEqual([]);
});

describe("a change of keys", () => {
  const [first, second] = [signingPair("EdDSA"), signingPair("ES256")];
  const env = { ...calm, APP_URL: appUrl, DB_DATABASE: "" };
  beforeAll(() => {
    env.DB_DATABASE = `${folder}/keys.db`;
  });
  /** Runs the service with these keys while `use` works with it. */
  async function during<T>(keys: Record<string, string>, use: (url: string) => Promise<T>): Promise<T> {
    const target = await startTarget({ env: { ...env, ...keys } });
    try {
      return await use(target.url);
    } finally {
      await target.stop();
    }
  }
  const at = (url: string, client: Client): Client => browserWith(url, secretsOf(client));
  const keyIds = async (url: string): Promise<unknown[]> => {
    const keys = (await createClient(url).get(keySetPath)).at("keys");
    return Array.isArray(keys) ? keys.map(({ kid }: { kid: unknown }) => kid) : [];
  };
  const signedBy = (client: Client): unknown => decodeProtectedHeader(secretsOf(client).access).kid;

  test("T-23 a private key can be introduced, changed and given up without signing anybody out", async () => {
    const ada = await during({}, (url) => createPeople(url).register("ada"));
    expect(signedBy(ada.client)).toBeUndefined();

    const keyed = await during({ API_JWT_PRIVATE_KEY: first.privatePem }, async (url) => {
      // The refresh cookie carries the browser over. The old token alone is worth nothing any more.
      expect(await isServed(at(url, ada.client))).toBe(true);
      expect(await bearer(url, secretsOf(ada.client).access)).toBe(401);
      const browser = at(url, ada.client);
      expect(await refreshes(browser)).toBe(true);
      return browser;
    });
    expect(signedBy(keyed)).toBe(first.kid);

    // The signing key may also be in the list of previous keys: it is published once.
    const listed = `${first.publicPem}${second.publicPem}`;
    const changed = { API_JWT_PRIVATE_KEY: second.privatePem, API_JWT_PREVIOUS_PUBLIC_KEYS: listed };
    const renewed = await during(changed, async (url) => {
      expect(await keyIds(url)).toEqual([second.kid, first.kid]);
      expect(await bearer(url, secretsOf(keyed).access)).toBe(200);
      const browser = at(url, keyed);
      expect(await refreshes(browser)).toBe(true);
      return browser;
    });
    expect(signedBy(renewed)).toBe(second.kid);

    await during({ API_JWT_PRIVATE_KEY: second.privatePem }, async (url) => {
      expect(await keyIds(url)).toEqual([second.kid]);
      expect(await bearer(url, secretsOf(keyed).access)).toBe(401);
      expect(await isServed(at(url, renewed))).toBe(true);
    });
    await during({}, async (url) => {
      expect(await bearer(url, secretsOf(renewed).access)).toBe(401);
      expect(await isServed(at(url, renewed))).toBe(true);
      expect(await refreshes(at(url, renewed))).toBe(true);
    });
  });

  test("T-23 a key that is to sign next is published and verifies before it does", async () => {
    await during({ API_JWT_PREVIOUS_PUBLIC_KEYS: second.publicPem }, async (url) => {
      const grace = await createPeople(url).register("grace");
      expect(await keyIds(url)).toEqual([second.kid]);
      expect(signedBy(grace.client)).toBeUndefined();
      const { access } = secretsOf(grace.client);
      expect(await bearer(url, access)).toBe(200);
      expect(await bearer(url, second.token(claimsOf(access)))).toBe(200);
      expect(await bearer(url, first.token(claimsOf(access)))).toBe(401);
    });
  });

  test("T-23 processes that share the key take each other's tokens, and each app its own alone", async () => {
    const shared = { ...env, API_JWT_PRIVATE_KEY: first.privatePem };
    const one = await startTarget({ env: shared, ownProcess: true });
    const other = await startTarget({ env: shared, roles: ["http"], migrate: false, ownProcess: true });
    const linus = await createPeople(one.url).register("linus");
    const { access } = secretsOf(linus.client);
    expect(await bearer(other.url, access)).toBe(200);
    expect(await keyIds(other.url)).toEqual([first.kid]);
    expect(await bearer(other.url, first.token({ ...claimsOf(access), aud: "admin" }))).toBe(401);
    await Promise.all([one.stop(), other.stop()]);
  });
});
