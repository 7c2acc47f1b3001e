import { afterAll, describe, expect, test } from "bun:test";
import { auth, calm, isServed, refreshes, secretsOf, browserWith } from "../../support/auth.ts";
import { createStaff, textOf, titleOf, type StaffMember } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { openDesk, reason } from "./desk.fixture.ts";

const desk = await openDesk({ env: { AUTH_IMPERSONATION_ENABLED: "support" } });
const { staff, people, rows, target } = desk;
const strict = await startTarget({
  app: "admin",
  roles: ["http"],
  env: { ...calm, DB_DATABASE: target.databasePath, AUTH_IMPERSONATION_ENABLED: "true", APP_URL: target.url },
  migrate: false,
  shared: true,
});
const off = await startTarget({
  roles: ["http"],
  env: { ...calm, DB_DATABASE: target.databasePath },
  migrate: false,
  shared: true,
});
afterAll(async () => {
  await strict.stop();
  await off.stop();
});

/** Sends the form with the token of another page of the same reader: who may not see a page has none of its own. */
async function force({ visitor }: StaffMember, id: string) {
  const csrf = /name="csrf" value="([^"]*)"/.exec((await visitor.get("/people")).text)?.[1] ?? "";
  return visitor.send(`/people/${id}/impersonate`, { csrf, reason });
}

describe("S-60 S-71 who looks at an account is up to the operator", () => {
  test.each(["admin", "support"])("%s may where the variable says support", async (role) => {
    const [grace, ada] = [await staff.add("grace", role), await people.register("ada")];
    expect((await grace.visitor.get(`/people/${ada.id}`)).text).toContain(`/people/${ada.id}/impersonate`);
    const browser = await desk.open(grace, ada.id);
    expect((await browser.get(auth("me"))).at("user.id")).toBe(ada.id);
    expect(desk.audit(ada.id, "auth.impersonation-begun")).toMatchObject([{ actor_user_id: grace.id, reason }]);
  });

  test("an auditor never may, and is told so without a button", async () => {
    const [grace, ada] = [await staff.add("grace", "auditor"), await people.register("ada")];
    expect((await grace.visitor.get(`/people/${ada.id}`)).text).not.toMatch(/href="[^"]*\/impersonate"/);
    for (const answer of [await grace.visitor.get(`/people/${ada.id}/impersonate`), await force(grace, ada.id)])
      expect([answer.status, titleOf(answer)]).toEqual([403, "Your role does not allow this"]);
    expect(rows.count("auth_impersonations where staff_id = ?", grace.id)).toBe(0);
  });

  test("support may not where it says admin, nor arrive by a way that an app asked for that lets support", async () => {
    const ada = await people.register("ada");
    const strictly = createStaff(strict.url, rows);
    const grace = await strictly.add("strict-grace", "support");
    expect((await grace.visitor.get(`/people/${ada.id}`)).text).not.toMatch(/href="[^"]*\/impersonate"/);
    const answer = await force(grace, ada.id);
    expect([answer.status, textOf(answer).includes("This takes the role admin")]).toEqual([403, true]);
    const admin = await strictly.add("strict-admin");
    expect((await force(admin, ada.id)).status).toBe(303);
  });

  test("neither app has anything of it where it is off, and a session from before is nobody's there", async () => {
    const { ada, browser } = await desk.pair();
    const secrets = secretsOf(browser);
    expect(await isServed(browserWith(off.url, secrets))).toBe(false);
    expect(await refreshes(browserWith(off.url, secrets))).toBe(false);
    const there = browserWith(off.url, secrets);
    const verified = await there.get(auth("verify"));
    expect([verified.status, verified.headers.get("x-auth-impersonator")]).toEqual([401, null]);
    for (const method of ["GET", "POST"]) expect((await there.request(method, "/impersonate")).status).toBe(404);
    expect(await isServed(browser)).toBe(true);
    expect(await isServed(browserWith(off.url, secretsOf(ada.client)))).toBe(true);
    const plain = await startTarget({
      app: "admin",
      roles: ["http"],
      env: { ...calm, DB_DATABASE: target.databasePath },
      migrate: false,
    });
    const grace = await createStaff(plain.url, rows).add("plain-grace");
    expect((await grace.visitor.get(`/people/${ada.id}`)).text).not.toMatch(/href="[^"]*\/impersonate"/);
    expect((await grace.visitor.get(`/people/${ada.id}/impersonate`)).status).toBe(404);
    await plain.stop();
  });
});
