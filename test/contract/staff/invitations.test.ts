import { afterAll, describe, expect, test } from "bun:test";
import { hour } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { createStaff, textOf, type StaffMember } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";

const { target, rows, mailbox } = await stage({ app: "admin", roles: ["http"] });
// The API app sends the mail, and has the page of its link.
const api = await startTarget({ env: target.env, roles: ["http", "worker"], migrate: false, shared: true });
afterAll(() => api.stop());
const staff = createStaff(target.url, rows);

const page = "/people/invitations";
const acted = async ({ visitor }: StaffMember, action: string): Promise<string> => {
  const answer = await visitor.submit(page, {}, action);
  if (answer.status !== 303) return textOf(answer);
  return textOf(await visitor.get(page));
};
const idOf = (email: string): unknown => rows.get("select id from auth_invitations where email = ?", email)["id"];
async function tokenTo(email: string): Promise<string> {
  const { text } = await mailbox.next(email);
  return /token=([\w-]{43})/.exec(text)?.[1] ?? "";
}
const accept = (token: string) =>
  createClient(api.url).post("/api/v1/auth/invitation/accept", { token, password: "a long walk by the sea" });

describe("the page of invitations", () => {
  test("I-19 invites by a form, in the name of whoever is signed in, and says what is wrong with it", async () => {
    const grace = await staff.add("grace");
    const wrong = await grace.visitor.submit(page, { email: "no address", roles: "Admin", days: "7" });
    expect(wrong.status).toBe(400);
    expect(textOf(wrong)).toContain("This is not an email address.");
    const roles = await grace.visitor.submit(page, { email: "ada@invited.test", roles: "Admin", days: "7" });
    expect(textOf(roles)).toContain("Roles must be names of a to z");
    expect(wrong.text).toContain('value="no address"');
    const email = "ada@invited.test";
    const fields = { email, display_name: "Ada", roles: "editor, admin", locale: "de", days: "3" };
    expect((await grace.visitor.submit(page, fields)).headers.get("location")).toBe(page);
    const shown = textOf(await grace.visitor.get(page));
    expect(shown).toContain(`${email} is invited: the link works until`);
    expect(shown).toContain("admin, editor");
    const mail = await mailbox.next(email);
    expect(mail.message.subject).toBe("grace lädt Sie zu Gatehouse ein");
    expect(mail.text).not.toContain(grace.email);
    const [, token = ""] = /token=([\w-]{43})/.exec(mail.text) ?? [];
    expect((await accept(token)).at("user.roles")).toEqual(["admin", "editor"]);
    const told = rows.all(
      "select action, actor, actor_user_id from audit_events where invitation_id = ? order by at",
      String(idOf(email)),
    );
    expect(told[0]).toEqual({ action: "auth.user-invited", actor: "staff", actor_user_id: grace.id });
    expect(textOf(await grace.visitor.submit(page, { email, days: "7" }))).toContain(
      "There is an account with this address already",
    );
    rows.run("update users set active = 0 where email_key = ?", email);
    expect(textOf(await grace.visitor.submit(page, { email, days: "7" }))).toContain("and it is disabled");
    expect(textOf(await grace.visitor.get(`${page}?all=1`))).toContain("accepted the account");
  });

  test("I-19 sends again and withdraws, and the notice takes a withdrawal back", async () => {
    const grace = await staff.add("grace");
    const email = "alan@invited.test";
    await grace.visitor.submit(page, { email, roles: "editor", days: "1" });
    const first = await tokenTo(email);
    rows.letPass(25 * hour);
    const again = await staff.add("grace");
    expect(await acted(again, `${page}/${String(idOf(email))}/resend`)).toContain(`${email} is invited again`);
    const second = await tokenTo(email);
    expect((await accept(first)).at("code")).toBe("invitation_expired");
    expect(await acted(again, `${page}/${String(idOf(email))}/withdraw`)).toContain("its links work no longer");
    expect((await accept(second)).at("code")).toBe("invitation_withdrawn");
  });

  test("I-19 asks for the password again before it sends anything, ten minutes after it was given", async () => {
    const grace = await staff.add("grace");
    rows.letPass(11 * 60_000);
    const email = "mary@invited.test";
    const asked = await grace.visitor.submit(page, { email, days: "7" });
    expect(asked.status).toBe(403);
    expect(rows.count("auth_invitations where email = ?", email)).toBe(0);
  });

  test("I-11 the invitations of somebody who is staff no longer are void, and take nothing over into the next one", async () => {
    const [grace, hedy] = [await staff.add("grace"), await staff.add("hedy")];
    const email = "eve@invited.test";
    await grace.visitor.submit(page, { email, roles: "admin", days: "7" });
    const token = await tokenTo(email);
    rows.run("update users set roles = 'editor' where id = ?", grace.id);
    expect((await accept(token)).at("code")).toBe("invitation_withdrawn");
    expect(textOf(await hedy.visitor.get(page))).toContain("void whoever invited may no longer");
    await hedy.visitor.submit(page, { email, days: "7" });
    expect((await accept(await tokenTo(email))).at("user.roles")).toEqual([]);
  });
});
