import { describe, expect, test } from "bun:test";
import { mailedToken } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { startStage, stage } from "../../support/stage.ts";
import { createPageVisitor, createStaff, hiddenFields, textOf, titleOf } from "../../support/staff.ts";

const appUrl = "https://admin.example.test";
const { target, rows, mailbox } = await stage({ app: "admin", env: { APP_URL: appUrl, AUTH_COOKIE_SECURE: "false" } });
const staff = createStaff(target.url, rows);
const newcomer = () => createPageVisitor(target.url);

describe("S-10 the pages decide by the same flows as the API", () => {
  test("a name is locked after five wrong passwords, to the right one too, and the page says until when", async () => {
    const { email, password } = await staff.add("ada");
    const visitor = newcomer();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1)
      statuses.push((await visitor.submit("/login", { login: email, password: "wrong" })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 423]);
    const answer = await visitor.submit("/login", { login: email, password });
    expect(answer.status).toBe(423);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(textOf(answer)).toMatch(
      /Too many wrong passwords You can sign in again at \d+:\d\d.{0,4} UTC\s?, or at once/,
    );
    expect(answer.text).toContain(`value="${email}"`);
    // Strangers do not lock a browser out that the account knows.
    const own = await staff.add("grace");
    await own.visitor.submit("/", {}, "/logout");
    for (let attempt = 0; attempt < 6; attempt += 1)
      await visitor.submit("/login", { login: own.email, password: "wrong" });
    expect((await own.visitor.submit("/login", { login: own.email, password: own.password })).status).toBe(303);
  });

  test("an unknown name and a wrong password get the same page", async () => {
    const { email } = await staff.add("ada");
    const pageFor = async (login: string): Promise<string> => {
      const answer = await newcomer().submit("/login", { login, password: "wrong" });
      return answer.text
        .replaceAll(login, "NAME")
        .replaceAll(/name="csrf" value="[^"]*"/g, "")
        .replaceAll(/&quot;challenge&quot;:&quot;[^&]*&quot;/g, "");
    };
    expect(await pageFor("nobody@example.test")).toBe(await pageFor(email));
  });

  test("a session is kept where somebody asks for it, else it ends with the browser", async () => {
    const { email, password } = await staff.add("ada");
    const maxAgeOf = async (fields: Readonly<Record<string, string>>) => {
      const { setCookies } = await newcomer().submit("/login", { login: email, password, ...fields });
      return setCookies.find(({ name }) => name === "admin_auth_refresh")?.attributes.get("max-age");
    };
    expect(await maxAgeOf({})).toBeUndefined();
    expect(Number(await maxAgeOf({ remember: "on" }))).toBeGreaterThan(2_591_000);
  });

  test("what is wrong stands at its field, and what was typed stays but for the password", async () => {
    const { email } = await staff.add("ada");
    const hostile = `"><script>alert(1)</script>`;
    const fields = { display_name: hostile, email: "no address", password: "short" };
    const answer = await newcomer().submit("/register", fields);
    expect(answer.status).toBe(400);
    expect(textOf(answer)).toContain("This is not an email address.");
    expect(textOf(answer)).toContain("At least 8 characters.");
    expect(answer.text).not.toContain("<script>alert");
    expect(answer.text).not.toContain('value="short"');
    expect(answer.text).toContain('value="no address"');
    const taken = await newcomer().submit("/register", { email, password: "another walk in the hills" });
    expect([taken.status, textOf(taken)]).toEqual([
      409,
      expect.stringContaining("There is an account with this address already."),
    ]);
  });

  test("a language is the browser's", async () => {
    const { client } = newcomer();
    const answer = await client.get("/login", { headers: { "accept-language": "de-AT,en;q=0.5" } });
    expect([titleOf(answer), answer.headers.get("vary")]).toEqual(["Anmelden", "Accept-Language"]);
    expect(answer.text).toStartWith('<!doctype html><html lang="de">');
  });

  test("a failure of our own is a page with the name that the log has for it", async () => {
    const { visitor } = await staff.add("ada");
    rows.run("alter table auth_sessions rename column revoked_at to gone");
    try {
      for (const answer of [await visitor.get("/"), await visitor.get("/login")]) {
        expect([answer.status, titleOf(answer)]).toEqual([500, "That did not work"]);
        expect(answer.text).toContain(answer.headers.get("x-request-id") ?? "no id");
      }
    } finally {
      rows.run("alter table auth_sessions rename column gone to revoked_at");
    }
    expect((await visitor.get("/")).status).toBe(200);
  });
});

