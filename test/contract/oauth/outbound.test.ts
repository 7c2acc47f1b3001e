import { afterEach, describe, expect, test } from "bun:test";
import { expectRefusal } from "../../support/auth.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { answerWith, cutOff, drip, neverAnswer, type Fault, type ProviderName } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";

const world = await stageWorld();
afterEach(() => {
  for (const { faults } of world.providers) faults.clear();
});

type Name = ProviderName;
const json = (body: unknown): Fault => answerWith(200, JSON.stringify(body));
const html = answerWith(200, "<!doctype html><title>Please wait</title>", { "content-type": "text/html" });
const tables = ["users", "auth_identities", "auth_sessions"] as const;
const counts = (): number[] => tables.map((table) => world.rows.count(table));

async function refusedFor(name: Name, path: string, fault: Fault): Promise<string> {
  world[name].faults.set(path, fault);
  const before = counts();
  return world.failureOf(world[name], async () => {
    const answer = await signInWith(world.browser(), world[name], world.newcomer("ada").account);
    expectRefusal(answer, 502, "the provider's answer could not be used", "oauth_exchange_failed");
    expect(answer.setCookies).toEqual([]);
    expect(counts()).toEqual(before);
  });
}

const anywhere: readonly (readonly [string, string, Fault])[] = [
  ["500", "provider_status", answerWith(500, '{"error":"server_error"}')],
  ["503 in HTML", "provider_status", answerWith(503, "<html>", { "content-type": "text/html" })],
  ["HTML with 200", "provider_response_invalid", html],
  ["nothing with 200", "provider_response_invalid", answerWith(200, "")],
  ["half of an answer", "provider_unreachable", cutOff],
  ["a redirect", "provider_redirected", answerWith(302, "", { location: "https://evil.example/" })],
  ["a redirect to itself", "provider_redirected", answerWith(307, "", { location: "/token" })],
  ["more than 1 MiB", "provider_response_too_large", answerWith(200, `{"a":"${"x".repeat(1024 * 1024)}"}`)],
];

describe.each([
  ["github", "/login/oauth/access_token"],
  ["google", "/token"],
  ["microsoft", "/token"],
  ["apple", "/token"],
  ["acme-login", "/token"],
] as const)("F-16 the token endpoint of %s", (name, path) => {
  test.each(anywhere)("answering %s is a failed exchange: %s", async (_, reason, fault) => {
    expect(await refusedFor(name, path, fault)).toBe(reason);
  });

  test.each([
    ["an error with 400", "code_rejected", answerWith(400, '{"error":"invalid_grant"}')],
    ["an error with 200", "code_rejected", json({ error: "bad_verification_code", access_token: "x", id_token: "x" })],
    ["an error that is no text", "code_rejected", json({ error: null })],
    ["text", "provider_response_invalid", json("access_token")],
    ["null", "provider_response_invalid", json(null)],
    ["a form", "provider_response_invalid", answerWith(200, "access_token=x&token_type=bearer")],
  ] as const)("answering %s is a failed exchange: %s", async (_, reason, fault) => {
    expect(await refusedFor(name, path, fault)).toBe(reason);
  });

  test("answering without a token, or with one that is no text, is a failed exchange", async () => {
    const reason = name === "github" ? "access_token_missing" : "id_token_missing";
    for (const body of [{}, [], { access_token: null, id_token: null }, { access_token: 7, id_token: {} }]) {
      expect(await refusedFor(name, path, json(body))).toBe(reason);
    }
  });
});

describe.each(["/user", "/user/emails"])("F-16 GitHub's %s", (path) => {
  test.each(anywhere)("answering %s is a failed exchange: %s", async (_, reason, fault) => {
    expect(await refusedFor("github", path, fault)).toBe(reason);
  });

  test("answering what fits no schema is a failed exchange", async () => {
    const wrong = [null, "x", 7, [[]], { id: 7, login: {} }, [{ email: 7 }], { message: "Bad credentials" }];
    for (const body of wrong) {
      const reason = await refusedFor("github", path, json(body));
      expect(["provider_response_invalid", "subject_missing"]).toContain(reason);
    }
    expect(await refusedFor("github", path, answerWith(401, '{"message":"Bad credentials"}'))).toBe("provider_status");
  });
});

test("F-16 a subject that is missing, null or no whole number is nobody (GHSA-5hvv-9cqv-894r)", async () => {
  for (const id of [null, undefined, "", "null", "1001", 0, -1, 1.5, 2 ** 60, [], {}, true]) {
    expect(await refusedFor("github", "/user", json({ id, login: "ada" }))).toBe("subject_missing");
  }
});

test("F-16 a provider that can't be reached is a failed exchange", async () => {
  const cut: Fault = (request) => {
    request.socket.destroy();
    return true;
  };
  expect(await refusedFor("google", "/token", cut)).toBe("provider_unreachable");
});

test("F-16 ten seconds are the limit, the body included, and meanwhile everything else goes on", async () => {
  world.google.faults.set("/token", neverAnswer);
  world.microsoft.faults.set("/token", drip);
  const started = performance.now();
  const slow = [refusedFor("google", "/token", neverAnswer), refusedFor("microsoft", "/token", drip)];
  const other = await world.browser().get("/-/health");
  expect(other.status).toBe(200);
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(await Promise.all(slow)).toEqual(["provider_timeout", "provider_timeout"]);
  expect(performance.now() - started).toBeWithin(9_500, 15_000);
});

test("F-16 what went wrong is not told to the client, nor what was sent to the log", async () => {
  world.google.faults.set(
    "/token",
    answerWith(400, '{"error":"invalid_grant","error_description":"a detail of theirs"}'),
  );
  const answer = await signInWith(world.browser(), world.google, world.newcomer("ada").account);
  expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["code", "error", "ok", "request_id"]);
  expect(world.target.logs()).not.toContain("a detail of theirs");
});

test("a failed exchange can be followed by one that works", async () => {
  const { account } = world.newcomer("ada");
  world.google.faults.set("/token", answerWith(500, "{}"));
  const browser = world.browser();
  expect((await signInWith(browser, world.google, account)).status).toBe(502);
  world.google.faults.clear();
  expect((await signInWith(browser, world.google, account)).status).toBe(303);
});
