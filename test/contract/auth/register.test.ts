import { describe, expect, test } from "bun:test";
import { auth, cookieNames, expectRefusal, isServed, nextMail } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage();

const password = "a long walk by the sea";
const register = (fields: Record<string, unknown>) =>
  createClient(target.url).post(auth("register"), { password, ...fields });

describe("POST /register", () => {
  test("signs the new user in; the name is the address, the display name the name", async () => {
    const client = createClient(target.url);
    const answer = await client.post(auth("register"), { email: "Ada.Lovelace@Example.test", password });
    expect(answer.status).toBe(200);
    expect(answer.at("user")).toMatchObject({
      email: "Ada.Lovelace@Example.test",
      username: "Ada.Lovelace@Example.test",
      display_name: "Ada.Lovelace@Example.test",
      email_verified_at: null,
      active: true,
      has_password: true,
    });
    expect(answer.textAt("user.id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(cookieNames(answer)).toEqual(["auth_access", "auth_device", "auth_refresh"]);
    expect((await client.get("/api/v1/hello")).text).toBe("Hello, Ada.Lovelace@Example.test!");
  });

  test("takes a name, a display name and the wish to be remembered; trims and composes text", async () => {
    const answer = await register({
      email: "  grace@example.test ",
      username: " grace ",
      display_name: "  Gra\u0301ce Hopper ",
      remember: true,
    });
    expect(answer.at("user")).toMatchObject({
      email: "grace@example.test",
      username: "grace",
      display_name: "Gr\u00e1ce Hopper",
    });
    const refresh = answer.setCookies.find(({ name }) => name === "auth_refresh");
    expect(Number(refresh?.attributes.get("max-age"))).toBeGreaterThan(719 * 3600);
  });

  test("mails a link that verifies the address", async () => {
    await register({ email: "alan@example.test" });
    const mail = await nextMail(mailbox, "alan@example.test", "Verify your email");
    expect(mail.text).toMatch(/\/verify-email\?token=[\w-]{43}\b/);
    expect(mail.html).toContain("/verify-email?token=");
  });

  test("refuses an address in use, however it is written", async () => {
    const ada = await people.register("ada");
    for (const email of [ada.email, ada.email.toUpperCase(), ` ${ada.email} `]) {
      expectRefusal(await register({ email, username: "someone.else" }), 409, "email already in use", "email_taken");
    }
    await register({ email: "ada@b\u00fccher.example" });
    const punycode = await register({ email: "ada@xn--bcher-kva.example", username: "ada.books" });
    expectRefusal(punycode, 409, "email already in use", "email_taken");
  });

  test("refuses a name in use, however it is written", async () => {
    const ada = await people.register("ada");
    const fullwidth = ada.username.replace("ada", "\uff41\uff44\uff41");
    for (const username of [ada.username, ada.username.toUpperCase(), fullwidth]) {
      const answer = await register({ email: "somebody@example.test", username });
      expectRefusal(answer, 409, "username already in use", "username_taken");
    }
  });

  test("nobody can take another's address as a name", async () => {
    const ada = await people.register("ada");
    const answer = await register({ email: "mallory@example.test", username: ada.email });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.at("fields.username.code")).toBe("foreign_address");
  });

  test("leaves the cookies alone when it fails", async () => {
    const ada = await people.register("ada");
    const answer = await ada.client.post(auth("register"), { email: ada.email, password });
    expect(answer.status).toBe(409);
    expect(answer.setCookies).toEqual([]);
    expect(await isServed(ada.client)).toBe(true);
  });

  test.each([
    "plain",
    "@example.test",
    "ada@",
    "ada@example",
    "ada@@example.test",
    "ada@example.test@example.org",
    "ada\uff20example.test",
    "ada lovelace@example.test",
    "ada@exa mple.test",
    "ada.@example.test",
    ".ada@example.test",
    "a..da@example.test",
    "ada@-example.test",
    "ada@example..test",
    "ada@[127.0.0.1]",
    "ada@127.0.0.1",
    "ada<script>@example.test",
    "ada,grace@example.test",
    "ada\r\nBcc: grace@example.test",
    "ada\u0000@example.test",
    `${"a".repeat(65)}@example.test`,
    `ada@${"a.".repeat(127)}test`,
  ])("refuses the address %j", async (email) => {
    const answer = await register({ email });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.textAt("fields.email.code")).toMatch(/^invalid_(email|characters)$/);
    expect(answer.setCookies).toEqual([]);
  });

  test.each(["<b>ada</b>", "ada\nlovelace", "a".repeat(65), "ada@", "\u202eada", "-ada", "ada/../grace", "\u200b"])(
    "refuses the name %j",
    async (username) => {
      const answer = await register({ email: "names@example.test", username });
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
      expect(answer.textAt("fields.username.code")).toMatch(/^invalid_(username|characters)$/);
    },
  );

  test.each([
    ["no address", { email: undefined }],
    ["no password", { email: "ada@example.org", password: undefined }],
    ["a number as address", { email: 5 }],
    ["a list as name", { email: "ada@example.org", username: ["ada"] }],
    ["a word as remember", { email: "ada@example.org", remember: "yes" }],
  ])("refuses %s", async (_, fields) => {
    const answer = await register(fields);
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(Object.keys(Object(answer.at("fields")))).toHaveLength(1);
  });

  test("of 10 simultaneous registrations of one address exactly one succeeds", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => register({ email: "race@example.test" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(rows.count("users where email_key = 'race@example.test'")).toBe(1);
    expect(rows.count("auth_sessions s join users u on u.id = s.user_id where u.email_key = 'race@example.test'")).toBe(
      1,
    );
  });

  test("a user who registers with hostile text gets it back as text", async () => {
    const hostile = "Robert'); DROP TABLE users;-- <script>alert(1)</script> ${7*7} {{7*7}} %00 ../../";
    const answer = await register({ email: "robert@example.test", display_name: hostile });
    expect(answer.at("user.display_name")).toBe(hostile);
    const mail = await nextMail(mailbox, "robert@example.test", "Verify your email");
    expect(mail.html).not.toContain("<script>");
    expect(rows.count("users where email_key = 'robert@example.test'")).toBe(1);
  });
});

describe("the language of a new account", () => {
  const asking = async (language: string, fields: Record<string, unknown> = {}) => {
    const email = `ada.${crypto.randomUUID().slice(0, 8)}@example.test`;
    const headers = { "accept-language": language };
    const answer = await createClient(target.url).post(auth("register"), { email, password, ...fields }, { headers });
    return { email, answer };
  };

  test("is what its browser asks for most, from the first mail on", async () => {
    const { email, answer } = await asking("fr;q=0.5, de-at, en;q=0.8");
    expect(answer.at("user.locale")).toBe("de-AT");
    await nextMail(mailbox, email, "Bestätigen Sie Ihre E-Mail-Adresse für Gatehouse");
  });

  test("is what the body says, where it says something", async () => {
    const { answer } = await asking("de", { locale: "en-gb", timezone: "Europe/Vienna" });
    expect(answer.at("user")).toMatchObject({ locale: "en-GB", timezone: "Europe/Vienna" });
    const wrong = await asking("de", { locale: "no language", timezone: "Nowhere/Land" });
    expect([wrong.answer.status, wrong.answer.at("fields.locale.code")]).toEqual([400, "invalid_locale"]);
  });

  test.each(["", "*", "*;q=0.5", "de_AT!", "x".repeat(10_000), "de;q=0", ",;,"])(
    "is not known from the header %j",
    async (language) => {
      expect((await asking(language)).answer.at("user.locale")).toBeNull();
    },
  );
});
