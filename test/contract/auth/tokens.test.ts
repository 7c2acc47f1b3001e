import { describe, expect, test } from "bun:test";
import {
  auth,
  browserWith,
  claimsOf,
  forge,
  inParallel,
  isServed,
  jwtSecret,
  mailedToken,
  minute,
  refreshes,
  second,
  secretsOf,
} from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, mailbox, people, rows } = await stage();
const ada = await people.register("ada");
/** A valid access token of ada. */
const good = secretsOf(ada.client).access;

const accepts = (access: string): Promise<boolean> => isServed(browserWith(target.url, { access }));
/** Whether the token is accepted, as a cookie or as a bearer token. */
const acceptsAnyhow = async (token: string): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await accepts(token)) || (await createClient(target.url).get(auth("me"), { headers })).status !== 401;
};
const acceptedOf = async (tokens: readonly string[]): Promise<string[]> => {
  const accepted: string[] = [];
  await inParallel(8, tokens, async (token) => {
    if (await accepts(token)) accepted.push(token);
  });
  return accepted;
};
const now = (): number => Math.floor(Date.now() / 1000);
const header = { alg: "HS256", typ: "JWT" };

describe("access tokens", () => {
  test("carry the claims of the contract and no more", () => {
    const claims = claimsOf(good);
    expect(Object.keys(claims).toSorted()).toEqual(
      ["acr", "amr", "aud", "auth_time", "exp", "iat", "iss", "sid", "sub", "usr"].toSorted(),
    );
    expect(claims).toMatchObject({
      sub: ada.id,
      usr: ada.username,
      aud: "app",
      amr: ["pwd"],
      acr: "aal1",
      auth_time: claims["iat"],
    });
    expect(Number(claims["exp"]) - Number(claims["iat"])).toBe(900);
    expect(JSON.parse(Buffer.from(good.split(".")[0] ?? "", "base64url").toString())).toEqual(header);
  });

  test("a token made with the same key and claims is as good: what follows fails for its own reason", async () => {
    expect(await accepts(forge(claimsOf(good)))).toBe(true);
    expect(await accepts(good)).toBe(true);
  });

  test("T-03 a key that the token names is neither believed nor fetched", async () => {
    let visits = 0;
    const bait = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: () => {
        visits += 1;
        return Response.json({ keys: [{ kty: "oct", k: Buffer.from("attacker").toString("base64url") }] });
      },
    });
    try {
      const url = bait.url.href;
      const headers = [
        { jwk: { kty: "oct", k: Buffer.from("attacker").toString("base64url"), alg: "HS256" } },
        { jku: url },
        { x5u: url },
        { x5c: ["MIIB"] },
        { kid: "../../../../../../dev/null" },
        { kid: url },
        { kid: "' union select 'attacker" },
        { crit: ["exp"] },
        { crit: ["b64"], b64: false },
      ];
      const tokens = headers.flatMap((extra) =>
        ["attacker", "", "\0"].map((key) => forge(claimsOf(good), key, { ...header, ...extra })),
      );
      expect(await acceptedOf(tokens)).toEqual([]);
      expect(visits).toBe(0);
    } finally {
      await bait.stop(true);
    }
  });

  test("T-04 exp, nbf and an iat in the future hold; a token without exp or iat is refused", async () => {
    const claims = claimsOf(good);
    const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
    const refused = [
      { ...claims, exp: now() - 61 },
      { ...claims, exp: 0 },
      { ...claims, exp: -1 },
      { ...claims, exp: "never" },
      { ...claims, exp: null },
      { ...claims, nbf: now() + 120 },
      { ...claims, iat: now() + 120, exp: now() + 900 },
      without("exp"),
      without("iat"),
      without("sub"),
      without("sid"),
    ];
    expect(await acceptedOf(refused.map((each) => forge(each)))).toEqual([]);
    expect(await accepts(forge({ ...claims, nbf: now() - 60 }))).toBe(true);
  });

  test("T-05 a token of another kind never works as an access token, nor one for another", async () => {
    const stranger = createClient(target.url);
    const verification = await mailedToken(mailbox, ada.email, "Verify your email");
    await stranger.post(auth("password-reset/request"), { login: ada.email });
    const reset = await mailedToken(mailbox, ada.email, "Reset your password");
    const { refresh } = secretsOf(ada.client);
    for (const token of [reset, verification, refresh, `${reset}.${reset}.${reset}`])
      expect(await acceptsAnyhow(token)).toBe(false);
    for (const token of [good, reset, verification]) {
      expect(await isServed(browserWith(target.url, { refresh: token }))).toBe(false);
      expect(await refreshes(browserWith(target.url, { refresh: token }))).toBe(false);
    }
    for (const token of [good, refresh, verification]) {
      const answer = await stranger.post(auth("password-reset/confirm"), {
        token,
        new_password: "another walk by the sea",
      });
      expect({ status: answer.status, code: answer.at("code") }).toEqual({ status: 401, code: "invalid_reset_token" });
    }
    for (const token of [good, refresh, reset]) {
      const answer = await stranger.post(auth("email-verification/confirm"), { token });
      expect({ status: answer.status, code: answer.at("code") }).toEqual({
        status: 401,
        code: "invalid_verification_token",
      });
    }
    const proof = await ada.client.post(auth("email-verification/confirm"), { token: verification });
    expect(proof.status).toBe(200);
  });

  test("T-06 a token signed with the same key for another audience or by another issuer is refused", async () => {
    const claims = claimsOf(good);
    const others = [
      { ...claims, aud: "admin" },
      { ...claims, aud: "" },
      { ...claims, aud: [] },
      { ...claims, aud: undefined },
      { ...claims, aud: "APP" },
      { ...claims, iss: "https://evil.example" },
      { ...claims, iss: `${String(claims["iss"])}/` },
      { ...claims, iss: undefined },
      { ...claims, sid: Bun.randomUUIDv7() },
      { ...claims, sid: "" },
      { ...claims, sid: { $ne: "" } },
    ];
    expect(await acceptedOf(others.map((each) => forge(each)))).toEqual([]);
  });

  test("T-08 a token of 10,000 dots or of the largest size that a header may have is refused in no time", async () => {
    const [head = "", payload = "", signature = ""] = good.split(".");
    for (const token of [
      ".".repeat(10_000),
      `${head}.${payload}.${signature}${"A".repeat(10_000)}`,
      `${head}.${"A".repeat(10_000)}.${signature}`,
    ]) {
      const times: number[] = [];
      for (let sample = 0; sample < 20; sample += 1) {
        const started = performance.now();
        expect(await acceptsAnyhow(token)).toBe(false);
        times.push(performance.now() - started);
      }
      expect(Math.min(...times)).toBeLessThan(5);
    }
  });

  test("T-08 a token of 1 MiB never reaches the service, which goes on answering", async () => {
    const headers = { authorization: `Bearer ${"a".repeat(1024 * 1024)}` };
    const status = await createClient(target.url)
      .get(auth("me"), { headers })
      .then(
        (answer) => answer.status,
        () => "cut",
      );
    expect([400, 413, 431, "cut"]).toContain(status);
    expect(await accepts(good)).toBe(true);
  });

  test("T-10 no credential appears in a body, in a URL or in the log", async () => {
    const client = createClient(target.url);
    const login = await client.post(auth("login"), { login: ada.email, password: ada.password });
    const credentials = Object.values(secretsOf(client));
    const answers = [
      login,
      await client.post(auth("refresh")),
      await client.get(auth("me")),
      await client.get(auth("sessions")),
    ];
    credentials.push(...Object.values(secretsOf(client)));
    rows.letPass(5 * minute + second);
    const requested = await client.post(auth("password-reset/request"), { login: ada.email });
    credentials.push(await mailedToken(mailbox, ada.email, "Reset your password"));
    expect(requested.json).toEqual({ ok: true });
    for (const { text, headers } of [...answers, requested]) {
      expect(headers.get("location")).toBeNull();
      for (const secret of [...credentials, ada.password]) expect(text).not.toContain(secret);
      expect(text).not.toMatch(/eyJ[\w-]+\.eyJ/);
    }
    for (const secret of [...credentials, ada.password, jwtSecret]) expect(target.logs()).not.toContain(secret);
  });
});
