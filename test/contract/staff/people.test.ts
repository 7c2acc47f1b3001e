import { expect, test } from "bun:test";
import { newId } from "../../../src/core/ids.ts";
import { auth, nextMail, type Person } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { eventually } from "../../support/log.ts";
import { createPageVisitor, textOf } from "../../support/staff.ts";
import { act, openDesk } from "./desk.fixture.ts";

const { app, rows, mailbox, people, staff, refuseMails } = await openDesk({
  LIGHTHOUSE_SECRET: "secret-of-lighthouse-0123456789-0123456789",
  LIGHTHOUSE_INSPECT_ENABLED: "true",
  AUTH_OIDC_ACME_ISSUER: "http://127.0.0.1:9",
  AUTH_OIDC_ACME_CLIENT_ID: "client",
  AUTH_OIDC_ACME_CLIENT_SECRET: "secret",
  AUTH_OIDC_ACME_DISPLAY_NAME: "Acme Login",
});
const { person: grace, desk } = await staff("grace");

const pageOf = async ({ id }: Pick<Person, "id">): Promise<string> => textOf(await desk.get(`/people/${id}`));
const wrongPassword = ({ email }: Person) =>
  createClient(app.url).post(auth("login"), { login: email, password: "not the right one" });

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

test("providers are called as their buttons are, also those that this app does not know", async () => {
  const ada = await people.register("ada");
  rows.run("update users set password_hash = null where id = ?", ada.id);
  for (const provider of ["github", "acme", "gone"])
    rows.run(
      `insert into auth_identities (id, user_id, provider, issuer, subject, email, linked_at)
       values (?, ?, '${provider}', 'i', ?, 'ada', 0)`,
      newId(),
      ada.id,
      newId(),
    );
  const page = await pageOf(ada);
  for (const name of ["GitHub", "Acme Login", "gone"]) expect(page).toContain(`${name} ada`);
  expect(page).toMatch(/No password: signs in with .*GitHub/);
});

test("the page of somebody who is locked out says so, until when and why, and unlocking lets them in", async () => {
  const ada = await people.register("ada");
  expect(await pageOf(ada)).toContain("Can sign in");
  for (let tried = 0; tried < 5; tried += 1) await wrongPassword(ada);
  // Refused sign-ins are written to the audit log after their answers.
  await eventually("the address is known", async () => (await pageOf(ada)).includes("the last one from"));
  const page = await pageOf(ada);
  expect(page).toContain("Can’t sign in now");
  expect(page).toMatch(
    /Locked until (?:\d+ \w+ \d+, )?\d\d:\d\d after 5 wrong passwords, the last one from 127\.0\.0\.1\./,
  );
  expect((await wrongPassword(ada)).status).toBe(423);
  const unlocked = textOf(await act(desk, ada.id, "unlock"));
  expect(unlocked).toContain("Unlocked: the wrong passwords until now are forgotten.");
  expect(unlocked).toContain("Can sign in");
  expect(await ada.login()).toBeDefined();
  expect(textOf(await act(desk, ada.id, "unlock"))).toContain("There was nothing to unlock.");
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
      /Last mail Reset your password: given up, as the mailbox does not take it \( just now , [^:]+:\d\d \): 550 5\.1\.1/,
    );
  } finally {
    refuseMails(undefined);
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

test("whatever stands in the address of the list, it answers with a page", async () => {
  const long = "x".repeat(3_000);
  for (const query of [
    "state=evil",
    `search=${long}`,
    "search=%00%F0%9F",
    "role=%22%3E",
    "search=%25_%27",
    "state=locked&role=a&search=b",
  ])
    expect([query, (await desk.get(`/people?${query}`)).status]).toEqual([query, 200]);
  for (const cursor of ["evil", "W10", long]) expect((await desk.get(`/people?cursor=${cursor}`)).status).toBe(400);
  for (const id of ["..%2f..%2fetc", "%00", "%2F%2Fevil.example", long])
    expect([400, 404, 414]).toContain((await desk.get(`/people/${id}`)).status);
  const { text } = await desk.get(`/people/${grace.id}?before=evil`);
  expect(text).not.toContain("First page");
});

test("without a session the pages of people lead to the sign-in", async () => {
  const stranger = createPageVisitor(desk.client.url);
  const answer = await stranger.get("/people?search=ada");
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/login?next=%2Fpeople%3Fsearch%3Dada"]);
});

test("what Lighthouse has recorded about somebody is on their page, with a link to each", async () => {
  const ada = await people.register("ada");
  await act(desk, ada.id, "verify");
  await eventually("the act is recorded", async () => (await pageOf(ada)).includes("POST /people/:id/verify"));
  const { text } = await desk.get(`/people/${ada.id}`);
  const [, path = ""] = /<a href="(\/lighthouse\/inspects\/[\w-]+)">POST \/people\/:id\/verify/.exec(text) ?? [];
  const answer = await desk.get(path);
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    `/lighthouse/sign-in?next=${encodeURIComponent(path)}`,
  ]);
  expect(await pageOf(await people.register("grace"))).not.toContain("POST /people/:id/verify");
});