describe("S-11 a forgotten password", () => {
  test("is asked for in silence, and chosen by a link that leads to the admin app and works once", async () => {
    const { email, password, visitor } = await staff.add("ada");
    const asked = async (login: string): Promise<string> => {
      const answer = await newcomer().submit("/forgot-password", { login });
      return answer.text.replaceAll(login, "NAME");
    };
    expect(await asked("nobody@example.test")).toBe(await asked(email));
    const token = await mailedToken(mailbox, email, "Reset your password");
    expect(mailbox.all().map(({ text }) => text)).toContainEqual(
      expect.stringContaining(`${appUrl}/reset-password?token=${token}`),
    );
    const link = `/reset-password?token=${token}`;

    const guest = newcomer();
    const late = newcomer();
    const open = hiddenFields((await late.get(link)).text, "/reset-password");
    const weak = await guest.submit(link, { new_password: "password" });
    expect([weak.status, textOf(weak)]).toEqual([400, expect.stringContaining("one of the most common passwords")]);
    const done = await guest.submit(link, { new_password: "another walk in the hills" });
    expect([done.status, titleOf(done)]).toEqual([200, "Your password is changed"]);
    expect((await visitor.get("/")).status).toBe(303);
    expect((await guest.submit("/login", { login: email, password })).status).toBe(401);
    expect((await guest.submit("/login", { login: email, password: "another walk in the hills" })).status).toBe(303);

    // A page that was open before says so with the answer, and nobody types a password into one that is opened later.
    const again = await late.send("/reset-password", { ...open, new_password: "a third walk in the snow" });
    expect([again.status, titleOf(again)]).toEqual([401, "This link does not work any more"]);
    expect(titleOf(await newcomer().get(link))).toBe("This link does not work any more");
    expect(titleOf(await newcomer().get("/reset-password"))).toBe("This link is incomplete");
    const undo = await newcomer().get("/reset-password?token=x&reject=1");
    expect(textOf(undo)).toContain("If your account is not safe, reset its password");
  });
});

describe("a first password", () => {
  test("is chosen on a page that says so to the holder of the link, and to nobody else", async () => {
    const { email } = await staff.add("ada");
    rows.run("update users set password_hash = null where email = ?", email);
    await newcomer().submit("/forgot-password", { login: email });
    const link = `/reset-password?token=${await mailedToken(mailbox, email, "Choose your first password")}`;
    const guest = newcomer();
    expect(titleOf(await guest.get(link))).toBe("Choose your first password");
    expect(titleOf(await guest.get("/reset-password?token=x&first=1"))).toBe("This link does not work any more");
    const weak = await guest.submit(link, { new_password: "password" });
    expect([weak.status, titleOf(weak)]).toEqual([400, "Choose your first password"]);
    const done = await guest.submit(link, { new_password: "another walk in the hills" });
    expect([done.status, titleOf(done)]).toEqual([200, "Your password is set"]);
    expect(titleOf(await newcomer().get(link))).toBe("This link does not work any more");
    expect((await guest.submit("/login", { login: email, password: "another walk in the hills" })).status).toBe(303);
  });
});

