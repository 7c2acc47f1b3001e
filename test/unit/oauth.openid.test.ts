import { describe, expect, test } from "bun:test";
import { generateKeyPair, exportJWK } from "jose";
import { exchangeCode, type ClientAuthentication } from "../../src/oauth/exchange/exchange.ts";
import { ExchangeFailure } from "../../src/oauth/exchange/failure.ts";
import { createIdTokens } from "../../src/oauth/exchange/id.token.ts";
import { createKnownMetadata } from "../../src/oauth/openid/known.metadata.ts";
import { discover } from "../../src/oauth/openid/metadata.ts";
import { askUserinfo } from "../../src/oauth/openid/userinfo.ts";
import type { Outbound, OutboundRequest } from "../../src/oauth/exchange/outbound.ts";

const second = 1_000;
const hour = 3_600 * second;
const issuer = "https://login.acme.example";
const document = {
  issuer,
  authorization_endpoint: `${issuer}/authorize?tenant=acme`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: "https://keys.acme.example/jwks",
  userinfo_endpoint: `${issuer}/me`,
  token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post", "client_secret_basic"],
  id_token_signing_alg_values_supported: ["none", "HS256", "ES256", "RS256"],
  authorization_response_iss_parameter_supported: true,
};

const answering =
  (body: unknown, asked: string[] = []): Outbound =>
  async (url) => {
    asked.push(url);
    return { status: 200, text: JSON.stringify(body) };
  };
const ask = (changes: object, plainHttp = false) =>
  discover({ issuer, send: answering({ ...document, ...changes }), plainHttp });
const failureOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "none",
    (error: unknown) => (error instanceof ExchangeFailure ? error.message : String(error)),
  );

describe("discovery", () => {
  test("asks where the issuer says, and keeps what a sign-in needs", async () => {
    const asked: string[] = [];
    expect(await discover({ issuer, send: answering(document, asked), plainHttp: false })).toEqual({
      authUrl: document.authorization_endpoint,
      tokenUrl: document.token_endpoint,
      jwksUrl: document.jwks_uri,
      userinfoUrl: document.userinfo_endpoint,
      authentication: "client_secret_basic",
      algorithms: ["RS256", "ES256"],
      namesIssuer: true,
    });
    for (const own of [`${issuer}/realms/acme`, `${issuer}/realms/acme/`, `${issuer}/`])
      await discover({ issuer: own, send: answering({ ...document, issuer: own }, asked), plainHttp: false });
    expect(asked.slice(1)).toEqual([
      `${issuer}/realms/acme/.well-known/openid-configuration`,
      `${issuer}/realms/acme/.well-known/openid-configuration`,
      `${issuer}/.well-known/openid-configuration`,
    ]);
  });

  test("M-50 the document names the very issuer that was configured, or it is refused", async () => {
    for (const other of [`${issuer}.evil.example`, issuer.toUpperCase(), "", undefined, null, [issuer], { issuer }])
      expect(await failureOf(ask({ issuer: other }))).toBe("metadata_issuer");
    expect(await failureOf(ask({ issuer: `${issuer}/` }))).toBe("metadata_issuer: it differs by a slash at its end");
    for (const body of [null, [], "text", 7, {}])
      expect(await failureOf(discover({ issuer, send: answering(body), plainHttp: false }))).toBe("metadata_issuer");
  });

  test("M-51 outside local and testing every address in it is https and no private one", async () => {
    const names = ["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint"];
    for (const name of names) {
      const refusal = (url: string) => failureOf(ask({ [name]: url }));
      expect(await refusal("http://login.acme.example/x")).toBe(`metadata_endpoint: ${name} is not https`);
      for (const host of ["10.0.0.7", "127.0.0.1", "[::1]", "169.254.169.254", "localhost", "2130706433"])
        expect(await refusal(`https://${host}/x`)).toBe(`metadata_endpoint: ${name} is at a private address`);
      for (const url of ["javascript:alert(1)", "file:///etc/passwd", "/token", ""])
        expect(await refusal(url)).toBe(`metadata_endpoint: ${name} is no http or https URL`);
      for (const url of ["https://user:pass@login.acme.example/", "https://login.acme.example/#x"])
        expect(await refusal(url)).toBe(`metadata_endpoint: ${name} has credentials or a fragment`);
    }
    expect((await ask({ token_endpoint: "http://127.0.0.1:8080/token" }, true)).tokenUrl).toStartWith("http://127");
  });

  test("a document that lacks what a sign-in needs, or has too much of it, is refused, and its fault is named", async () => {
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"])
      for (const nothing of [undefined, null])
        expect(await failureOf(ask({ [name]: nothing }))).toBe(`metadata_invalid: ${name} is missing`);
    for (const [changes, fault] of [
      [{ token_endpoint: 7 }, "token_endpoint: expected string"],
      [{ userinfo_endpoint: [] }, "userinfo_endpoint: expected string"],
      [
        { jwks_uri: `https://keys.acme.example/${"x".repeat(2_048)}` },
        "jwks_uri: expected string length less or equal to 2048",
      ],
      [{ id_token_signing_alg_values_supported: "RS256" }, "id_token_signing_alg_values_supported: expected array"],
      [
        { id_token_signing_alg_values_supported: Array.from({ length: 65 }, () => "RS256") },
        "id_token_signing_alg_values_supported: expected array length to be less or equal to 64",
      ],
      [
        { token_endpoint_auth_methods_supported: ["client_secret_basic", 7] },
        "token_endpoint_auth_methods_supported/1: expected string",
      ],
      [
        { authorization_response_iss_parameter_supported: "true" },
        "authorization_response_iss_parameter_supported: expected boolean",
      ],
    ] as const)
      expect(await failureOf(ask(changes))).toBe(`metadata_invalid: ${fault}`);
  });

  test("members that are null count as absent", async () => {
    const { userinfo_endpoint: _, ...lean } = document;
    expect((await discover({ issuer, send: answering(lean), plainHttp: false })).userinfoUrl).toBeUndefined();
    const nothing = { token_endpoint_auth_methods_supported: null, id_token_signing_alg_values_supported: null };
    const silent = { ...nothing, userinfo_endpoint: null, authorization_response_iss_parameter_supported: null };
    expect(await ask(silent)).toMatchObject({
      userinfoUrl: undefined,
      authentication: "client_secret_basic",
      algorithms: ["RS256"],
      namesIssuer: false,
    });
  });

  test("the client proves itself as the document says, by default in the header", async () => {
    const chosen = async (methods: unknown) =>
      (await ask({ token_endpoint_auth_methods_supported: methods })).authentication;
    expect(await chosen(undefined)).toBe("client_secret_basic");
    expect(await chosen(["client_secret_post"])).toBe("client_secret_post");
    expect(await failureOf(chosen(["private_key_jwt", "none"]))).toBe(
      "metadata_unsupported: it takes no client secret",
    );
  });

  test("M-52 signatures are asymmetric ones that the document names, RS256 where it names none", async () => {
    const named = async (algorithms: unknown) =>
      (await ask({ id_token_signing_alg_values_supported: algorithms })).algorithms;
    expect(await named(undefined)).toEqual(["RS256"]);
    expect(await named(["none", "HS256", "HS384", "HS512", "EdDSA", "x"])).toEqual(["EdDSA"]);
    for (const unusable of [[], ["none"], ["HS256"], ["rs256"]])
      expect(await failureOf(named(unusable))).toBe("metadata_unsupported: it signs by no known way");
  });
});

