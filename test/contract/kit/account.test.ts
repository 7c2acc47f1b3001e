import { describe, expect, test } from "bun:test";
import { hour } from "../../../src/core/clock.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { codeOf } from "../../support/totp.ts";
import { createInhabitants, location, mailedPath, password, serverKit } from "./kit.fixture.ts";

const app = await stage({
  env: {
    ...serverKit,
    APP_TERMS_VERSION: "2026-11",
    APP_TERMS_URL: "https://example.test/terms",
    AUTH_EMAIL_LOGIN_ENABLED: "true",
  },
});
const strict = await stage({ env: { ...serverKit, AUTH_MFA_REQUIRED: "true" }, roles: ["http"] });
const { target, rows } = app;
const inhabitants = createInhabitants(app);
const register = (name: string) => inhabitants.register(name, { accepted_terms: "2026-11" });
const age = (email: string, ms: number): number =>
  rows.run(
    "update auth_sessions set proved_at = ? where user_id = (select id from users where email_key = ?)",
    Date.now() - ms,
    email,
  );

describe("the account", () => {
  test("saves the profile, and gives a faulty form back with what was typed", async () => {
    const { visitor } = await register("ada");
    const faulty = await visitor.submit("/account/profile", {
      display_name: "Ada <b>",
      avatar_url: "no address",
      locale: "",
      timezone: "",
    });
    expect([faulty.status, textOf(faulty).includes("This is not an address of a picture.")]).toEqual([400, true]);
    expect(faulty.text).toContain('value="Ada &lt;b&gt;"');
    const saved = await visitor.submit("/account/profile", {
      display_name: "Ada <b>",
      avatar_url: "",
      locale: "de",
      timezone: "Europe/Berlin",
    });
    expect([saved.status, location(saved)]).toEqual([303, "/account"]);
    const page = await visitor.get("/account");
    expect([titleOf(page), textOf(page).includes("Ihr Profil ist gespeichert.")]).toEqual(["Ihr Konto", true]);
    expect(textOf(await visitor.get("/account"))).not.toContain("Ihr Profil ist gespeichert.");
  });

  test("U-32 changes the password by the current one, keeps this browser and signs the others out", async () => {
    const ada = await register("ada");
    const other = await inhabitants.login(ada);
    const wrong = await ada.visitor.submit("/account/password", {
      current_password: "not the password",
      new_password: "an even longer walk",
    });
    expect([wrong.status, textOf(wrong).includes("This is not your current password.")]).toEqual([401, true]);
    expect([wrong.text.includes("not the password"), wrong.text.includes("an even longer")]).toEqual([false, false]);
    const weak = await ada.visitor.submit("/account/password", { current_password: password, new_password: "short" });
    expect([weak.status, textOf(weak).includes("At least")]).toEqual([400, true]);
    const done = await ada.visitor.submit("/account/password", {
      current_password: password,
      new_password: "an even longer walk by the sea",
    });
    expect(location(done)).toBe("/account");
    expect((await ada.visitor.get("/account")).status).toBe(200);
    expect(location(await other.get("/account"))).toStartWith("/login");
  });

  test("asks for another address by the password, moves by the mail's link, and the old mailbox takes it back", async () => {
    const { email, visitor } = await register("ada");
    await visitor.submit(await mailedPath(app, email, "/verify-email"), {}, "/verify-email");
    const next = `new.${email}`;
    const wrong = await visitor.submit("/account/email", { email: next, current_password: "no" });
    expect([wrong.status, textOf(wrong).includes("This is not your current password.")]).toEqual([403, true]);
    expect(wrong.text).toContain(`value="${next}"`);
    await visitor.submit("/account/email", { email: next, current_password: password });
    expect(textOf(await visitor.get("/account"))).toContain(`Waiting for you to confirm ${next}`);
    const path = await mailedPath(app, next, "/verify-email");
    expect(titleOf(await visitor.submit(path, {}, "/verify-email"))).toBe("Your address is verified");
    expect(textOf(await visitor.get("/account"))).toContain(next);
    const undo = await mailedPath(app, email, "/undo-email-change");
    const stranger = createPageVisitor(target.url);
    expect(titleOf(await stranger.submit(undo, {}, "/undo-email-change"))).toBe("Your old address is back");
    expect(location(await visitor.get("/account"))).toStartWith("/login");
  });

  test("ends one device or all of them, and no device of anybody else", async () => {
    const ada = await register("ada");
    const other = await inhabitants.login(ada);
    const grace = await register("grace");
    const foreign = rows.get(
      "select s.id from auth_sessions s join users u on u.id = s.user_id where u.email_key = ?",
      grace.email,
    )["id"];
    const page = await ada.visitor.get("/account");
    const { csrf = "" } = hiddenFields(page.text, "/logout");
    await ada.visitor.send(`/account/devices/${String(foreign)}/end`, { csrf });
    expect((await grace.visitor.get("/account")).status).toBe(200);
    const path = /action="(\/account\/devices\/[^"]+\/end)"/.exec(page.text)?.[1] ?? "";
    expect(location(await ada.visitor.submit("/account", {}, path))).toBe("/account");
    expect(location(await other.get("/account"))).toStartWith("/login");
    const third = await inhabitants.login(ada);
    const all = await ada.visitor.submit("/account/devices/end", {});
    expect(location(all)).toBe("/login?notice=everywhere");
    expect(all.headers.get("clear-site-data")).toBe('"cache", "cookies", "storage"');
    expect(location(await third.get("/account"))).toStartWith("/login");
    expect(textOf(await ada.visitor.get("/login?notice=everywhere"))).toContain("You are signed out on every device.");
  });

  test("U-34 gives what is kept as one file, after a proof", async () => {
    const { email, visitor } = await register("ada");
    age(email, hour);
    const asked = await visitor.submit("/account", {}, "/account/data");
    expect([asked.status, titleOf(asked)]).toEqual([403, "Confirm that it is you"]);
    const fields = hiddenFields(asked.text, "/account/data");
    const file = await visitor.send("/account/data", { ...fields, current_password: password });
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="account-[\d-]+\.json"$/);
    expect([file.at("user.email"), file.at("next"), file.at("exported_at")]).toEqual([email, null, expect.any(String)]);
    expect(file.text).not.toContain("password_hash");
  });

  test("is deleted by its password alone", async () => {
    const { email, visitor } = await register("ada");
    const wrong = await visitor.submit("/account/delete", { current_password: "no" });
    expect([wrong.status, titleOf(wrong)]).toEqual([401, "Delete your account?"]);
    const gone = await visitor.submit("/account/delete", { current_password: password });
    expect(location(gone)).toBe("/login?notice=deleted");
    expect(rows.count("users where email_key = ?", email)).toBe(0);
    expect(location(await visitor.get("/account"))).toStartWith("/login");
  });

  test("asks for terms that have changed, and takes nothing else for them", async () => {
    const { email, visitor } = await register("ada");
    rows.run("update users set terms_version = 'before' where email_key = ?", email);
    expect(textOf(await visitor.get("/account"))).toContain("They are new, or have changed");
    const done = await visitor.submit("/account", { accepted_terms: "2026-11" }, "/account/terms");
    expect(location(done)).toBe("/account");
    const page = textOf(await visitor.get("/account"));
    expect([page.includes("You have accepted the terms."), page.includes("They are new")]).toEqual([true, false]);
  });
});

