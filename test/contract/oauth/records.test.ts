import { describe, expect, test } from "bun:test";
import { untilLogged } from "../../support/log.ts";
import { auth, mailedToken } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { answerWith } from "../../support/oauth/provider.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { eventsOf, readAudit, telling } from "../audit/audit.fixture.ts";

const world = await stageWorld(telling);
const { people } = world;
const audit = readAudit(world.rows);

const link = { link: true };
const idOf = async (browser: Client) => (await browser.get(auth("me"))).textAt("user.id");
const sessionIdOf = (browser: Client): string => (browser.cookie("auth_refresh") ?? "").split(".")[0] ?? "";
const identityId = (userId: string): string =>
  String(world.rows.get("select id from auth_identities where user_id = ?", userId)["id"]);

describe("what the audit log and the events tell", () => {
  test("of a newcomer: the account, its session and its identity, in one commit", async () => {
    const browser = world.browser();
    const answer = await signInWith(browser, world.google, world.newcomer("ada").account);
    const id = await idOf(browser);
    const rows = await audit.about(id, 2);
    expect(rows).toMatchObject([
      { action: "auth.registered", actor: "user", outcome: "success", session_id: sessionIdOf(browser) },
      { action: "auth.identity-linked", actor: "user", outcome: "success" },
    ]);
    expect(new Set(rows.map(({ request_id }) => request_id))).toEqual(new Set([answer.headers.get("x-request-id")]));
    expect((await eventsOf(world.target, rows)).toSorted()).toEqual(["auth.identity-linked", "auth.registered"]);
  });

  test("of a known user: the sign-in, and by which provider", async () => {
    const { account } = world.newcomer("ada");
    await signInWith(world.browser(), world.google, account);
    const browser = world.browser();
    await signInWith(browser, world.google, account);
    const rows = await audit.about(await idOf(browser), 1, "auth.logged-in");
    const how = { actor: "user", outcome: "success", reason: "google" };
    expect(rows).toMatchObject([{ ...how, session_id: sessionIdOf(browser) }]);
    expect(await eventsOf(world.target, rows)).toEqual(["auth.logged-in"]);
  });

  test("G-09 of linking and unlinking: whose, with which session, from where", async () => {
    const grace = await people.register("grace");
    await signInWith(grace.client, world.github, world.newcomer("hopper").account, link);
    const identity = identityId(grace.id);
    expect((await grace.client.post(auth(`identities/${identity}/unlink`))).status).toBe(200);
    const rows = await audit.about(grace.id, 2, "auth.identity-%");
    const alike = { actor: "user", actor_user_id: grace.id, session_id: sessionIdOf(grace.client), outcome: "success" };
    expect(rows).toMatchObject([
      { action: "auth.identity-linked", ...alike },
      { action: "auth.identity-unlinked", ...alike },
    ]);
    expect(await eventsOf(world.target, rows)).toEqual(["auth.identity-linked", "auth.identity-unlinked"]);
  });

  test("of a link that was refused: nothing", async () => {
    const [ada, grace] = [await people.register("lovelace"), await people.register("murray")];
    const { account } = world.newcomer("hopper");
    await signInWith(ada.client, world.github, account, link);
    expect((await signInWith(grace.client, world.github, account, link)).status).toBe(409);
    const identity = identityId(ada.id);
    expect((await grace.client.post(auth(`identities/${identity}/unlink`))).status).toBe(404);
    expect(audit.all("subject_user_id = ?1 and action like 'auth.identity-%'", grace.id)).toEqual([]);
  });

  test("F-08 of what an owner's first proof took away", async () => {
    const victim = world.newcomer("victim");
    const { account } = world.newcomer("thief", { email: victim.email, emailVerified: false });
    const thief = world.browser();
    await signInWith(thief, world.microsoft, account);
    const id = await idOf(thief);
    await world.browser().post(auth("password-reset/request"), { login: victim.email });
    const token = await mailedToken(world.mailbox, victim.email, "Choose your first password");
    await world.browser().post(auth("password-reset/confirm"), { token, new_password: "the owner walks by the sea" });
    const [row] = await audit.about(id, 1, "auth.identity-unlinked");
    expect(row).toMatchObject({ reason: "address_not_proven", outcome: "success" });
  });

  test("F-07 of somebody who came with the address of an account: to its owner's account, why", async () => {
    const grace = await people.register("grace");
    const { account } = world.newcomer("stranger", { email: grace.email });
    expect((await signInWith(world.browser(), world.microsoft, account)).status).toBe(409);
    const rows = await audit.about(grace.id, 1, "auth.login-failed");
    expect(rows).toMatchObject([
      { reason: "identity_link_required", outcome: "failure", actor: "anonymous", count: 1 },
    ]);
    expect(await eventsOf(world.target, rows)).toEqual(["auth.login-failed"]);
  });

  test("F-08 that it can't be written down undoes no reset: the owner has the account, the operator is told", async () => {
    const victim = world.newcomer("victim");
    const { account } = world.newcomer("thief", { email: victim.email, emailVerified: false });
    await signInWith(world.browser(), world.microsoft, account);
    await world.browser().post(auth("password-reset/request"), { login: victim.email });
    const token = await mailedToken(world.mailbox, victim.email, "Choose your first password");
    const full = world.rows.refuseInserts("audit_events", "new.action = 'auth.identity-unlinked'");
    const body = { token, new_password: "the owner walks by the sea" };
    const answer = await world.browser().post(auth("password-reset/confirm"), body);
    full[Symbol.dispose]();
    expect(answer.status).toBe(200);
    await untilLogged(world.target, "what the proof of an address has ended is not in the audit log");
    expect((await signInWith(world.browser(), world.microsoft, account)).status).toBe(409);
  });

  test("of somebody who is not let in: why", async () => {
    const browser = world.browser();
    const { account } = world.newcomer("ada");
    await signInWith(browser, world.google, account);
    const id = await idOf(browser);
    world.rows.run("update users set active = 0 where id = ?", id);
    await signInWith(world.browser(), world.google, account);
    const [row] = await audit.about(id, 1, "auth.login-failed");
    expect(row).toMatchObject({ reason: "inactive", outcome: "failure", actor: "anonymous" });
  });
});

