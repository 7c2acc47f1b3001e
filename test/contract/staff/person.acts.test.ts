import { expect, test } from "bun:test";
import { auth, minute, nextMail, type Person } from "../../support/auth.ts";
import { hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { act, openDesk } from "./desk.fixture.ts";

const { rows, mailbox, people, staff, audit } = await openDesk();
const { person: grace, desk } = await staff("grace");

const lastOf = async ({ id }: Person, action: string) => (await audit.about(id, 1, action)).at(-1);

test("S-20 each act is in the audit log with the account of who did it, and in what happened on the page", async () => {
  const ada = await people.register("ada");
  await ada.login();
  const done: (readonly [act: string, fields: Record<string, string>, action: string, says: string])[] = [
    ["disable", {}, "auth.user-disabled", "Disabled: every session has ended"],
    ["enable", {}, "auth.user-enabled", "Enabled: the account can be signed in to again."],
    ["verify", {}, "auth.email-verified", "The address counts as proven."],
    ["send-reset", {}, "auth.password-reset-sent", "A mail with a link for a new password is on its way."],
    ["roles", { add: "editor" }, "auth.role-added", "The role editor is given"],
    ["roles", { remove: "editor" }, "auth.role-removed", "The role editor is taken"],
  ];
  for (const [name, fields, action, says] of done) {
    expect([name, textOf(await act(desk, ada.id, name, fields))]).toEqual([name, expect.stringContaining(says)]);
    expect(await lastOf(ada, action)).toMatchObject({
      actor: "staff",
      actor_user_id: grace.id,
      app: "admin",
      address: "127.0.0.1",
    });
  }
  const client = await ada.login();
  expect(textOf(await act(desk, ada.id, "end-sessions"))).toContain("One session has ended");
  expect((await client.get(auth("me"))).status).toBe(401);
  expect(await lastOf(ada, "auth.session-revoked")).toMatchObject({ actor: "staff", actor_user_id: grace.id });
  const page = await desk.get(`/people/${ada.id}`);
  expect(page.text).toContain(`<a href="/people/${grace.id}">you</a>`);
});

test("what other staff did stands there with the name of each, and with the beginning of the id once they are gone", async () => {
  const ada = await people.register("ada");
  const [{ person: mary, desk: marys }, { person: gone, desk: goners }] = [await staff("mary"), await staff("gone")];
  await act(marys, ada.id, "verify");
  await act(goners, ada.id, "disable");
  await act(desk, gone.id, "delete", { username: gone.username });
  const { text } = await desk.get(`/people/${ada.id}`);
  expect(text).toMatch(new RegExp(`<a [^>]*href="/people/${mary.id}"[^>]*>mary`));
  expect(text).toContain(`deleted account ${gone.id.slice(0, 8)}`);
});

test("giving a role that somebody has, or taking one that they have not, says so and offers nothing to undo", async () => {
  const ada = await people.register("ada");
  await act(desk, ada.id, "roles", { add: "editor" });
  const again = textOf(await act(desk, ada.id, "roles", { add: "editor" }));
  expect(again).toContain("The account has the role editor already.");
  expect(again).not.toContain("Take it again");
  expect(textOf(await act(desk, ada.id, "roles", { remove: "support" }))).toContain(
    "The account did not have the role support.",
  );
  expect(audit.all("subject_user_id = ? and action = 'auth.role-added'", ada.id)).toHaveLength(1);
});

test("an act and its refusal are told in the language of who did it", async () => {
  const [ada, { desk: own, person }] = [await people.register("ada"), await staff("ida")];
  rows.run("update users set locale = 'de' where id = ?", person.id);
  expect(textOf(await act(own, ada.id, "disable"))).toContain("Deaktiviert: Alle Sitzungen sind beendet");
  expect(textOf(await act(own, ada.id, "enable"))).toContain(
    "Aktiviert: Die Anmeldung bei dem Konto ist wieder möglich.",
  );
  const refused = await act(own, person.id, "disable");
  expect([refused.status, textOf(refused)]).toEqual([
    409,
    expect.stringContaining("Der Grund: niemand kann das beim eigenen Konto tun"),
  ]);
  expect(textOf(await act(own, ada.id, "roles", { add: "Editor" }))).toContain("Rollen sind Namen aus a bis z");
});

test("one session is ended and the others go on", async () => {
  const ada = await people.register("ada");
  const [kept, ended] = [await ada.login(), await ada.login()];
  const listedSessions = rows.all<{ id: string }>(
    "select id from auth_sessions where user_id = ? order by created_at, id",
    ada.id,
  );
  const page = await act(desk, ada.id, "end-sessions", { session: listedSessions.at(-1)?.id ?? "" });
  expect(textOf(page)).toContain("One session has ended");
  expect([(await kept.get(auth("me"))).status, (await ended.get(auth("me"))).status]).toEqual([200, 401]);
  const grandeur = await people.register("ada");
  const foreign = rows.get("select id from auth_sessions where user_id = ?", grandeur.id)["id"];
  expect(textOf(await act(desk, ada.id, "end-sessions", { session: String(foreign) }))).toContain(
    "session had ended already",
  );
  expect((await grandeur.client.get(auth("me"))).status).toBe(200);
});

test("M-07 staff start a reset, whose link goes to the address of the account alone, and see and set no password", async () => {
  const ada = await people.register("ada");
  const sent = await act(desk, ada.id, "send-reset");
  const mail = await nextMail(mailbox, ada.email, "Reset your password");
  const token = /token=([\w-]+)/.exec(mail.text)?.[1] ?? "no token";
  const page = await desk.get(`/people/${ada.id}`);
  const hash = String(rows.get("select password_hash from users where id = ?", ada.id)["password_hash"]);
  for (const { text } of [sent, page, await desk.get("/people"), await desk.get(`/people/${ada.id}/delete`)]) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(hash);
    expect(text).not.toContain('type="password"');
  }
  for (const field of ["password", "new_password", "current_password"])
    await act(desk, ada.id, "send-reset", { [field]: "another long walk by the sea" });
  expect(rows.get("select password_hash from users where id = ?", ada.id)["password_hash"]).toBe(hash);
});