describe("U-31 a form of the account", () => {
  test("needs the token of its own session: nothing else changes anything", async () => {
    const ada = await register("ada");
    const grace = await register("grace");
    const { csrf = "" } = hiddenFields((await grace.visitor.get("/account")).text, "/logout");
    const forms = {
      "/account/profile": { display_name: "Eve" },
      "/account/password": { current_password: password, new_password: "an even longer walk by the sea" },
      "/account/email": { email: "eve@example.test", current_password: password },
      "/account/devices/end": {},
      "/account/data": {},
      "/account/delete": { current_password: password },
      "/account/two-step/app": {},
    };
    for (const [path, fields] of Object.entries(forms))
      for (const token of [csrf, ""]) {
        const forged = await ada.visitor.send(path, { ...fields, csrf: token });
        expect([path, forged.status, titleOf(forged)]).toEqual([path, 403, "This form is not of your sign-in"]);
      }
    expect(textOf(await ada.visitor.get("/account"))).toContain("ada");
    expect(rows.count("users where email_key = ?", ada.email)).toBe(1);
  });
});

describe("an account without a password", () => {
  test("proves itself by a sign-in, and gets a first password by a mail", async () => {
    const { email, visitor } = await register("ada");
    rows.run("update users set password_hash = null, email_verified_at = ? where email_key = ?", Date.now(), email);
    const page = textOf(await visitor.get("/account"));
    expect([page.includes("None: you sign in another way"), page.includes("Change password")]).toEqual([true, false]);
    age(email, hour);
    const asked = await visitor.submit("/account", {}, "/account/data");
    expect(asked.text).toContain('href="/login?reauthenticate=true&amp;next=%2Faccount"');
    expect(asked.text).not.toContain("current_password");
    expect(location(await visitor.get("/account/delete"))).toBe("/login?reauthenticate=true&next=%2Faccount%2Fdelete");
    await visitor.submit("/account", {}, "/account/password/mail");
    const path = await mailedPath(app, email, "/reset-password");
    expect(titleOf(await visitor.get(path))).toBe("Choose your first password");
    expect(titleOf(await visitor.submit(path, { new_password: password }, "/reset-password"))).toBe(
      "Your password is set",
    );
  });
});

