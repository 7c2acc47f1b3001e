import { expect, test } from "bun:test";
import { auth, minute, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { createPageVisitor, hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { act, openDesk } from "./desk.fixture.ts";

const { app, rows, mailbox, people, staff, audit, refuseMails } = await openDesk();
const { person: grace, desk } = await staff("grace");

const pageOf = async ({ id }: Pick<Person, "id">): Promise<string> => textOf(await desk.get(`/people/${id}`));
const wrongPassword = ({ email }: Person) =>
  createClient(app.url).post(auth("login"), { login: email, password: "not the right one" });
const lastOf = async ({ id }: Person, action: string) => (await audit.about(id, 1, action)).at(-1);

test("somebody is found by the beginning of their address, user name or display name, and a whole one leads to them", async () => {
  const mary = await people.register("mary", { display_name: "Éva Ωmega" });
  rows.run("update users set username = 'Quill', username_key = 'quill' where id = ?", mary.id);
  for (const search of ["mary", "MARY", "qui", "éva", "eva", "Éva ω"]) {
    const answer = await desk.get(`/people?search=${encodeURIComponent(search)}`);
    expect([search, answer.status]).toEqual([search, 200]);
    expect(answer.text).toContain(`href="/people/${mary.id}"`);
  }
  for (const search of [mary.email, mary.email.toUpperCase(), "Quill", mary.id]) {
    const answer = await desk.get(`/people?search=${encodeURIComponent(search)}`);
    expect([search, answer.headers.get("location")]).toEqual([search, `/people/${mary.id}`]);
  }
  expect((await desk.get("/people/quill")).headers.get("location")).toBe(`/people/${mary.id}`);
  const nobody = await desk.get("/people?search=%3Cb%3Enobody");
  expect(textOf(nobody)).toContain("begins with “ <b>nobody ”, or that id.");
  expect(nobody.text).toContain('value="&lt;b&gt;nobody"');
});

test("a filter is a link with a count, and shows whom it counts", async () => {
  const [disabled, locked, editor] = [
    await people.register("dora"),
    await people.register("lotte"),
    await people.register("edda"),
  ];
  for (const person of [disabled, locked, editor]) rows.prove(person);
  await act(desk, disabled.id, "disable");
  await act(desk, editor.id, "roles", { add: "editor" });
  for (let tried = 0; tried < 5; tried += 1) await wrongPassword(locked);
  const list = textOf(await desk.get("/people"));
  expect(list).toMatch(/Disabled 1 Locked 1 Address not proven \d+ /);
  expect(list).toMatch(/Role admin 1 Role editor 1/);
  for (const [filter, { id }] of [
    ["state=disabled", disabled],
    ["state=locked", locked],
    ["role=editor", editor],
  ] as const) {
    const { text } = await desk.get(`/people?${filter}`);
    expect([filter, [...text.matchAll(/href="\/people\/([\da-f-]{36})"/g)].map(([, found]) => found)]).toEqual([
      filter,
      [id],
    ]);
    expect(text).toMatch(new RegExp(`href="/people\\?${filter}" aria-current="true"`));
  }
  expect(textOf(await desk.get("/people?role=nobody-has-it"))).toContain("Nobody is in this list.");
});

test("the page of somebody who is locked out says so, until when and why, and unlocking lets them in", async () => {
  const ada = await people.register("ada");
  expect(await pageOf(ada)).toContain("Can sign in");
  for (let tried = 0; tried < 5; tried += 1) await wrongPassword(ada);
  const page = await pageOf(ada);
  expect(page).toContain("Can’t sign in now");
  expect(page).toMatch(/Locked until \d\d:\d\d after 5 wrong passwords, the last one from 127\.0\.0\.1\./);
  expect((await wrongPassword(ada)).status).toBe(423);
  const unlocked = textOf(await act(desk, ada.id, "unlock"));
  expect(unlocked).toContain("Unlocked: the wrong passwords until now are forgotten.");
  expect(unlocked).toContain("Can sign in");
  expect(await ada.login()).toBeDefined();
  expect(textOf(await act(desk, ada.id, "unlock"))).toContain("There was nothing to unlock.");
});

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
  expect(textOf(await act(desk, ada.id, "end-sessions", { session: String(foreign) }))).toContain("no session to end");
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

test("what became of the last mail is part of the answer, in the words of the relay", async () => {
  const ada = await people.register("ada");
  await nextMail(mailbox, ada.email, "Verify your email");
  refuseMails(Object.assign(new Error("5.1.1 no such mailbox"), { responseCode: 550 }));
  try {
    await act(desk, ada.id, "send-reset");
    await eventually("the refusal is on the page", async () =>
      (await pageOf(ada)).includes("550 5.1.1 no such mailbox"),
    );
    expect(await pageOf(ada)).toMatch(
      /Last mail Reset your password: refused by the relay just now , [^:]+:\d\d : 550 5\.1\.1/,
    );
  } finally {
    refuseMails(undefined);
  }
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
  // The page that asks carries what was typed.
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
  for (const add of ["Editor", "", "x".repeat(33), "admin editor"]) {
    const answer = await act(desk, ada.id, "roles", { add });
    expect([add, answer.status]).toEqual([add, 400]);
  }
});

test("S-24 what people have chosen is text on the pages, whatever is in it", async () => {
  const hostile = `"><script>alert(1)</script>\u202e<b>&amp;`;
  const ada = await people.register("ada");
  rows.run(
    "update users set display_name = ?, username = ?, email = ? where id = ?",
    hostile,
    hostile,
    hostile,
    ada.id,
  );
  rows.run("update auth_sessions set user_agent = ?1, ip_address = ?1 where user_id = ?2", hostile, ada.id);
  rows.run(
    `insert into audit_events (id, at, app, action, outcome, reason, actor, subject_user_id, address, user_agent, count, service)
     values ('0197a000-0000-7000-8000-00000000000a', 1, ?1, ?1, 'failure', ?1, ?1, ?2, ?1, ?1, 1, ?1)`,
    hostile,
    ada.id,
  );
  for (const path of [`/people/${ada.id}`, `/people/${ada.id}/delete`, "/people"]) {
    const { status, text } = await desk.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<b>");
  }
});

test("without JavaScript and without a session the pages of people are out of reach", async () => {
  const stranger = createPageVisitor(desk.client.url);
  const answer = await stranger.get("/people?search=ada");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fpeople%3Fsearch%3Dada"]);
});
