import { afterAll, expect, test } from "bun:test";
import { approve, begin, deliver, signInWith, startOf } from "../../support/oauth/journey.ts";
import { answerWith } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { createOperator, eventOf, recording } from "./lighthouse.fixture.ts";

/** A provider whose discovery document lacks a member. */
const odd = {
  AUTH_OIDC_ODD_CLIENT_ID: "gatehouse",
  AUTH_OIDC_ODD_CLIENT_SECRET: "a client secret of 32 bytes or more",
};
const issuer = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: ({ url }) => Response.json({ issuer: new URL(url).origin, authorization_endpoint: url, jwks_uri: [url] }),
});
afterAll(() => issuer.stop(true));
const world = await stageWorld({ ...recording, ...odd, AUTH_OIDC_ODD_ISSUER: issuer.url.origin });
const operator = createOperator(world.target.url);

const callback = (provider: string): string => `name=oauth/:provider/callback&text=${provider}`;

test.each(["github", "google"] as const)(
  "what %s is asked is in the timeline, and it is given the trace",
  async (name) => {
    const provider = world[name];
    const seen: string[] = [];
    for (const path of ["/login/oauth/access_token", "/token", "/user"])
      provider.faults.set(path, ({ headers }) => {
        seen.push(String(headers["traceparent"]));
        return false;
      });
    const ada = world.newcomer("ada");
    expect((await signInWith(world.browser(), provider, ada.account)).status).toBe(303);
    provider.faults.clear();

    const inspect = await operator.find(callback(`/oauth/${name}/`));
    expect(inspect).toMatchObject({ status: "303", failed: false, reason: null });
    const call = eventOf(inspect, "http", "POST");
    expect(call.attributes).toMatchObject({ status: 200 });
    expect(String(call.attributes["url"])).toStartWith(provider.url);
    expect(String(call.attributes["url"])).not.toContain("?");
    expect(call.duration_ms).toBeGreaterThan(0);
    expect(seen.length).toBeGreaterThan(0);
    for (const header of seen) expect(header).toMatch(new RegExp(`^00-${inspect.trace_id}-[0-9a-f]{16}-01$`));
    for (const secret of provider.secrets) expect(JSON.stringify(inspect)).not.toContain(secret);
  },
);

test("a sign-in that fails says what lies behind it, where a page is led on as well", async () => {
  const { github } = world;
  const ada = world.newcomer("ada");
  const browser = world.browser();
  const answer = await approve(github, await begin(browser, github), ada.account);
  github.faults.set("/user", answerWith(500, "{}"));
  const headers = { accept: "text/html" };
  const led = await deliver(browser, answer, { headers });
  github.faults.clear();
  expect(led.headers.get("location")).toContain("oauth_exchange_failed");
  const inspect = await operator.find(`${callback("/oauth/github/")}&failed=true`);
  expect(inspect).toMatchObject({
    status: String(led.status),
    failed: true,
    reason: "provider_status",
    labels: { code: "oauth_exchange_failed" },
  });
});

test("a provider that can't be reached is an event that failed", async () => {
  const { github } = world;
  const ada = world.newcomer("ada");
  const browser = world.browser();
  const answer = await approve(github, await begin(browser, github), ada.account);
  github.faults.set("/user", ({ socket }) => {
    socket.destroy();
    return true;
  });
  expect((await deliver(browser, answer)).status).toBe(502);
  github.faults.clear();
  const inspect = await operator.find(`${callback("/oauth/github/")}&status=502`);
  expect(inspect.reason).toBe("provider_unreachable");
  expect(inspect.events.find(({ kind, level }) => kind === "http" && level === "error")).toBeDefined();
});

test("a discovery document that can't be used is named, with the member that is at fault", async () => {
  expect((await world.browser().get(startOf("odd"))).status).toBe(502);
  const inspect = await operator.find("name=oauth/:provider/start&text=/oauth/odd/");
  expect(inspect.reason).toBe("metadata_invalid");
  expect(JSON.stringify(inspect.events)).toContain("metadata_invalid: token_endpoint is missing");
});
