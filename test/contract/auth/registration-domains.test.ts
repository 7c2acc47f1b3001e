import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, mailedToken } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { signInWith } from "../../support/oauth/journey.ts";
import { stageWorld } from "../../support/oauth/world.ts";
import { acceptWith, invitationKit, password } from "../invitations/invitation.fixture.ts";

// The fixtures of tests register people at example.test.
const world = await stageWorld({ AUTH_REGISTRATION_DOMAINS: "Example.test, bücher.test" });
const { people, rows, browser, google } = world;
const kit = await invitationKit(world);

const refused = (answer: Answer): void =>
  expectRefusal(answer, 400, "addresses of this domain are not allowed", "domain_not_allowed");
const register = (email: string) => browser().post(auth("register"), { email, password });

describe("where only some domains may register", () => {
  test("H-60 an address of a domain is let in as it stands there, in any spelling of that one domain", async () => {
    for (const email of ["ada@example.test", "grace@EXAMPLE.test", "mary@bücher.test", "jean@xn--bcher-kva.test"])
      expect({ email, status: (await register(email)).status }).toEqual({ email, status: 200 });
  });

  test("H-60 no other domain is, however much it looks like one", async () => {
    const before = rows.count("users");
    for (const email of [
      "ada@mail.example.test",
      "ada@notexample.test",
      "ada@example.test.evil.test",
      "ada@evil.test",
      "ada%40example.test@evil.test",
      "example.test@evil.test",
      "ada@example-test.test",
      "ada@bucher.test",
    ])
      refused(await register(email));
    // None of these is an address at all, or the domain would have another form.
    for (const email of [
      "ada@evil.test@example.test",
      '"ada@evil.test"@example.test',
      "ada@example.test.",
      "ada@example.test/evil.test",
    ])
      expect({ email, status: (await register(email)).status }).toEqual({ email, status: 400 });
    expect(rows.count("users")).toBe(before);
  });

  test("H-60 a provider's newcomer is refused, and leaves nothing behind; one of an allowed domain is let in", async () => {
    const before = [rows.count("users"), rows.count("auth_identities")];
    const outsider = world.newcomer("outsider");
    refused(await signInWith(browser(), google, outsider.account));
    expect([rows.count("users"), rows.count("auth_identities")]).toEqual(before);
    const insider = world.newcomer("insider", { email: "insider@example.test" });
    expect((await signInWith(browser(), google, insider.account)).status).toBe(303);
  });

  test("H-60 nobody moves to another domain; whoever is elsewhere already goes on, and may change everything else", async () => {
    const ada = await people.register("ada");
    const sent = { email: "ada.new@evil.test", current_password: ada.password };
    refused(await ada.client.post(auth("profile"), sent));
    rows.run("update users set email = 'ada@old.test', email_key = 'ada@old.test' where id = ?", ada.id);
    expect((await ada.client.post(auth("profile"), { display_name: "Ada" })).status).toBe(200);
    expect((await browser().post(auth("login"), { login: ada.username, password: ada.password })).status).toBe(200);
    refused(await ada.client.post(auth("profile"), { email: "ada@elsewhere.test", current_password: ada.password }));
    const allowed = { email: "ada.moved@example.test", current_password: ada.password };
    expect((await ada.client.post(auth("profile"), allowed)).at("user.pending_email")).toBe(allowed.email);
  });

  test("H-60 an address that was asked for before the domains were named is not moved to afterwards", async () => {
    const ada = await people.register("ada");
    const asked = { email: "ada.waits@example.test", current_password: ada.password };
    expect((await ada.client.post(auth("profile"), asked)).status).toBe(200);
    const token = await mailedToken(world.mailbox, asked.email, "Verify your email");
    rows.run(
      "update users set pending_email = 'ada@evil.test', pending_email_key = 'ada@evil.test' where id = ?",
      ada.id,
    );
    rows.run(
      "update auth_grants set email = 'ada@evil.test', email_key = 'ada@evil.test' where email = ?",
      asked.email,
    );
    refused(await browser().post(auth("email-verification/confirm"), { token }));
    expect(rows.get("select email from users where id = ?", ada.id)).toEqual({ email: ada.email });
  });

  test("H-61 an invitation goes to any address, by a password and by a provider, and to that address alone", async () => {
    const token = await kit.invited(kit.address("ada"));
    expect((await kit.accept(token)).status).toBe(200);
    const grace = world.newcomer("grace");
    const invited = kit.address("grace");
    const client = browser();
    expect((await acceptWith(google, grace.account, await kit.invited(invited), client)).status).toBe(303);
    expect((await client.get(auth("me"))).at("user.email")).toBe(invited);
    refused(await client.post(auth("profile"), { email: "grace@evil.test", current_password: "none" }));
    const other = await kit.accept(await kit.invited(kit.address("mary")), { password, email: "mary@evil.test" });
    expect(other.textAt("user.email")).toEndWith("@invited.test");
  });

  test("H-66 a refused address is answered the same whether or not it has an account", async () => {
    const known = kit.address("known");
    expect((await kit.accept(await kit.invited(known))).status).toBe(200);
    const [taken, free] = [await register(known), await register(kit.address("free"))];
    refused(taken);
    refused(free);
  });
});
