import { expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { auth, minute, type Person } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { runGatehouse } from "../../support/process.ts";
import { hiddenFields, textOf, titleOf } from "../../support/staff.ts";
import { openDesk } from "../staff/desk.fixture.ts";

const { app, audit, people, rows, staff } = await openDesk();

const run = (...args: readonly string[]) => runGatehouse(args, { cwd: app.folder, env: app.env, stdin: "" });

/** Registers somebody, and waits until the mail that follows has gone: two exports are compared. */
async function settled(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Person> {
  const person = await people.register(name, fields);
  await eventually("the mail is sent", () => rows.count("mails where user_id = ? and state = 'sent'", person.id) === 1);
  await eventually("its job is done", () => rows.count("jobs") === 0);
  return person;
}

/** What differs between two exports of one moment: when they were made, and the rows that they leave. */
function comparable(text: string): object {
  const { exported_at, ok, events, sessions, ...kept }: Readonly<Record<string, unknown>> = JSON.parse(text);
  expect(typeof exported_at).toBe("string");
  expect(ok === undefined || ok === true).toBe(true);
  expect(Array.isArray(events) && Array.isArray(sessions)).toBe(true);
  return kept;
}

test("S-58 a command writes what is kept of one account: what its person gets, whole, and a row that says so", async () => {
  const ada = await settled("ada", { display_name: "Ada „Lovelace“" });
  // More than a page of the log.
  rows.run(
    `insert into audit_events (id, at, app, action, outcome, actor, subject_user_id, count)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < 4100)
     select '0197b000-0000-7000-8000-' || substr(cast(1000000000000 + i as text), 2), 1700000000000 + i, 'app', 'auth.logged-in', 'success', 'user', ?, 1 from n`,
    ada.id,
  );
  const path = join(app.folder, "ada.json");
  expect(await run("user:export", "--user", ada.email, "--output", path)).toMatchObject({
    code: 0,
    stdout: `wrote what is kept of ${ada.email} to ${path}\n`,
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const text = await Bun.file(path).text();
  const own = await ada.client.get(auth("account/export"));
  expect(comparable(text)).toEqual({ ...comparable(own.text), next: null });
  const { events }: { events: readonly { id: string; action: string }[] } = JSON.parse(text);
  expect(events.length).toBe(rows.count("audit_events where subject_user_id = ?", ada.id));
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  expect(events[0]?.action).toBe("auth.user-exported");
  expect(text).not.toContain("argon2");
  const printed = await run("user:export", "--user", ada.username);
  expect(comparable(printed.stdout)).toEqual({ ...comparable(own.text), next: null });
  expect(await audit.about(ada.id, 2, "auth.user-exported")).toMatchObject([
    { actor: "operator" },
    { actor: "operator" },
  ]);
});

test("S-58 nobody's is nothing, and hashes are no part of one person's file", async () => {
  expect(await run("user:export", "--user", "nobody-at-all")).toMatchObject({ code: 1, stdout: "" });
  expect(await run("user:export", "--user", "nobody-at-all", "--with-hashes")).toMatchObject({ code: 2, stdout: "" });
});

test("S-58 an admin downloads it on the page of the person, after a fresh proof, and the log says who", async () => {
  const ada = await settled("ada");
  const { person: grace, desk } = await staff("grace");
  expect((await desk.get(`/people/${ada.id}`)).text).toContain(`href="/people/${ada.id}/export"`);
  const path = `/people/${ada.id}/export`;
  const asked = await desk.get(path);
  expect(titleOf(asked)).toContain("Write out what is kept of");
  const { csrf = "" } = hiddenFields(asked.text, path);
  rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 11 * minute, grace.id);
  const proof = await desk.send(path, { csrf });
  expect([proof.status, audit.all("action = 'auth.user-exported' and subject_user_id = ?", ada.id)]).toEqual([403, []]);
  const file = await desk.send(path, { ...hiddenFields(proof.text, path), current_password: grace.password });
  expect(file.status).toBe(200);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename="account-${ada.id}.json"`);
  expect(file.headers.get("cache-control")).toContain("no-store");
  expect(comparable(file.text)).toEqual(comparable((await ada.client.get(auth("account/export"))).text));
  expect(await audit.about(ada.id, 1, "auth.user-exported")).toMatchObject([
    { actor: "staff", actor_user_id: grace.id, app: "admin" },
  ]);
  expect(textOf(await desk.get(`/people/${ada.id}`))).toContain("Everything that is kept of the account written out");
});
