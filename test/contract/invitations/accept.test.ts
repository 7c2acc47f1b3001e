import { describe, expect, test } from "bun:test";
import { appearance, auth, expectRefusal, hour, isServed, minute, second } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { invitationKit, password } from "./invitation.fixture.ts";

const staged = await stage({ env: { APP_URL: "https://id.example.test" } });
const { rows, people, browser } = staged;
const kit = await invitationKit(staged);
const day = 24 * hour;

const expectUnknown = (answer: Answer): void =>
  expectRefusal(answer, 401, "invalid invitation token", "invalid_invitation_token");
const expectUsed = (answer: Answer): void =>
  expectRefusal(answer, 410, "the invitation was accepted already", "invitation_accepted");
const expectExpired = (answer: Answer): void =>
  expectRefusal(answer, 410, "the invitation has expired", "invitation_expired");
const expectWithdrawn = (answer: Answer): void =>
  expectRefusal(answer, 410, "the invitation was withdrawn", "invitation_withdrawn");
const accounts = (email: string): number => rows.count("users where email = ?", email);

describe("POST /invitation/accept", () => {
  test("I-01 makes the account with a proven address and the roles, and signs in to it", async () => {
    const email = kit.address("Ada");
    const token = await kit.invited(email, { roles: ["editor"], display_name: "Ada Lovelace", locale: "de-AT" });
    const ada = browser();
    const shown = await kit.show(token, ada);
    expect(shown.at("invitation")).toMatchObject({
      email,
      display_name: "Ada Lovelace",
      invited_by: null,
      account: "none",
    });
    const more = { email: "mallory@example.test", roles: ["admin"], verified: true, active: true };
    const answer = await kit.accept(token, { password, ...more }, ada);
    expect(answer.status).toBe(200);
    expect(answer.at("user")).toMatchObject({
      email,
      username: email,
      display_name: "Ada Lovelace",
      roles: ["editor"],
      locale: "de-AT",
      email_verified_at: expect.any(String),
    });
    expect(await isServed(ada)).toBe(true);
    expect((await browser().post(auth("login"), { login: email, password })).status).toBe(200);
  });

  test("I-01 takes the name and the user name that are chosen, before those of the invitation", async () => {
    const token = await kit.invited(kit.address("grace"), { display_name: "G. H." });
    const answer = await kit.accept(token, { password, username: "grace.h", display_name: "Grace Hopper" });
    expect(answer.at("user")).toMatchObject({ username: "grace.h", display_name: "Grace Hopper", roles: [] });
    const another = await kit.invited(kit.address("grace"));
    const taken = await kit.accept(another, { password, username: "Grace.H" });
    expectRefusal(taken, 409, "username already in use", "username_taken");
    expect((await kit.accept(another)).status).toBe(200);
  });

  test("I-01 is for a native client, too, which gets tokens", async () => {
    const token = await kit.invited(kit.address("ada"));
    const answer = await kit.accept(token, { password, delivery: "body" });
    expect(answer.textAt("tokens.access_token")).toBeString();
    expect(answer.setCookies).toEqual([]);
  });

  test("I-03 applies every password rule, and a refused password leaves the link usable", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email);
    for (const weak of ["short", "password123", "monkey12345", email]) {
      const answer = await kit.accept(token, { password: weak });
      expectRefusal(answer, 400, "password is too weak", "weak_password");
      expect(answer.at("fields.password.code")).toBeString();
    }
    const missing = await kit.accept(token, {});
    expect([missing.at("code"), missing.at("fields.password.code")]).toEqual(["invalid_payload", "required"]);
    expect(accounts(email)).toBe(0);
    expect((await kit.accept(token)).status).toBe(200);
  });

  test("I-04 of 20 simultaneous acceptances by two mails one makes the account", async () => {
    const email = kit.address("ada");
    const tokens = [await kit.invited(email), await kit.invited(email)];
    const answers: Answer[] = [];
    const ask = async (index: number): Promise<void> => {
      const answer = await kit.accept(tokens[index % 2] ?? "", { password: `${password}, ${index}` });
      if (answer.status === 503) await ask(index);
      else answers.push(answer);
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => ask(index)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(410)]);
    expect(accounts(email)).toBe(1);
    for (const token of tokens) expectUsed(await kit.accept(token));
    expect((await kit.show(tokens[0] ?? "")).at("code")).toBe("invitation_accepted");
  });

  test("I-05 a token that was never mailed, altered or stored tells nothing, whatever else is sent", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email);
    const [{ token_hash } = { token_hash: "" }] = rows.all<{ token_hash: string }>(
      "select token_hash from auth_invitation_tokens order by created_at desc limit 1",
    );
    const wrong = ["", "x", `${token}x`, token.slice(0, -1), token_hash, "A".repeat(43), "x".repeat(512)];
    for (const each of wrong) {
      expectUnknown(await kit.show(each));
      expectUnknown(await kit.accept(each, { password: "short" }));
      expectUnknown(await kit.accept(each, { password, email }));
    }
    const appearances = await Promise.all(wrong.slice(1).map(async (each) => appearance(await kit.show(each))));
    for (const each of appearances) expect(each).toEqual(appearances[0] ?? each);
  });

  test("I-06 opening the link redeems nothing: GET, HEAD and OPTIONS leave it as it is", async () => {
    const token = await kit.invited(kit.address("ada"));
    for (const method of ["GET", "HEAD", "OPTIONS"]) {
      const path = auth(`invitation/accept?token=${token}&password=${encodeURIComponent(password)}`);
      expect((await browser().request(method, path)).status).toBeGreaterThanOrEqual(400);
      await browser().request(method, `/accept-invitation?token=${token}`);
    }
    await kit.show(token);
    expect((await kit.accept(token)).status).toBe(200);
  });

  test("I-07 works for seven days or as many as were given, and says that it has expired for a month", async () => {
    const week = await kit.invited(kit.address("ada"));
    const short = await kit.invited(kit.address("grace"), { days: 1 });
    rows.letPass(day + second);
    expectExpired(await kit.show(short));
    expectExpired(await kit.accept(short));
    rows.letPass(6 * day - minute);
    expect((await kit.accept(week)).status).toBe(200);
  });

  test("I-08 a withdrawn invitation opens nothing, and inviting again makes another: old links stay dead", async () => {
    const email = kit.address("ada");
    const { textAt } = await kit.invite(email, { roles: ["editor"] });
    const old = await kit.tokenTo(email);
    expect((await kit.withdraw(textAt("invitation.id"))).at("invitation.state")).toBe("withdrawn");
    expectWithdrawn(await kit.show(old));
    expectWithdrawn(await kit.accept(old));
    expectWithdrawn(await kit.withdraw(textAt("invitation.id")));
    const token = await kit.invited(email);
    expectWithdrawn(await kit.accept(old));
    expect((await kit.accept(token)).at("user.roles")).toEqual([]);
  });

  test("I-09 inviting again renews it: the links of both mails work, and the row says with which roles", async () => {
    const email = kit.address("ada");
    const first = await kit.invited(email, { roles: ["editor", "author"], display_name: "Ada" });
    await kit.invited(email);
    expect((await kit.show(first)).at("invitation.display_name")).toBe("Ada");
    await kit.invited(email, { roles: ["reader"] });
    expect((await kit.accept(first)).at("user.roles")).toEqual(["reader"]);
  });

  test("I-09 the link of an older mail works until the time that its mail says", async () => {
    const email = kit.address("ada");
    const first = await kit.invited(email, { days: 1 });
    rows.letPass(day - minute);
    const second = await kit.invited(email, { days: 2 });
    rows.letPass(2 * minute);
    expectExpired(await kit.accept(first));
    expect((await kit.accept(second)).status).toBe(200);
  });
});

