import { describe, expect, test } from "bun:test";
import { auth, expectRefusal } from "../../support/auth.ts";
import { createClient, type Answer, type Client } from "../../support/client.ts";
import { approve, begin, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { startTarget } from "../../support/target.ts";
import { acceptWith, invitationKit } from "../invitations/invitation.fixture.ts";

const world = await stageWorld({
  APP_TERMS_URL: "https://example.test/terms",
  APP_TERMS_VERSION: "2026-11",
  AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true",
});
const { rows, browser, google, apple, github, target } = world;
const kit = await invitationKit(world);

const accepted = "2026-11";
/** Where a callback has led a newcomer. */
function ledTo(answer: Answer) {
  const url = new URL(answer.headers.get("location") ?? "", "https://gatehouse.example.test");
  const at = (name: string): string => url.searchParams.get(name) ?? "";
  expect([answer.status, url.pathname]).toEqual([303, "/register"]);
  return { state: at("newcomer"), provider: at("provider"), next: at("next") };
}
const goOn = (client: Client, provider: string, state: string, accepted_terms?: string): Promise<Answer> =>
  client.post(auth(`oauth/${provider}/register`), { state, accepted_terms });
const everything = () =>
  ["users", "auth_identities", "auth_sessions", "auth_grants", "jobs"].map((table) => rows.count(table));
const refusedState = (answer: Answer): void => expectRefusal(answer, 401, "invalid oauth state", "invalid_oauth_state");

describe("somebody who comes by a provider for the first time", () => {
  test.each([google, apple, github])(
    "H-64 has no account before they accept the terms, and then one: $name",
    async (provider) => {
      const ada = world.newcomer("ada");
      const client = browser();
      const before = everything();
      const answer = await signInWith(client, provider, ada.account, { next: "/reports?a=b" });
      const { state, ...led } = ledTo(answer);
      expect(led).toEqual({ provider: provider.name, next: "/reports?a=b" });
      expect(everything()).toEqual(before);
      expect(client.cookie("auth_access")).toBeUndefined();
      expect((await client.get(auth("me"))).status).toBe(401);

      const made = await goOn(client, provider.name, state, accepted);
      expect([made.status, made.at("user.email")]).toEqual([200, ada.email]);
      const me = await client.get(auth("me"));
      expect(me.json).toMatchObject({ terms_due: null, user: { id: made.at("user.id"), has_password: false } });
      const id = made.textAt("user.id");
      expect(rows.get("select terms_version from users where id = ?", id)).toEqual({ terms_version: accepted });
      expect(rows.count("auth_identities where user_id = ?", id)).toBe(1);
      expect(rows.count("audit_events where action = 'auth.terms-accepted' and subject_user_id = ?", id)).toBe(1);

      // From now on the person is known, and nothing is asked any more.
      const again = await signInWith(client, provider, ada.account, { next: "/reports" });
      expect([again.status, again.headers.get("location")]).toEqual([303, "/reports"]);
    },
  );

  test("H-62 other terms make no account, and leave the question open", async () => {
    const client = browser();
    const { state } = ledTo(await signInWith(client, google, world.newcomer("ada").account));
    const before = everything();
    for (const version of [undefined, "", "2026-10"])
      expectRefusal(
        await goOn(client, "google", state, version),
        400,
        "the terms have to be accepted",
        "terms_required",
      );
    expect(everything()).toEqual(before);
    expect((await goOn(client, "google", state, accepted)).status).toBe(200);
  });

  test("H-64 the question belongs to its browser and provider, works once, and not for a callback", async () => {
    const ada = world.newcomer("ada");
    const client = browser();
    const { state } = ledTo(await signInWith(client, google, ada.account));
    const stranger = browser();
    await begin(stranger, google);
    for (const [who, provider] of [
      [stranger, "google"],
      [browser(), "google"],
      [client, "microsoft"],
      [client, "apple"],
    ] as const)
      refusedState(await goOn(who, provider, state, accepted));
    expect((await goOn(client, "nobody", state, accepted)).status).toBe(404);
    for (const other of ["", "A".repeat(43), `${state}x`])
      expect((await goOn(client, "google", other, accepted)).status).toBeWithin(400, 402);

    const authorization = await begin(client, google);
    const callback = await approve(google, authorization, ada.account);
    callback.params.set("state", state);
    refusedState(await deliver(client, callback));
    // A state that waits for the provider is no answer of a newcomer either.
    refusedState(await goOn(client, "google", authorization.searchParams.get("state") ?? "", accepted));

    const answers = await Promise.all(Array.from({ length: 8 }, () => goOn(client.copy(), "google", state, accepted)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) refusedState(answer);
    expect(rows.count("users where email = ?", ada.email)).toBe(1);
    refusedState(await goOn(client, "google", state, accepted));
  });

  test("H-64 the question ends with its time, and what the provider said is deleted", async () => {
    const ada = world.newcomer("ada");
    const client = browser();
    const { state } = ledTo(await signInWith(client, google, ada.account));
    const kept = (): number => rows.count("oauth_states where profile like ?", `%${ada.email}%`);
    expect(kept()).toBe(1);
    rows.run("update oauth_states set expires_at = 1 where profile like ?", `%${ada.email}%`);
    refusedState(await goOn(client, "google", state, accepted));
    expect(rows.count("users where email = ?", ada.email)).toBe(0);
    expect((await kit.run("auth:cleanup", "--force")).code).toBe(0);
    expect(kept()).toBe(0);
  });

  test("H-64 two questions about one person make one account, whichever is answered first", async () => {
    const ada = world.newcomer("ada");
    const [one, other] = [browser(), browser()];
    const first = ledTo(await signInWith(one, google, ada.account));
    const second = ledTo(await signInWith(other, google, ada.account));
    const answers = await Promise.all([
      goOn(one, "google", first.state, accepted),
      goOn(other, "google", second.state, accepted),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.at("user.id")).toBe(answers[1]?.at("user.id"));
  });

  test("H-66 an address that has an account, and one that the provider does not vouch for, are answered as without terms", async () => {
    const ada = world.newcomer("ada");
    const client = browser();
    await goOn(client, "google", ledTo(await signInWith(client, google, ada.account)).state, accepted);
    const other = world.newcomer("other", { email: ada.email });
    expect((await signInWith(browser(), google, other.account)).at("code")).toBe("identity_link_required");

    const grace = world.newcomer("grace", { emailVerified: false });
    const unproven = browser();
    const asked = ledTo(await signInWith(unproven, google, grace.account));
    const answer = await goOn(unproven, "google", asked.state, accepted);
    expectRefusal(answer, 403, "email not verified", "email_not_verified");
    expect(rows.get("select terms_version from users where email = ?", grace.email)).toEqual({
      terms_version: accepted,
    });
  });

  test("H-62 an invitation that is accepted with a provider asks for the terms, too, and is used up only then", async () => {
    const ada = world.newcomer("ada");
    const email = kit.address("work");
    const token = await kit.invited(email, { roles: ["editor"] });
    const client = browser();
    const { state, next } = ledTo(await acceptWith(google, ada.account, token, client));
    expect(next).toBe("/account");
    expect((await kit.show(token)).at("invitation.account")).toBe("none");
    expect((await goOn(client, "google", state, accepted)).at("user")).toMatchObject({ email, roles: ["editor"] });
    expect((await kit.show(token)).at("code")).toBe("invitation_accepted");
  });

  test("H-64 another process answers the question as well", async () => {
    const other = await startTarget({ env: target.env, migrate: false });
    const ada = world.newcomer("ada");
    const client = browser();
    const { state } = ledTo(await signInWith(client, google, ada.account));
    const there = createClient(other.url);
    for (const name of ["__Host-auth_oauth", "auth_oauth"]) {
      const value = client.cookie(name);
      if (value !== undefined) there.setCookie(name, value);
    }
    expect((await goOn(there, "google", state, accepted)).status).toBe(200);
    refusedState(await goOn(client, "google", state, accepted));
    await other.stop();
  });
});
