import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { giveAuthenticator, verify } from "../../support/factor.ts";
import { approve, deliver, signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { acceptWith, invitationKit, password, startPath } from "./invitation.fixture.ts";

const world = await stageWorld({
  AUTH_REGISTRATION_ENABLED: "false",
  AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true",
});
const { rows, google, apple, browser } = world;
const kit = await invitationKit(world);

const me = async (client: Client): Promise<unknown> => (await client.get(auth("me"))).at("user");

describe("where registration is closed and addresses must be verified", () => {
  test("I-14 an invitation is the way in by a password: nothing has to be verified besides", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email);
    const ada = browser();
    expect((await kit.accept(token, { password }, ada)).status).toBe(200);
    expect(await isServed(ada)).toBe(true);
    const register = await browser().post(auth("register"), { email: kit.address("grace"), password });
    expectRefusal(register, 403, "registration is closed", "registration_closed");
  });

  test("I-14 and by a provider; without one its newcomers are refused as before, invited or not", async () => {
    const grace = world.newcomer("grace");
    const token = await kit.invited(grace.email, { roles: ["editor"] });
    const alone = await signInWith(browser(), google, grace.account);
    expectRefusal(alone, 403, "registration is closed", "registration_closed");
    const client = browser();
    const answer = await acceptWith(google, grace.account, token, client);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/account"]);
    expect(await me(client)).toMatchObject({ email: grace.email, roles: ["editor"], has_password: false });
    expect((await signInWith(browser(), google, grace.account)).status).toBe(303);
    expect((await kit.show(token)).at("code")).toBe("invitation_accepted");
  });
});

describe("accepting with a provider", () => {
  test("I-15 gives the account the invited address, whatever address the provider knows, vouched for or not", async () => {
    for (const [provider, emailVerified] of [
      [google, true],
      [google, false],
      [apple, true],
    ] as const) {
      const ada = world.newcomer("ada", { emailVerified });
      const email = kit.address("work");
      const client = browser();
      const answer = await acceptWith(provider, ada.account, await kit.invited(email), client);
      expect(answer.status).toBe(303);
      expect(await me(client)).toMatchObject({ email, email_verified_at: expect.any(String) });
      expect(rows.count("users where email = ?", ada.email)).toBe(0);
    }
  });

  test("I-15 the identity of another account does not accept, and signs nobody in", async () => {
    const ada = world.newcomer("ada");
    await acceptWith(google, ada.account, await kit.invited(ada.email), browser());
    const token = await kit.invited(kit.address("work"), { roles: ["editor"] });
    const client = browser();
    const answer = await acceptWith(google, ada.account, token, client);
    expectRefusal(answer, 409, "identity already linked to another account", "identity_already_linked");
    expect(client.cookie("auth_access")).toBeUndefined();
    expect((await kit.show(token)).at("invitation.account")).toBe("none");
  });

  test("I-15 where an account has the address, its own identity gives it the roles, and an unknown one nothing", async () => {
    const ada = world.newcomer("ada");
    const client = browser();
    await acceptWith(google, ada.account, await kit.invited(ada.email), client);
    // The invitation came before the address moved there, which the operator can't know.
    const token = await kit.invited(kit.address("new"), { roles: ["editor"] });
    rows.run(
      "update auth_invitations set email = ?, email_key = ? where accepted_at is null and roles = 'editor' and email like 'new.%'",
      ada.email,
      ada.email,
    );
    const stranger = world.newcomer("mallory");
    const refused = await acceptWith(google, stranger.account, token, browser());
    expect(refused.at("code")).toBe("invitation_sign_in_required");
    expect((await acceptWith(google, ada.account, token, browser())).status).toBe(303);
    expect(await me(client)).toMatchObject({ roles: ["editor"] });
  });

  test("M-77 withdrawn between the two steps of a sign-in, it opens no session; else the second step gives the roles", async () => {
    const ada = world.newcomer("ada");
    const client = browser();
    await acceptWith(google, ada.account, await kit.invited(ada.email), client);
    const { id } = Object(await me(client));
    const app = giveAuthenticator(rows, { id });
    const invite = async (): Promise<string> => {
      const token = await kit.invited(kit.address("later"), { roles: ["editor"] });
      rows.run(
        "update auth_invitations set email = ?, email_key = ? where accepted_at is null and withdrawn_at is null and email like 'later.%'",
        ada.email,
        ada.email,
      );
      return token;
    };
    const halfway = async (token: string) => {
      const own = browser();
      const answer = await acceptWith(google, ada.account, token, own, { accept: "text/html" });
      const location = new URL(answer.headers.get("location") ?? "", "http://localhost");
      return { browser: own, challenge: location.searchParams.get("challenge") ?? "" };
    };
    const sessions = (): number => rows.count("auth_sessions where user_id = ?", id);
    const before = sessions();
    const late = await halfway(await invite());
    await kit.run("user:uninvite", ada.email);
    expect((await verify(late, app.code())).at("code")).toBe("invitation_withdrawn");
    expect([sessions(), late.browser.cookie("auth_access")]).toEqual([before, undefined]);
    expect(await me(client)).toMatchObject({ roles: [] });
    const inTime = await halfway(await invite());
    expect((await verify(inTime, app.code())).at("user")).toMatchObject({ roles: ["editor"] });
    expect(sessions()).toBe(before + 1);
  });

  test("I-15 belongs to the browser that began it, works once, and a refusal leads back to the page of the invitation", async () => {
    const ada = world.newcomer("ada");
    const token = await kit.invited(ada.email);
    const [own, other] = [browser(), browser()];
    const started = await own.post(startPath(google), { token });
    const response = await approve(google, new URL(started.textAt("location")), ada.account);
    expect((await deliver(other, response)).at("code")).toBe("invalid_oauth_state");
    expect((await deliver(own, response)).status).toBe(303);
    const late = browser();
    const page = { accept: "text/html" };
    const grace = world.newcomer("grace");
    const next = await kit.invited(grace.email);
    const begun = await late.post(startPath(google), { token: next });
    const approved = await approve(google, new URL(begun.textAt("location")), grace.account);
    await kit.accept(next);
    const answer = await deliver(late, approved, { headers: page });
    expect(answer.headers.get("location")).toEndWith("/accept-invitation?oauth_error=invitation_accepted");
    expect(late.cookie("auth_access")).toBeUndefined();
  });

  test("I-05 begins with no token that was never mailed, nor with one that is over", async () => {
    const states = rows.count("oauth_states");
    const unknown = await browser().post(startPath(google), { token: "A".repeat(43) });
    expectRefusal(unknown, 401, "invalid invitation token", "invalid_invitation_token");
    const email = kit.address("ada");
    const token = await kit.invited(email);
    await kit.run("user:uninvite", email);
    expect((await browser().post(startPath(google), { token })).at("code")).toBe("invitation_withdrawn");
    expect((await browser().post(auth("oauth/nobody/invitation/start"), { token })).status).toBe(404);
    expect(rows.count("oauth_states")).toBe(states);
  });
});