test("a page that ends with a long name leads to the next one", async () => {
  const display_name = `Verbose ${"\ufdfa".repeat(190)}`;
  await people.register("verbose", { display_name });
  rows.run(
    `insert into users (id, username, username_key, email, email_key, display_name, display_name_key, active, created_at, updated_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < 60)
     select '00000000-0000-7000-9000-' || substr(cast(1000000000000 + i as text), 2), 'wordy' || i, 'wordy' || i, 'wordy' || i || '@example.test', 'wordy' || i || '@example.test',
       display_name, display_name_key, 1, 1, 1 from n, users where display_name = ?`,
    display_name,
  );
  const { text } = await desk.get(`/people?search=${encodeURIComponent("verbose \ufdfa")}`);
  const path = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const next = await desk.get(path);
  expect([next.status, [...next.text.matchAll(/href="\/people\/[\da-f-]{36}"/g)].length]).toEqual([200, 11]);
});

test("where a proxy keeps Lighthouse from staff, no page links to it", async () => {
  const ada = await people.register("ada");
  await act(desk, ada.id, "verify");
  await eventually("the act is recorded", async () => (await pageOf(ada)).includes("POST /people/:id/verify"));
  const linksOf = async (headers: Record<string, string>): Promise<readonly string[]> => {
    const { text } = await desk.client.get(`/people/${ada.id}`, { headers });
    expect(text).toContain("POST /people/:id/verify");
    return [...text.matchAll(/href="(\/lighthouse[^"]*)"/g)].map(([, path = ""]) => path.replace(/[\w-]{20,}/, ":id"));
  };
  expect(new Set(await linksOf({}))).toEqual(
    new Set(["/lighthouse", "/lighthouse/inspects/:id", "/lighthouse?user=:id"]),
  );
  expect(await linksOf({ "x-forwarded-for": "192.0.2.1" })).toEqual([]);
});

test("a count stops at a thousand, and the list goes on page by page", async () => {
  rows.run(
    `insert into users (id, username, username_key, email, email_key, display_name, display_name_key, active, created_at, updated_at)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
     select '00000000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), 'crowd' || i, 'crowd' || i, 'crowd' || i || '@example.test', 'crowd' || i || '@example.test',
       'Crowd', 'crowd', 0, 1, 1 from n`,
  );
  const list = await desk.get("/people?search=crowd");
  expect(textOf(list)).toMatch(/All 1,000\+ Disabled 1,000\+ Locked \d Address not proven 1,000\+/);
  const seen = new Set<string>();
  let path: string | undefined = "/people?search=crowd";
  for (let page = 0; page < 30 && path !== undefined; page += 1) {
    const { text } = await desk.get(path);
    for (const [, id = ""] of text.matchAll(/href="\/people\/([\da-f-]{36})"/g)) seen.add(id);
    path = /href="([^"]*)" rel="next"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  expect([seen.size, path]).toEqual([1001, undefined]);
});
