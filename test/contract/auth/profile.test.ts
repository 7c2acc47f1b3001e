import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { auth, expectRefusal, hour, isServed, mailedToken, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";

const { target, rows, mailbox, people } = await stage({ env: { API_DOCS_ENABLED: "true" } });

const ObjectSchema = Type.Object({ properties: Type.Record(Type.String(), Type.Unknown()) });

const edit = ({ client }: Person, fields: unknown) => client.post(auth("profile"), fields);
const move = (person: Person, email: string, current_password: string | undefined = person.password) =>
  edit(person, { email, current_password });

/** Opens the link that was mailed to the new address. */
const arrive = async (email: string, client = createClient(target.url)) =>
  client.post(auth("email-verification/confirm"), {
    token: await mailedToken(mailbox, email, "Verify your email"),
  });

describe("POST /profile", () => {
  test("changes what is given and keeps the rest", async () => {
    const ada = await people.register("ada");
    const fields = {
      display_name: "Ada Lovelace",
      avatar_url: "https://img.example.test/ada.png",
      timezone: "Europe/London",
      locale: "en-GB",
    };
    const answer = await edit(ada, fields);
    expect(answer.status).toBe(200);
    expect(answer.at("user")).toMatchObject({ ...fields, id: ada.id, username: ada.username, email: ada.email });
    expect(answer.setCookies).toEqual([]);
    expect((await edit(ada, { locale: "de" })).at("user")).toMatchObject({ ...fields, locale: "de" });
    expect((await ada.client.get(auth("me"))).at("user")).toMatchObject({ ...fields, locale: "de" });
  });

  test("keeps every field that its document names", async () => {
    const ada = await people.register("ada");
    const sent = {
      display_name: "Ada Lovelace",
      username: "lovelace",
      email: `lovelace@${ada.email.split("@")[1]}`,
      avatar_url: "https://img.example.test/lovelace.png",
      timezone: "Europe/London",
      locale: "en-GB",
      user_metadata: { theme: "dark" },
    };
    const documented = (await createClient(target.url).get("/openapi/json")).at("components.schemas.UpdateProfileBody");
    const named = Object.keys(Value.Parse(ObjectSchema, documented).properties);
    expect(named.toSorted()).toEqual([...Object.keys(sent), "accepted_terms", "current_password"].toSorted());
    expect((await edit(ada, { ...sent, current_password: ada.password })).status).toBe(200);
    const { email, ...others } = sent;
    expect((await ada.client.get(auth("me"))).at("user")).toMatchObject({ ...others, pending_email: email });
  });

  test("takes an empty body, and ignores what a user may not change", async () => {
    const ada = await people.register("ada");
    const before = await ada.client.get(auth("me"));
    expect((await edit(ada, undefined)).status).toBe(200);
    const forbidden = {
      id: Bun.randomUUIDv7(),
      active: false,
      email_verified_at: "2020-01-01T00:00:00Z",
      password_hash: "x",
      has_password: false,
      created_at: 0,
      role: "admin",
    };
    expect((await edit(ada, forbidden)).status).toBe(200);
    expect((await ada.client.get(auth("me"))).json).toEqual(before.json);
  });

  test("empties what may be empty", async () => {
    const ada = await people.register("ada");
    await edit(ada, { avatar_url: "https://img.example.test/ada.png", timezone: "UTC", locale: "en" });
    const answer = await edit(ada, { avatar_url: null, timezone: "", locale: "  " });
    expect(answer.at("user")).toMatchObject({ avatar_url: null, timezone: null, locale: null });
  });

  test.each([
    ["avatar_url", "javascript:alert(1)", "invalid_url"],
    ["avatar_url", "data:text/html,x", "invalid_url"],
    ["avatar_url", "//evil.example/x.png", "invalid_url"],
    ["avatar_url", "https://user:secret@evil.example/x.png", "invalid_url"],
    ["avatar_url", `https://img.example.test/${"x".repeat(2048)}`, "too_long"],
    ["timezone", "Mars/Olympus_Mons", "invalid_timezone"],
    ["timezone", "../../etc/passwd", "invalid_timezone"],
    ["locale", "not a locale", "invalid_locale"],
    ["locale", "e", "invalid_locale"],
    ["email", "not an address", "invalid_email"],
    ["username", "<b>", "invalid_username"],
    ["username", "someone@else.test", "foreign_address"],
    ["display_name", "", "required"],
    ["display_name", "  ", "required"],
    ["display_name", "x".repeat(201), "too_long"],
    ["display_name", "a\r\nb", "invalid_characters"],
    ["display_name", 5, "invalid_type"],
    ["avatar_url", { href: "https://img.example.test" }, "invalid_type"],
  ])("refuses %s = %j as %s", async (field, value, code) => {
    const ada = await people.register("ada");
    const answer = await edit(ada, { [field]: value, current_password: ada.password });
    expectRefusal(answer, 400, "invalid payload", "invalid_payload");
    expect(answer.at(`fields.${field}.code`)).toBe(code);
    expect((await ada.client.get(auth("me"))).at("user")).toMatchObject({
      username: ada.username,
      email: ada.email,
      display_name: ada.username,
    });
  });

  test("changes the user name, which then logs in; the old one is kept for a while (A-74)", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    expect((await edit(ada, { username: "countess" })).at("user.username")).toBe("countess");
    const login = (name: string) =>
      createClient(target.url).post(auth("login"), { login: name, password: ada.password });
    expect((await login("COUNTESS")).at("user.id")).toBe(ada.id);
    expectRefusal(await login(ada.username), 401, "invalid credentials", "invalid_credentials");
    expectRefusal(await edit(grace, { username: ada.username }), 409, "username already in use", "username_taken");
    rows.letPass(31 * 24 * hour);
    const later = await grace.login();
    expect((await edit({ ...grace, client: later }, { username: ada.username })).at("user.username")).toBe(
      ada.username,
    );
  });

  test("refuses a name or an address in use, however it is written", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    expectRefusal(
      await edit(ada, { username: grace.username.toUpperCase() }),
      409,
      "username already in use",
      "username_taken",
    );
    expectRefusal(await move(ada, grace.email.toUpperCase()), 409, "email already in use", "email_taken");
    expect((await edit(ada, { username: ada.username.toUpperCase() })).at("user.username")).toBe(
      ada.username.toUpperCase(),
    );
  });

  test("a new address takes the current password", async () => {
    const ada = await people.register("ada");
    const moved = `new.${ada.email}`;
    expectRefusal(await edit(ada, { email: moved }), 403, "reauthentication required", "reauthentication_required");
    expectRefusal(
      await move(ada, moved, "not the password"),
      403,
      "reauthentication required",
      "reauthentication_required",
    );
    expect((await ada.client.get(auth("me"))).at("user.email")).toBe(ada.email);
    const answer = await move(ada, moved);
    expect(answer.at("user")).toMatchObject({ email: ada.email, pending_email: moved, username: ada.username });
    await arrive(moved, ada.client);
    expect((await edit(ada, { email: moved.toUpperCase() })).at("user.email")).toBe(moved.toUpperCase());
  });

  test("an account without a password can't move its address with any", async () => {
    const ada = await people.register("ada");
    rows.run("update users set password_hash = null where id = ?", ada.id);
    for (const password of ["", "decoy", ada.password]) {
      const answer = await move(ada, `new.${ada.email}`, password);
      expectRefusal(answer, 403, "reauthentication required", "reauthentication_required");
    }
    expect((await ada.client.get(auth("me"))).at("user.email")).toBe(ada.email);
  });

  test("L-10 wrong passwords there count towards the lockout", async () => {
    const ada = await people.register("ada");
    for (let failure = 1; failure <= 4; failure += 1) await move(ada, `new.${ada.email}`, "not the password");
    expectRefusal(await move(ada, `new.${ada.email}`, "not the password"), 423, "account locked", "account_locked");
    expectRefusal(await move(ada, `new.${ada.email}`), 423, "account locked", "account_locked");
    expect((await edit(ada, { locale: "de" })).status).toBe(200);
    expect(await isServed(ada.client)).toBe(true);
  });

  test("G-09 a new address is announced to the old one, without naming the new", async () => {
    const ada = await people.register("ada");
    rows.prove(ada);
    await move(ada, `secret.${ada.email}`);
    await arrive(`secret.${ada.email}`);
    const notice = await nextMail(mailbox, ada.email, "Your email address was changed");
    expect(notice.recipients).toEqual([ada.email]);
    expect(notice.raw).not.toContain(`secret.${ada.email}`);
  });

  test("a name that is the address follows it", async () => {
    const client = createClient(target.url);
    const password = "a long walk by the sea";
    await client.post(auth("register"), { email: "follows@example.test", password });
    await client.post(auth("profile"), { email: "followed@example.test", current_password: password });
    const answer = await arrive("followed@example.test");
    expect(answer.at("user")).toMatchObject({ email: "followed@example.test", username: "followed@example.test" });
    const newcomer = await createClient(target.url).post(auth("register"), { email: "follows@example.test", password });
    expect(newcomer.status).toBe(200);
  });

  test("of two users racing for one name one gets it", async () => {
    const racers = [await people.register("ada"), await people.register("grace"), await people.register("alan")];
    const answers = await Promise.all(racers.map((racer) => edit(racer, { username: "the.one" })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(rows.count("users where username_key = 'the.one'")).toBe(1);
  });

  test("edits of different fields at the same time all stay", async () => {
    const ada = await people.register("ada");
    for (let round = 0; round < 10; round += 1) {
      const edits = {
        display_name: `Ada ${round}`,
        locale: round % 2 === 0 ? "de" : "fr",
        timezone: round % 2 === 0 ? "UTC" : "Asia/Tokyo",
      };
      const answers = await Promise.all(
        Object.entries(edits).map(([field, value]) => ada.client.post(auth("profile"), { [field]: value })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await ada.client.get(auth("me"))).at("user")).toMatchObject(edits);
    }
  });

  test("an edit at the moment of the verification does not undo it", async () => {
    const ada = await people.register("ada");
    const token = await mailedToken(mailbox, ada.email, "Verify your email");
    const [confirmed, edited] = await Promise.all([
      // The confirmation comes from her own browser: a first proof from elsewhere would end the session of the edit.
      ada.client.post(auth("email-verification/confirm"), { token }),
      ada.client.post(auth("profile"), { display_name: "Ada" }),
    ]);
    expect([confirmed.status, edited.status]).toEqual([200, 200]);
    expect((await ada.client.get(auth("me"))).at("user.email_verified_at")).toBeString();
  });

  test("another spelling of the address may be another mailbox: it takes the password and waits for its link", async () => {
    const ada = await people.register("finn");
    // An earlier release gave accounts such addresses. They have the same compared form as the plain address.
    const ligature = ada.email.replace("fi", "\ufb01");
    rows.run("update users set email = ?, email_verified_at = 1 where id = ?", ligature, ada.id);
    const { email } = ada;
    expectRefusal(
      await ada.client.post(auth("profile"), { email }),
      403,
      "reauthentication required",
      "reauthentication_required",
    );
    const moved = await ada.client.post(auth("profile"), { email, current_password: ada.password });
    expect(moved.at("user")).toMatchObject({ email: ligature, pending_email: email });
    expect((await ada.client.post(auth("profile"), { email, locale: "de" })).status).toBe(200);
  });
});
