import { describe, expect, test } from "bun:test";
import { auth, createPeople, expectRefusal, isServed } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { createPageVisitor, textOf } from "../../support/staff.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { invitationKit, password } from "../invitations/invitation.fixture.ts";

const terms = { APP_TERMS_URL: "https://example.test/terms", APP_TERMS_VERSION: "2026-11" };
const staged = await stage({ env: terms });
const { target, people, rows, browser } = staged;
const kit = await invitationKit(staged);
const accepting = { accepted_terms: "2026-11" };

const refused = (answer: Answer): void => {
  expectRefusal(answer, 400, "the terms have to be accepted", "terms_required");
  expect(answer.at("detail")).toBe('Send "accepted_terms": "2026-11" once the person has accepted.');
};
const acceptedBy = (id: string) => rows.get("select terms_version, terms_accepted_at from users where id = ?", id);
const notAccepted = [undefined, "", "2026-10", "2026-110", "2026-11,2026-10", "null"];
const eventsOf = (id: string): number =>
  rows.count("audit_events where action = 'auth.terms-accepted' and subject_user_id = ?", id);

describe("where there are terms", () => {
  test("H-62 nobody registers who has not accepted today's, and nothing is left behind", async () => {
    const before = rows.count("users");
    for (const accepted_terms of notAccepted)
      refused(await browser().post(auth("register"), { email: kit.address("ada"), password, accepted_terms }));
    expect(rows.count("users")).toBe(before);
    for (const accepted_terms of [2026, null, true, ["2026-11"]]) {
      const answer = await browser().post(auth("register"), { email: kit.address("ada"), password, accepted_terms });
      expect([answer.status, answer.at("code")]).toEqual([400, "invalid_payload"]);
    }
  });

  test("H-63 the version and the time are kept, and the audit log says so", async () => {
    const before = Date.now();
    const ada = await people.register("ada", accepting);
    const { terms_version: version, terms_accepted_at: at } = acceptedBy(ada.id);
    expect(version).toBe("2026-11");
    expect(at).toBeWithin(before - 1_000, Date.now() + 1_000);
    expect(eventsOf(ada.id)).toBe(1);
    expect((await ada.client.get(auth("me"))).at("terms_due")).toBeNull();
    await ada.client.post(auth("reauthenticate"), { current_password: ada.password });
    const own = await ada.client.get(auth("account/export"));
    expect(own.at("user")).toMatchObject({
      terms_version: "2026-11",
      terms_accepted_at: new Date(Number(at)).toISOString(),
    });
  });

  test("H-62 an invitation is accepted with the terms alone; a refusal leaves it usable", async () => {
    const token = await kit.invited(kit.address("grace"));
    for (const accepted_terms of notAccepted) refused(await kit.accept(token, { password, accepted_terms }));
    const answer = await kit.accept(token, { password, ...accepting });
    expect(answer.status).toBe(200);
    expect(acceptedBy(answer.textAt("user.id"))).toMatchObject({ terms_version: "2026-11" });
  });

  test("H-66 a taken address tells no more than a free one", async () => {
    const ada = await people.register("ada", accepting);
    refused(await browser().post(auth("register"), { email: ada.email, password }));
  });

  test("H-65 whoever has an account is asked and refused nothing, until they accept, which counts once", async () => {
    const ada = await people.register("ada", accepting);
    rows.run("update users set terms_version = '2025-01', terms_accepted_at = 1 where id = ?", ada.id);
    const elsewhere = await ada.login();
    for (const client of [ada.client, elsewhere]) {
      const me = await client.get(auth("me"));
      expect([me.status, me.at("terms_due")]).toEqual([200, "2026-11"]);
      expect(await isServed(client)).toBe(true);
      expect((await client.post(auth("refresh"))).status).toBe(200);
      expect((await client.post(auth("profile"), { display_name: "Ada" })).status).toBe(200);
    }
    expect(acceptedBy(ada.id)).toEqual({ terms_version: "2025-01", terms_accepted_at: 1 });
    for (const accepted_terms of ["2025-01", "2027-01"])
      refused(await ada.client.post(auth("profile"), { display_name: "Nobody", accepted_terms }));
    expect((await ada.client.get(auth("me"))).at("user.display_name")).toBe("Ada");

    expect((await ada.client.post(auth("profile"), accepting)).status).toBe(200);
    const first = acceptedBy(ada.id);
    expect(first["terms_version"]).toBe("2026-11");
    expect((await elsewhere.get(auth("me"))).at("terms_due")).toBeNull();
    // The registration was the first event; accepting again is none.
    expect((await elsewhere.post(auth("profile"), accepting)).status).toBe(200);
    expect(acceptedBy(ada.id)).toEqual(first);
    expect(eventsOf(ada.id)).toBe(2);
  });

  test("H-65 an account that a service made is asked at its first visit", async () => {
    const made = await kit.make(kit.address("mary"), { password });
    expect(made.at("user.terms_version")).toBeNull();
    const mary = browser();
    expect((await mary.post(auth("login"), { login: made.textAt("user.email"), password })).status).toBe(200);
    expect((await mary.get(auth("me"))).at("terms_due")).toBe("2026-11");
  });
});

describe("another process of the same service", () => {
  test("H-65 with a new version asks everybody, without an account that it refuses; one without terms asks nobody", async () => {
    const ada = await people.register("ada", accepting);
    for (const [version, due] of [
      ["2027-01", "2027-01"],
      [undefined, null],
    ] as const) {
      const env = { ...target.env, APP_TERMS_VERSION: version ?? "" };
      const next = await startTarget({ env, migrate: false });
      const client = createClient(next.url);
      expect((await client.post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
      expect((await client.get(auth("me"))).at("terms_due")).toBe(due);
      const newcomers = createPeople(next.url);
      if (due === null) await newcomers.register("unasked");
      else await newcomers.register("newcomer", { accepted_terms: due });
      await next.stop();
    }
  });
});

test("H-62 the pages of the admin app ask for the terms, too", async () => {
  const admin = await startTarget({ app: "admin", env: { ...terms, APP_PRIVACY_URL: "https://example.test/privacy" } });
  const visitor = createPageVisitor(admin.url);
  const page = await visitor.get("/register");
  expect(textOf(page)).toContain("I accept the terms of use and have read the privacy policy .");
  expect(page.text).toContain('href="https://example.test/terms"');
  const newcomer = { email: "staff@example.test", password, display_name: "Staff" };
  const without = await visitor.submit("/register", newcomer);
  expect([without.status, textOf(without).includes("Accept them to go on.")]).toEqual([400, true]);
  expect((await visitor.submit("/register", { ...newcomer, accepted_terms: "2026-11" })).status).toBe(303);
  await admin.stop();
});