describe("S-12 where addresses are verified first, and registration can be closed", () => {
  test("a newcomer is signed in by nothing but the link, which leads to the admin app and proves on a click", async () => {
    const strict = await startStage({
      app: "admin",
      env: { APP_URL: appUrl, AUTH_COOKIE_SECURE: "false", AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" },
    });
    const visitor = createPageVisitor(strict.target.url);
    const credentials = { email: "ada@example.test", password: "a long walk by the sea" };
    const made = await visitor.submit("/register", credentials);
    expect([made.status, titleOf(made), visitor.client.cookie("admin_auth_access")]).toEqual([
      200,
      "Look in your mail",
      undefined,
    ]);
    const login = { login: credentials.email, password: credentials.password };
    const early = await visitor.submit("/login", login);
    expect([early.status, titleOf(early)]).toEqual([403, "Verify your email first"]);
    const token = await mailedToken(strict.mailbox, credentials.email, "Verify your email");
    const link = `/verify-email?token=${token}`;
    expect(titleOf(await visitor.get(link))).toBe("Verify your email");
    expect(strict.rows.count("users where email_verified_at is not null")).toBe(0);
    const verified = await visitor.submit(link, {}, "/verify-email");
    expect([verified.status, titleOf(verified)]).toEqual([200, "Your address is verified"]);
    expect((await visitor.submit("/login", login)).status).toBe(303);
    const used = await visitor.get(link);
    expect([used.status, titleOf(used)]).toEqual([200, "This link does not work any more"]);
    await strict.stop();
  });

  test("whoever did not give the address says so by the same link, which takes two clicks", async () => {
    const strict = await startStage({
      app: "admin",
      env: { APP_URL: appUrl, AUTH_COOKIE_SECURE: "false", AUTH_REGISTER_REQUIRES_EMAIL_VERIFICATION: "true" },
    });
    const visitor = createPageVisitor(strict.target.url);
    await visitor.submit("/register", { email: "ada@example.test", password: "a long walk by the sea" });
    const token = await mailedToken(strict.mailbox, "ada@example.test", "Verify your email");
    const rejected = await visitor.submit(`/verify-email?token=${token}&reject=1`, {}, "/verify-email");
    expect([rejected.status, titleOf(rejected)]).toEqual([200, "Thank you for telling us"]);
    expect(strict.rows.count("users where password_hash is not null")).toBe(0);
    await strict.stop();
  });

  test("closed registration makes no account, whatever is sent", async () => {
    const closed = await startStage({ app: "admin", env: { ADMIN_AUTH_REGISTRATION_ENABLED: "false" } });
    const visitor = createPageVisitor(closed.target.url);
    const page = await visitor.get("/register");
    expect([page.status, titleOf(page)]).toEqual([403, "Registration is closed"]);
    const login = await visitor.get("/login");
    expect(login.text).not.toContain("/register");
    const { csrf = "" } = hiddenFields(login.text, "/login");
    const sent = await visitor.send("/register", {
      csrf,
      email: "ada@example.test",
      password: "a long walk by the sea",
    });
    expect([sent.status, titleOf(sent), closed.rows.count("users")]).toEqual([403, "Registration is closed", 0]);
    await closed.stop();
  });
});

test("Lighthouse says why a page was refused", async () => {
  const secret = "a secret that nobody guesses";
  const watched = await startStage({
    app: "admin",
    env: { LIGHTHOUSE_SECRET: secret, LIGHTHOUSE_INSPECT_ENABLED: "true" },
  });
  const { visitor } = await createStaff(watched.target.url, watched.rows).register("ada");
  expect((await visitor.get("/")).status).toBe(403);
  expect((await createPageVisitor(watched.target.url).send("/login", { login: "ada", password: "x" })).status).toBe(
    403,
  );
  const headers = { authorization: `Bearer ${secret}` };
  await eventually("both reasons", async () => {
    const { text } = await visitor.client.get("/lighthouse/api/inspects?status=403", { headers });
    return ["forbidden", "cross_site_request"].every((reason) => text.includes(`"reason":"${reason}"`));
  });
  await watched.stop();
});
