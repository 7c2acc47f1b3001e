import { describe, expect, test } from "bun:test";
import { auth, nextMail, signInSubject } from "../../support/auth.ts";
import { hiddenFields, createPageVisitor, textOf, titleOf } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { createInhabitants, location, mailedPath, password, serverKit } from "./kit.fixture.ts";

const app = await stage({
  env: {
    ...serverKit,
    AUTH_EMAIL_LOGIN_ENABLED: "true",
    AUTH_ALLOWED_ORIGINS: "https://shop.example.test",
    API_DOCS_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    ORGANIZATIONS_ENABLED: "true",
  },
});
const { target, rows } = app;
const inhabitants = createInhabitants(app);

describe("U-30 with FRONTEND_KIT=server", () => {
  test("neither the JSON auth routes nor the OAuth routes are mounted, and nothing documents them", async () => {
    const stranger = createPageVisitor(target.url);
    for (const route of ["login", "register", "refresh", "logout", "password-reset/request", "oauth/google/exchange"])
      expect([route, (await stranger.client.post(auth(route), {})).status]).toEqual([route, 404]);
    for (const route of ["me", "sessions", "oauth/google/start", "oauth/identities", "tokens", "apps"])
      expect([route, (await stranger.client.get(auth(route))).status]).toEqual([route, 404]);
    const { text } = await stranger.client.get("/openapi/json");
    const documented = [...text.matchAll(/"(\/api\/v1\/auth\/[^"]*)":/g)].map(([, path]) => path);
    expect(documented.toSorted()).toEqual(["/api/v1/auth/introspect", "/api/v1/auth/verify"]);
  });

  test("a proxy still asks who is calling, by the cookies that the pages have set", async () => {
    const { visitor, email } = await inhabitants.register("ada");
    const asked = await visitor.get("/api/v1/auth/verify");
    expect([asked.status, asked.headers.get("x-auth-email")]).toEqual([204, email]);
    expect((await visitor.get("/api/v1/hello")).status).toBe(200);
    expect((await createPageVisitor(target.url).get("/api/v1/auth/verify")).status).toBe(401);
  });

  test("every page for people has the same path as before, works without a script, and a stranger is led to the sign-in", async () => {
    const stranger = createPageVisitor(target.url);
    for (const path of ["/login", "/register", "/forgot-password", "/login/mail"]) {
      const page = await stranger.get(path);
      expect([path, page.status]).toEqual([path, 200]);
      expect(page.text).toContain("<form");
      expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
    }
    for (const path of ["/reset-password", "/verify-email", "/undo-email-change", "/accept-invitation", "/email-login"])
      expect([path, titleOf(await stranger.get(path))]).toEqual([path, "This link is incomplete"]);
    for (const path of ["/account", "/account/password", "/account/two-step"])
      expect(location(await stranger.get(path))).toBe(`/login?next=${encodeURIComponent(path)}`);
    expect(location(await stranger.get("/"))).toBe("/account");
    expect(location(await stranger.get("/.well-known/change-password"))).toBe("/account/password");
  });

  test("no page says that it is for staff, and no role is needed", async () => {
    const { visitor } = await inhabitants.register("ada");
    expect(textOf(await createPageVisitor(target.url).get("/login"))).not.toContain("For staff");
    expect(titleOf(await visitor.get("/account"))).toBe("Your account");
  });

  test("FRONTEND_ENABLED=false would leave nothing, so a start refuses the two together", async () => {
    const start = startTarget({ env: { ...serverKit, FRONTEND_ENABLED: "false" }, roles: ["http"] });
    expect(String(await start.catch((error: unknown) => error))).toContain("FRONTEND_KIT=server");
  });
});