describe("an invitation of an address that has an account by now", () => {
  test("I-10 opens that account to nobody by its link alone", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email, { roles: ["editor"] });
    const ada = await people.register("ada", { email });
    const mallory = await people.register("mallory");
    expect((await kit.show(token)).at("invitation.account")).toBe("other");
    for (const client of [browser(), mallory.client.copy()]) {
      const answer = await kit.accept(token, { password }, client);
      expect([answer.status, answer.at("code"), answer.setCookies]).toEqual([409, "invitation_sign_in_required", []]);
    }
    expect((await ada.client.get(auth("me"))).at("user.roles")).toEqual([]);
  });

  test("I-10 gives the roles to whoever is signed in to it, and proves its address", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email, { roles: ["editor"] });
    const ada = await people.register("ada", { email });
    expect((await kit.show(token, ada.client)).at("invitation.account")).toBe("own");
    const answer = await kit.accept(token, {}, ada.client);
    expect(answer.at("user")).toMatchObject({ id: ada.id, roles: ["editor"], email_verified_at: expect.any(String) });
    expect(answer.setCookies).toEqual([]);
    expectUsed(await kit.accept(token, {}, ada.client));
  });

  test("I-10 a disabled account stays closed", async () => {
    const email = kit.address("ada");
    const token = await kit.invited(email);
    const ada = await people.register("ada", { email });
    rows.run("update users set active = 0 where id = ?", ada.id);
    expect((await kit.accept(token, {}, ada.client)).at("code")).toBe("invitation_sign_in_required");
    expect((await kit.invite(email)).at("code")).toBe("email_taken");
  });
});