describe("what the metrics tell", () => {
  const count = async (flow: string, provider: string, reason = "none"): Promise<number> => {
    const status = reason === "none" ? "ok" : "failed";
    const { text } = await world.browser().get("/metrics");
    const labels = `flow="${flow}",status="${status}",reason="${reason}",provider="${provider}"`;
    const line = text.split("\n").find((one) => one.startsWith("auth_flows_total{") && one.includes(labels));
    return Number(line?.split(" ").at(-1) ?? Number.NaN);
  };

  test("every flow of every provider in use is there from the start", async () => {
    for (const { name } of world.providers) {
      for (const flow of ["oauth_start", "oauth_sign_in", "oauth_link", "identity_unlink"]) {
        expect(await count(flow, name)).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("X-12 sign-ins count by provider and outcome, and nothing of theirs becomes a label", async () => {
    const before = { start: await count("oauth_start", "apple"), done: await count("oauth_sign_in", "apple") };
    const ada = world.newcomer("ada");
    await signInWith(world.browser(), world.apple, ada.account);
    expect(await count("oauth_start", "apple")).toBe(before.start + 1);
    expect(await count("oauth_sign_in", "apple")).toBe(before.done + 1);

    await signInWith(world.browser(), world.apple, "nobody");
    expect(await count("oauth_sign_in", "apple", "oauth_denied")).toBe(1);
    world.apple.faults.set("/token", answerWith(500, "{}"));
    await signInWith(world.browser(), world.apple, ada.account);
    world.apple.faults.clear();
    expect(await count("oauth_sign_in", "apple", "provider_status")).toBe(1);
    const callback = await approve(world.apple, await begin(world.browser(), world.apple), ada.account);
    await deliver(world.browser(), callback);
    expect(await count("oauth_sign_in", "apple", "invalid_oauth_state")).toBe(1);
    const grace = await people.register("grace");
    await signInWith(grace.client, world.apple, ada.account, link);
    expect(await count("oauth_link", "apple", "identity_already_linked")).toBe(1);
    const unknown = (await count("identity_unlink", "unknown", "identity_not_found")) || 0;
    await grace.client.post(auth("identities/x/unlink"));
    expect(await count("identity_unlink", "unknown", "identity_not_found")).toBe(unknown + 1);

    const { text } = await world.browser().get("/metrics");
    for (const secret of [ada.email, ada.account, `"${ada.subject}"`, ...callback.params.values()]) {
      expect(text).not.toContain(secret);
    }
  });
});