describe("a sign-in", () => {
  test("U-32 keeps what was typed but the password, and says the same of an unknown login and a wrong password", async () => {
    const { email } = await inhabitants.register("ada");
    const stranger = createPageVisitor(target.url);
    const wrong = await stranger.submit("/login", { login: email, password: "not the password" });
    const unknown = await stranger.submit("/login", { login: "nobody@example.test", password: "not the password" });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(textOf(wrong)).toBe(textOf(unknown));
    expect(wrong.text).toContain(`value="${email}"`);
    expect(wrong.text).not.toContain("not the password");
  });

  test("U-33 leads to a page of the app at once, to another origin through a page of its own, and nowhere else", async () => {
    const { email } = await inhabitants.register("ada");
    const ends = async (next: string): Promise<string> => {
      const visitor = createPageVisitor(target.url);
      const page = `/login?next=${encodeURIComponent(next)}`;
      return location(await visitor.submit(page, { login: email, password }));
    };
    expect(await ends("/account/profile")).toBe("/account/profile");
    for (const next of ["https://shop.example.test/cart", "/oauth2/authorize?client_id=shop"])
      expect(await ends(next)).toBe(`/login/on?next=${encodeURIComponent(next)}`);
    for (const next of ["https://evil.example.test/", "//evil.example.test", "javascript:alert(1)", "/\\evil.test"])
      expect(await ends(next)).toBe("/account");
    const page = await createPageVisitor(target.url).get(
      `/login/on?next=${encodeURIComponent("https://shop.example.test/cart")}`,
    );
    expect(page.headers.get("refresh")).toBe("0; url=https://shop.example.test/cart");
    const forged = await createPageVisitor(target.url).get("/login/on?next=https://evil.example.test/");
    expect([forged.headers.get("refresh"), forged.text.includes("evil")]).toEqual(["0; url=/account", false]);
  });

  test("asks a signed-in person again where an app wants a proof, and lets them choose where it wants that", async () => {
    const { visitor, email } = await inhabitants.register("ada");
    expect(location(await visitor.get("/login?next=/account/profile"))).toBe("/account/profile");
    expect(titleOf(await visitor.get("/login?reauthenticate=true"))).toBe("Sign in");
    const choice = await visitor.get("/login?select_account=true&next=/account/profile");
    expect(textOf(choice)).toContain("You are signed in as ada.");
    expect(choice.text).toContain('href="/login?next=%2Faccount%2Fprofile&amp;reauthenticate=true"');
    const hinted = await createPageVisitor(target.url).get(`/login?login_hint=${email}&ui_locales=de`);
    expect([hinted.text.includes(`value="${email}"`), titleOf(hinted)]).toEqual([true, "Anmelden"]);
  });

  test("U-31 needs the token of its own browser's form", async () => {
    const { email } = await inhabitants.register("ada");
    const stranger = createPageVisitor(target.url);
    const { csrf = "" } = hiddenFields((await createPageVisitor(target.url).get("/login")).text, "/login");
    const forged = await stranger.send("/login", { login: email, password, csrf });
    expect([forged.status, location(await stranger.get("/account"))]).toEqual([403, "/login?next=%2Faccount"]);
  });

  test("locks after too many wrong passwords, says until when, and takes no right one meanwhile", async () => {
    const { email } = await inhabitants.register("ada");
    const stranger = createPageVisitor(target.url);
    const tries = Array.from({ length: 12 }, () => ({ login: email, password: "not the password" }));
    let last = await stranger.get("/login");
    for (const fields of tries) last = await stranger.submit("/login", fields);
    expect([423, 429]).toContain(last.status);
    expect(last.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    expect(last.text).toContain("data-until");
    expect((await stranger.submit("/login", { login: email, password })).status).toBe(last.status);
  });
});

describe("a sign-in by mail", () => {
  test("by the code in the browser that asked, or by the link in any", async () => {
    const { email } = await inhabitants.register("ada");
    rows.run("update users set email_verified_at = ? where email_key = ?", Date.now(), email);
    const visitor = createPageVisitor(target.url);
    const sent = await visitor.submit("/login/mail?next=/account/profile", { login: email });
    expect(titleOf(sent)).toBe("Look in your mail");
    const mail = await nextMail(app.mailbox, email, signInSubject);
    const code = /\d{6}/.exec(mail.subject)?.[0] ?? "";
    const fields = hiddenFields(sent.text, "/login/mail/code");
    const wrong = await visitor.send("/login/mail/code", { ...fields, code: "000000" === code ? "1" : "000000" });
    expect([wrong.status, textOf(wrong).includes("This is not the code of the newest mail")]).toEqual([401, true]);
    const right = await visitor.send("/login/mail/code", { ...fields, code });
    expect(location(right)).toBe("/account/profile");
    const other = createPageVisitor(target.url);
    await other.submit("/login/mail", { login: email });
    const path = await mailedPath(app, email, "/email-login");
    const elsewhere = createPageVisitor(target.url);
    expect(titleOf(await elsewhere.get(path))).toBe("Sign in by mail");
    expect(location(await elsewhere.submit(path, {}, "/email-login"))).toBe("/account");
    expect(titleOf(await elsewhere.get(path))).toBe("This link does not work any more");
  });
});