describe("what is known of a provider", () => {
  function knowing() {
    let now = 0;
    let asked = 0;
    let answer: () => Promise<unknown> = async () => document;
    const stale: unknown[] = [];
    const known = createKnownMetadata({
      discover: async () => {
        asked += 1;
        return discover({ issuer, send: answering(await answer()), plainHttp: false });
      },
      onStale: (error) => void stale.push(error),
      clock: { now: () => now },
    });
    return {
      known,
      stale,
      asked: () => asked,
      pass: (ms: number) => (now += ms),
      answer: (next: () => Promise<unknown>) => void (answer = next),
    };
  }
  const down = async () => {
    throw new ExchangeFailure("provider_unreachable");
  };

  test("M-53 is asked for once, by whoever comes first, and kept for an hour", async () => {
    const { known, asked, pass } = knowing();
    expect(asked()).toBe(0);
    await Promise.all(Array.from({ length: 100 }, known));
    pass(hour - second);
    await known();
    expect(asked()).toBe(1);
  });

  test("M-53 a provider that fails is asked twice a minute at most, and the others fail at once", async () => {
    const { known, asked, pass, answer } = knowing();
    answer(down);
    const failures = await Promise.all(Array.from({ length: 100 }, () => failureOf(known())));
    expect(new Set(failures)).toEqual(new Set(["provider_unreachable"]));
    pass(29 * second);
    expect(await failureOf(known())).toBe("provider_unreachable");
    expect(asked()).toBe(1);
    answer(async () => document);
    pass(2 * second);
    expect((await known()).tokenUrl).toBe(document.token_endpoint);
    expect(asked()).toBe(2);
  });

  test("M-53 after an hour it serves on while the provider is asked again, for a day at most", async () => {
    const { known, stale, asked, pass, answer } = knowing();
    await known();
    answer(down);
    pass(hour);
    for (let time = 0; time < 3; time += 1) expect((await known()).tokenUrl).toBe(document.token_endpoint);
    await Bun.sleep(0);
    await known();
    expect([asked(), stale.length]).toEqual([2, 1]);
    const moved = { ...document, token_endpoint: `${issuer}/moved` };
    answer(async () => moved);
    pass(31 * second);
    await known();
    await Bun.sleep(0);
    expect((await known()).tokenUrl).toBe(moved.token_endpoint);
    answer(down);
    pass(24 * hour);
    expect(await failureOf(known())).toBe("provider_unreachable");
  });
});

