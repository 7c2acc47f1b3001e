import { beforeAll, expect, test } from "bun:test";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { form, idpEnvironment, idpKit, type Registered } from "./idp.fixture.ts";
import { press } from "./pages.fixture.ts";

const { target, people, rows } = await stage({
  env: { ...idpEnvironment, AUTH_IP_RATE_LIMIT_ATTEMPTS: "30", METRICS_ENABLED: "true" },
});
const kit = idpKit(target);
const audit = readAudit(rows);
let shop: Registered;
beforeAll(async () => {
  shop = await kit.register("Shop");
});

/** Waits for the rows of a reason, which are written behind the answers, and returns them. */
async function refused(reason: string) {
  const found = () => audit.all("action = 'client.refused' and reason = ?1", reason);
  await eventually(`a row for ${reason}`, () => found().length > 0);
  return found();
}

test("O-94 a wrong secret leaves a row with the program and the address, and a flood of them leaves few", async () => {
  const wrong = { ...shop, client_secret: "ghc_wrong" };
  await Promise.all(Array.from({ length: 20 }, () => kit.refresh(wrong, "nothing")));
  expect(await refused("wrong_secret")).toMatchObject([
    { service: "Shop", actor: "anonymous", outcome: "failure", address: "127.0.0.1" },
  ]);
  await kit.refresh({ client_id: crypto.randomUUID(), client_secret: "ghc_wrong" }, "nothing");
  expect(await refused("unknown_client")).toMatchObject([{ service: null }]);
});

test("O-94 a code that comes twice, and a person who may not or does not want to, are named in the log", async () => {
  const ada = await people.register("ada");
  const code = kit.told(await kit.authorize(ada.client, shop)).get("code");
  await kit.swap(shop, code);
  await kit.swap(shop, code);
  expect(await refused("code_reused")).toMatchObject([{ service: "Shop" }]);
  const desk = await kit.register("Desk", "--role", "staff");
  expect((await kit.authorize(ada.client, desk)).status).toBe(403);
  expect(await refused("role_missing")).toMatchObject([{ service: "Desk", subject_user_id: ada.id }]);
  const partner = await kit.register("Partner", "--third-party");
  await press(ada.client, await kit.authorize(ada.client, partner), "Cancel");
  expect(await refused("consent_denied")).toMatchObject([{ service: "Partner", subject_user_id: ada.id }]);
  expect(audit.all("action = 'auth.client-authorized'")).toMatchObject([{ service: "Shop", subject_user_id: ada.id }]);
});

test("O-94 a sign-out that nobody can answer for is refused on a page, and named", async () => {
  const answer = await createClient(target.url).get(
    `/oauth2/logout?${form({ client_id: shop.client_id, post_logout_redirect_uri: "https://elsewhere.example.test/" })}`,
  );
  expect(answer.status).toBe(400);
  expect(await refused("unknown_redirect_uri")).toMatchObject([{ service: "Shop" }]);
});

test("O-94 a device that waits, and a request that wants no page, are no refusals", async () => {
  const tv = await kit.register("TV", "--type", "native", "--redirect-uri", "com.example.tv:/cb");
  const started = await kit.call("/oauth2/device_authorization", { client_id: tv.client_id, scope: "openid" });
  const poll = {
    grant_type: "urn:ietf:params:oauth:grant-type:device_code",
    device_code: started.textAt("device_code"),
    client_id: tv.client_id,
  };
  expect((await kit.call("/oauth2/token", poll)).at("error")).toBe("authorization_pending");
  expect((await kit.call("/oauth2/token", poll)).at("error")).toBe("slow_down");
  const silent = await kit.authorize(createClient(target.url), shop, { prompt: "none" });
  expect(kit.told(silent).get("error")).toBe("login_required");
  await kit.refresh({ ...shop, client_secret: "" }, "nothing");
  await refused("other_method");
  expect(audit.all("action = 'client.refused' and reason in ('authorization_pending', 'login_required')")).toEqual([]);
  const { text } = await createClient(target.url).get("/metrics");
  expect(text).toMatch(/^provider_acts_total\{.*act="wait",what="authorization_pending".*\} 1$/m);
  expect(text).toMatch(/^provider_acts_total\{.*act="wait",what="slow_down".*\} 1$/m);
  expect(text).not.toMatch(/act="refusal",what="(authorization_pending|slow_down)"/);
});

test("O-94 who begins too many sign-ins gets a page that says how long to wait", async () => {
  const visitor = createClient(target.url);
  const long = kit.requestOf(shop, {
    ui_locales: "en",
    claims: JSON.stringify({ userinfo: { a: "x".repeat(1_600) } }),
  });
  const post = () =>
    visitor.request("POST", "/oauth2/authorize", undefined, {
      body: form(long),
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  let answer = await post();
  for (let tries = 0; tries < 40 && answer.status !== 429; tries += 1) answer = await post();
  expect(answer.status).toBe(429);
  expect(answer.headers.get("content-type")).toStartWith("text/html");
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answer.text).toContain("Too many sign-ins at once");
});