describe("where a second step is demanded", () => {
  test("U-34 a session that no second factor has opened changes nothing by a password", async () => {
    const { email, visitor } = await register("ada");
    const other = await inhabitants.login({ email, password });
    const page = await visitor.submit("/account/two-step", {}, "/account/two-step/app");
    const fields = hiddenFields(page.text, "/account/two-step/app/confirm");
    await visitor.send("/account/two-step/app/confirm", { ...fields, code: codeOf(fields["secret"] ?? "") });
    expect(textOf(await visitor.get("/account"))).toContain("On: whoever knows your password alone does not get in.");
    rows.run("update auth_sessions set revoked_at = null, revoked_reason = null, factor = null");
    const { csrf = "" } = hiddenFields((await other.get("/account")).text, "/logout");
    const typed = {
      current_password: password,
      new_password: "an even longer walk by the sea",
      email: "eve@example.test",
    };
    for (const path of ["/account/email", "/account/password", "/account/delete"]) {
      expect((await other.send(path, { ...typed, csrf })).status).toBeGreaterThanOrEqual(400);
      expect(location(await other.get(path))).toBe(`/login?reauthenticate=true&next=${encodeURIComponent(path)}`);
    }
    expect((await inhabitants.login({ email, password })).client).toBeDefined();
    expect(rows.count("users where pending_email is not null")).toBe(0);
  });

  test("is taken before anything else where the app asks it of everybody", async () => {
    const { visitor } = await createInhabitants(strict).register("ada");
    for (const path of ["/account", "/account/profile", "/account/password"])
      expect(location(await visitor.get(path))).toBe("/account/two-step");
    expect(textOf(await visitor.get("/account/two-step"))).toContain("asks for a second step at each sign-in");
  });
});

describe("a sign-in from a new device", () => {
  test("M-08 is ended by the link of its mail once its reader says so, who chooses a new password then", async () => {
    const { email, visitor } = await register("ada");
    rows.run("update users set email_verified_at = ? where email_key = ?", Date.now(), email);
    const stranger = await inhabitants.login({ email, password });
    const path = await mailedPath(app, email, "/reset-password");
    expect(path).toEndWith("&reject=1");
    expect(titleOf(await visitor.get(path))).toBe("Was this not you?");
    expect((await stranger.get("/account")).status).toBe(200);
    const rejected = await visitor.submit(path, {}, "/reset-password");
    expect([titleOf(rejected), (await stranger.get("/account")).status]).toEqual(["Choose a new password", 303]);
    expect((await visitor.get("/account")).status).toBe(200);
    const fields = hiddenFields(rejected.text, "/reset-password");
    const weak = await visitor.send("/reset-password", { ...fields, new_password: "short" });
    expect([titleOf(weak), weak.status]).toEqual(["Choose a new password", 400]);
    const chosen = await visitor.send("/reset-password", { ...fields, new_password: "another walk by the sea" });
    expect(titleOf(chosen)).toBe("Your password is changed");
    expect((await visitor.get("/account")).status).toBe(303);
  });
});