describe("the exchange", () => {
  const client = {
    clientId: "an id: with é",
    clientSecret: () => "50% of + & a secret",
    callbackUrl: "https://auth.example.test/callback",
    scopes: ["openid"],
  };
  async function sentBy(authentication: ClientAuthentication): Promise<OutboundRequest> {
    const sent: OutboundRequest[] = [];
    const send: Outbound = async (_, request) => {
      sent.push(request);
      return { status: 200, text: '{"id_token":"x"}' };
    };
    const secrets = { code: "a code", codeVerifier: "a verifier" };
    await exchangeCode(send, client, { tokenUrl: `${issuer}/token`, authentication }, secrets);
    const [request] = sent;
    if (request === undefined || sent.length > 1) throw new Error(`${sent.length} requests`);
    return request;
  }

  test("has the secret in the header, encoded as a form encodes (RFC 6749 §2.3.1), or in the body, never in both", async () => {
    const basic = await sentBy("client_secret_basic");
    const encoded = basic.headers?.["authorization"]?.replace("Basic ", "") ?? "";
    expect(Buffer.from(encoded, "base64").toString()).toBe("an+id%3A+with+%C3%A9:50%25+of+%2B+%26+a+secret");
    expect(basic.form).not.toHaveProperty("client_secret");
    const post = await sentBy("client_secret_post");
    expect(post.headers).toBeUndefined();
    expect(post.form).toMatchObject({ client_id: "an id: with é", client_secret: "50% of + & a secret" });
    for (const { form } of [basic, post]) expect(form).toMatchObject({ code: "a code", code_verifier: "a verifier" });
  });

  test("that is refused names the fault where it is one of the standard's, and repeats nothing else", async () => {
    const refusal = (error: unknown) =>
      failureOf(
        exchangeCode(
          async () => ({ status: 401, text: JSON.stringify({ error, error_description: "a word of theirs" }) }),
          client,
          { tokenUrl: `${issuer}/token`, authentication: "client_secret_basic" },
          { code: "a code", codeVerifier: "a verifier" },
        ),
      );
    expect(await refusal("invalid_client")).toBe("code_rejected: invalid_client");
    for (const other of ["a word of theirs", null, 7, ["invalid_client"]])
      expect(await refusal(other)).toBe("code_rejected");
  });
});

test("M-54 userinfo about another subject, or about none, is refused", async () => {
  const about = (body: unknown) => askUserinfo(answering(body), `${issuer}/me`, "a token", "1001");
  expect(await about({ sub: "1001", email: "ada@people.test", picture: null })).toMatchObject({
    email: "ada@people.test",
  });
  for (const sub of ["1002", "", "1001 ", "10010"]) expect(await failureOf(about({ sub }))).toBe("userinfo_subject");
  for (const [body, fault] of [
    [{}, "sub is missing"],
    [{ sub: null }, "sub is missing"],
    [{ sub: 1001 }, "sub: expected string"],
    [[], "expected object"],
    ["text", "expected object"],
    [{ sub: "1001", email: ["x"] }, "email: expected string"],
  ] as const)
    expect(await failureOf(about(body))).toBe(`provider_response_invalid: ${fault}`);
});

test("M-53 more than 100 keys are not taken", async () => {
  const { publicKey } = await generateKeyPair("ES256", { extractable: true });
  const jwk = await exportJWK(publicKey);
  const header = Buffer.from('{"alg":"ES256","kid":"1"}').toString("base64url");
  const refusal = (count: number) => {
    const keys = Array.from({ length: count }, (_, index) => ({ ...jwk, kid: String(index) }));
    const { verify } = createIdTokens({
      clientId: "a client",
      jwksUrl: `${issuer}/jwks`,
      issuerFor: () => issuer,
      send: answering({ keys }),
      clock: { now: () => 0 },
    });
    return failureOf(verify(`${header}.e30.${"A".repeat(86)}`, "a nonce"));
  };
  expect(await refusal(100)).toStartWith("id_token_signature");
  expect(await refusal(101)).toBe("keys_invalid: more than 100");
});