test("to an account without a password staff mail a link for the first one, and the button says so", async () => {
  const [ada, alan] = [await people.register("ada"), await people.register("alan")];
  rows.run("update users set password_hash = null where id = ?", ada.id);
  const label = "Mail a link for the first password";
  const page = await desk.get(`/people/${ada.id}`);
  expect([page.text.includes(label), page.text.includes("Mail a reset link")]).toEqual([true, false]);
  const other = await desk.get(`/people/${alan.id}`);
  expect([other.text.includes(label), other.text.includes("Mail a reset link")]).toEqual([false, true]);
  const sent = await act(desk, ada.id, "send-reset");
  expect(textOf(sent)).toContain("A mail with a link for the first password is on its way.");
  await nextMail(mailbox, ada.email, "Choose your first password");
  expect((await desk.get(`/people/${ada.id}`)).text).toContain("Choose your first password");
});

test("S-21 acts that would hurt in other hands ask for the password after ten minutes, and then go on", async () => {
  const [ada, { desk: own, person }] = [await people.register("ada"), await staff("heidi")];
  const isProven = "update auth_sessions set proved_at = proved_at - ?, created_at = created_at - ? where user_id = ?";
  rows.run(isProven, 11 * minute, 11 * minute, person.id);
  for (const [name, fields] of [
    ["disable", {}],
    ["end-sessions", {}],
    ["verify", {}],
    ["roles", { add: "admin" }],
    ["delete", { username: ada.username }],
  ] as const) {
    const asked = await act(own, ada.id, name, fields);
    expect([name, asked.status, titleOf(asked)]).toEqual([name, 403, "Confirm that it is you"]);
  }
  const wrong = await act(own, ada.id, "disable", { current_password: "not the right one" });
  expect([wrong.status, titleOf(wrong)]).toEqual([401, "Confirm that it is you"]);
  const { active, email_verified_at, roles } = rows.get("select * from users where id = ?", ada.id);
  expect([active, email_verified_at, roles]).toEqual([1, null, ""]);
  expect((await ada.client.get(auth("me"))).status).toBe(200);
  // The page that asks for the proof carries the typed text.
  const asked = await act(own, ada.id, "roles", { add: "editor" });
  const fields = { ...hiddenFields(asked.text, `/people/${ada.id}/roles`), current_password: person.password };
  const done = await own.send(`/people/${ada.id}/roles`, fields);
  expect(done.headers.get("location")).toBe(`/people/${ada.id}`);
  expect(rows.get("select roles from users where id = ?", ada.id)).toEqual({ roles: "editor" });
  expect(textOf(await act(own, ada.id, "disable"))).toContain("Disabled: every session has ended");
});

