import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { auth } from "../../support/auth.ts";
import { tableRows } from "../../support/markdown.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { invitationKit } from "../invitations/invitation.fixture.ts";
import { providerOn } from "../idp/idp.fixture.ts";
import { createInhabitants, location, mailedPath, password, serverKit } from "./kit.fixture.ts";

const app = await stage({
  env: {
    ...serverKit,
    AUTH_EMAIL_LOGIN_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    ...providerOn,
    APP_TERMS_VERSION: "1",
    APP_TERMS_URL: "https://example.test/terms",
  },
});
const { target, rows } = app;
const inhabitants = createInhabitants(app);
const invitations = await invitationKit(app);
const register = (name: string) => inhabitants.register(name, { accepted_terms: "1" });
const chapter = readFileSync(join(import.meta.dir, "../../../src/docs/people/scriptless.md"), "utf8");
const pages = tableRows(chapter, "Paths").flatMap(({ cells: [methods = "", path = ""] }) =>
  methods.startsWith("GET") ? [path.replace(":id", "0197a000-0000-7000-8000-000000000001")] : [],
);

test("U-35 every page is kept nowhere, framed nowhere, shown to its session alone, and runs no script but its own", async () => {
  const { visitor } = await register("ada");
  const stranger = createPageVisitor(target.url);
  expect(pages.length).toBeGreaterThan(20);
  for (const path of pages) {
    const [own, foreign] = [await visitor.get(path), await stranger.get(path)];
    for (const { status, headers, text } of [own, foreign]) {
      expect([path, headers.get("cache-control")]).toEqual([path, "no-store"]);
      if (status === 303 || status === 302) continue;
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("script-src 'self';");
      expect([...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
        expect.stringMatching(/^<script src="\/account\/assets\/kit\.js\?v=\w+" defer>$/),
      ]);
      expect(text).not.toMatch(/ on\w+="| style="/);
    }
    if (path.startsWith("/account")) expect([path, foreign.status]).toEqual([path, 303]);
  }
});

test("browsers keep the style and the script of these pages under their own version alone: another one is of another release", async () => {
  const stranger = createPageVisitor(target.url);
  const { text } = await stranger.get("/login");
  const hrefs = [...text.matchAll(/"(\/account\/assets\/kit\.(?:css|js)\?v=\w+)"/g)].map(([, href = ""]) => href);
  expect(hrefs).toHaveLength(2);
  for (const href of hrefs) {
    const cached = async (address: string) => {
      const { status, headers } = await stranger.get(address);
      return [status, headers.get("cache-control")];
    };
    expect(await cached(href)).toEqual([200, "public, max-age=31536000, immutable"]);
    const [path = ""] = href.split("?");
    for (const other of [path, `${path}?v=0123456789ab`, `${path}?v=`, `${href}0`])
      expect([other, ...(await cached(other))]).toEqual([other, 200, "no-cache"]);
  }
});

test("U-39 no page breaks by the language that a browser or an address asks for", async () => {
  const { email, visitor } = await register("ada");
  const stranger = createPageVisitor(target.url);
  const languages = ["en-@@", "de-", "en-x", `en-${"a".repeat(400)}`, "__proto__", "constructor-x", "x,".repeat(1_000)];
  const wrong: unknown[] = [];
  for (const language of languages) {
    for (const path of ["/account", "/account/profile", "/account/two-step"]) {
      const { status } = await visitor.client.get(path, { headers: { "accept-language": language } });
      if (status !== 200) wrong.push({ path, language, status });
    }
    const { status } = await stranger.get(`/login?ui_locales=${encodeURIComponent(language)}`);
    if (status !== 200) wrong.push({ path: "/login", language, status });
  }
  expect(wrong).toEqual([]);
  // This one writes a time: until when the account is locked.
  const { csrf = "" } = hiddenFields((await stranger.get("/login")).text, "/login");
  const wrongly = { csrf, login: email, password: "not the password" };
  let last = await stranger.get("/login");
  for (let tried = 0; tried < 12; tried += 1) last = await stranger.send("/login?ui_locales=en-@@", wrongly);
  expect([423, 429]).toContain(last.status);
  expect(last.text).toContain("data-until");
});

test("U-36 opening a mailed link changes nothing", async () => {
  const kept = (): string =>
    JSON.stringify(
      ["users", "auth_grants", "auth_sessions", "user_invitations"].map((table) =>
        rows.tables().has(table) ? rows.all(`select * from ${table}`) : [],
      ),
    );
  const { email, visitor } = await register("ada");
  const invited = invitations.address("grace");
  await invitations.invite(invited);
  const verify = await mailedPath(app, email, "/verify-email");
  await visitor.submit("/forgot-password", { login: email });
  const reset = await mailedPath(app, email, "/reset-password");
  await visitor.submit("/login/mail", { login: email });
  const mailed = await mailedPath(app, email, "/email-login");
  const accept = await mailedPath(app, invited, "/accept-invitation");
  const before = kept();
  for (const path of [verify, `${verify}&reject=1`, reset, mailed, accept])
    expect([path, (await createPageVisitor(target.url).get(path)).status]).toEqual([path, 200]);
  expect(kept()).toBe(before);
});

describe("an invitation", () => {
  test("makes an account with a name, a password and the terms", async () => {
    const email = invitations.address("grace");
    await invitations.invite(email, { display_name: "Grace Hopper", roles: ["editor"] });
    const path = await mailedPath(app, email, "/accept-invitation");
    const visitor = createPageVisitor(target.url);
    const page = await visitor.get(path);
    expect(titleOf(page)).toStartWith("You are invited to");
    expect([page.text.includes('value="Grace Hopper"'), textOf(page).includes(email)]).toEqual([true, true]);
    const weak = await visitor.submit(path, { password: "short", accepted_terms: "1" }, "/accept-invitation");
    expect([weak.status, weak.text.includes('value="Grace Hopper"')]).toEqual([400, true]);
    const fields = { password, display_name: "Amazing Grace", accepted_terms: "1" };
    const done = await visitor.submit(path, fields, "/accept-invitation");
    expect([done.status, location(done)]).toEqual([303, "/account"]);
    expect(textOf(await visitor.get("/account"))).toContain("Amazing Grace");
    expect(rows.get("select roles from users where email_key = ?", email)["roles"]).toContain("editor");
    expect(titleOf(await createPageVisitor(target.url).get(path))).toBe("This invitation has been accepted");
  });

  test("to an address that has an account is accepted by whoever is signed in to it, and by nobody else", async () => {
    const email = invitations.address("ada");
    await invitations.invite(email, { roles: ["editor"] });
    const path = await mailedPath(app, email, "/accept-invitation");
    const visitor = createPageVisitor(target.url);
    await visitor.submit("/register", { email, password, accepted_terms: "1" });
    const stranger = createPageVisitor(target.url);
    const asked = await stranger.get(path);
    expect(titleOf(asked)).toBe("You have an account already");
    expect(asked.text).toContain('href="/login?reauthenticate=true&amp;next=%2Faccept-invitation');
    expect(location(await visitor.submit(path, {}, "/accept-invitation"))).toBe("/account");
    expect(rows.get("select roles from users where email_key = ?", email)["roles"]).toContain("editor");
  });

  test("that nobody made says so", async () => {
    const page = await createPageVisitor(target.url).get(`/accept-invitation?token=${"a".repeat(43)}`);
    expect(titleOf(page)).toBe("This link does not work");
    expect((await createPageVisitor(target.url).client.post(auth("invitation"), { token: "a" })).status).toBe(404);
  });
});