test("an account is deleted once its user name was typed, and its page says that it is gone", async () => {
  const ada = await people.register("ada");
  const asked = await desk.get(`/people/${ada.id}/delete`);
  expect([asked.status, textOf(asked)]).toEqual([200, expect.stringContaining("Nobody can bring it back.")]);
  for (const username of ["", "somebody", `${ada.username} x`]) {
    const answer = await act(desk, ada.id, "delete", { username });
    expect([answer.status, textOf(answer)]).toEqual([
      400,
      expect.stringContaining("not the user name of the account, which is"),
    ]);
  }
  const done = await act(desk, ada.id, "delete", { username: ada.username });
  expect(textOf(done)).toContain(`The account ${ada.username} is deleted.`);
  expect(titleOf(done)).toBe("People");
  expect(rows.count("users where id = ?", ada.id)).toBe(0);
  expect(await lastOf(ada, "auth.user-deleted")).toMatchObject({ actor: "staff", actor_user_id: grace.id });
  const gone = await desk.get(`/people/${ada.id}`);
  expect([gone.status, titleOf(gone)]).toEqual([404, "There is nothing here"]);
});

test("S-22 an act on an account that was deleted meanwhile reaches nobody, not even whoever has its id as a name", async () => {
  const [ada, mallory] = [await people.register("ada"), await people.register("mallory")];
  const { csrf = "" } = hiddenFields((await desk.get(`/people/${ada.id}`)).text, "/logout");
  await act(desk, ada.id, "delete", { username: ada.username });
  rows.run("update users set username = ?1, username_key = ?1 where id = ?2", ada.id, mallory.id);
  for (const [name, fields] of [
    ["roles", { add: "admin" }],
    ["verify", {}],
    ["disable", {}],
    ["delete", { username: ada.id }],
  ] as const) {
    const answer = await desk.send(`/people/${ada.id}/${name}`, { csrf, ...fields });
    expect([name, answer.status, titleOf(answer)]).toEqual([name, 404, "There is nothing here"]);
  }
  expect(rows.get("select roles, active, email_verified_at from users where id = ?", mallory.id)).toEqual({
    roles: "",
    active: 1,
    email_verified_at: null,
  });
});

test("S-23 nobody of the staff disables or deletes themselves or gives up their own role", async () => {
  const page = await desk.get(`/people/${grace.id}`);
  expect(textOf(page)).toContain("This is you.");
  expect(page.text).not.toContain(`/people/${grace.id}/disable`);
  for (const [name, fields] of [
    ["disable", {}],
    ["roles", { remove: "admin" }],
    ["delete", { username: grace.username }],
  ] as const) {
    const answer = await act(desk, grace.id, name, fields);
    expect([name, answer.status, textOf(answer)]).toEqual([name, 409, expect.stringContaining("another admin")]);
  }
  expect(rows.get("select active, roles from users where id = ?", grace.id)).toEqual({ active: 1, roles: "admin" });
});

test("of two of the staff who do the same at once, one does it, and the other learns that it was done", async () => {
  const [ada, { desk: other }] = [await people.register("ada"), await staff("heidi")];
  const answers = await Promise.all([act(desk, ada.id, "disable"), act(other, ada.id, "disable")]);
  const said = answers.map((answer) => (textOf(answer).includes("was disabled already") ? "already" : "done"));
  expect(said.toSorted()).toEqual(["already", "done"]);
  expect((await audit.about(ada.id, 1, "auth.user-disabled")).length).toBe(1);
});

test("a name of the role that is none is refused with a sentence", async () => {
  const ada = await people.register("ada");
  for (const [add, says] of [
    ["Editor", "Roles must be names of a to z"],
    ["", "Role is required."],
    ["x".repeat(33), "at most 32 characters"],
    ["admin editor", "Roles must be names of a to z"],
  ] as const) {
    const answer = await act(desk, ada.id, "roles", { add });
    expect([add, answer.status, textOf(answer)]).toEqual([add, 400, expect.stringContaining(says)]);
  }
});
