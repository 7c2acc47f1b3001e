import { describe, expect, test } from "bun:test";
import { auth, mailedToken, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { noteSecret } from "../../support/seen.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people, mailbox } = await stage();
const kit = serviceKit(target);
const audit = readAudit(rows);
const keeper = await kit.backend("keeper", "users:read,users:write");
const writer = await kit.backend("writer", "users:write");
const chief = await kit.backend("chief", "users:read,users:write,users:roles");

const userOf = (answer: Answer): Record<string, unknown> => ({ ...Object(answer.at("user")) });
const tagOf = (answer: Answer): string => answer.headers.get("etag") ?? "";
const stored = async ({ id }: Person) => userOf(await keeper.get(`/${id}`));
const faults = (answer: Answer): Record<string, unknown> =>
  Object.fromEntries(Object.keys(Object(answer.at("fields"))).map((name) => [name, answer.at(`fields.${name}.code`)]));
const levels = (count: number): object => (count === 1 ? {} : { a: levels(count - 1) });

describe("PATCH /api/v1/users/:id", () => {
  test("changes each field of the account, and shows it to services and the person", async () => {
    const ada = await people.register("ada");
    const patch = {
      email: `lovelace.${ada.id}@example.test`,
      email_verified: true,
      username: `lovelace-${ada.id.slice(-6)}`,
      display_name: "Ada Lovelace",
      avatar_url: "https://img.example.test/ada.png",
      timezone: "Europe/London",
      locale: "en-GB",
      external_id: `customer-${ada.id}`,
      app_metadata: { plan: "pro", seats: 3 },
      user_metadata: { theme: "dark" },
      private_metadata: { risk: 0.2 },
    };
    const answer = await keeper.patch(ada.id, patch);
    expect(answer.status).toBe(200);
    expect(userOf(answer)).toMatchObject({ id: ada.id, ...patch });
    expect(await stored(ada)).toMatchObject({ ...patch, pending_email: null });
    const me = userOf(await ada.client.get(auth("me")));
    const { private_metadata: _private, email_verified: _verified, external_id: _external, ...shown } = patch;
    expect(me).toMatchObject(shown);
    expect(me).not.toHaveProperty("private_metadata");
    const emptied = { avatar_url: null, timezone: null, locale: null, external_id: null, app_metadata: null };
    expect((await keeper.patch(ada.id, emptied)).status).toBe(200);
    expect(await stored(ada)).toMatchObject({ ...emptied, app_metadata: {}, user_metadata: { theme: "dark" } });
  });

  test("merges objects by RFC 7396: what is left out stays, null removes, lists are replaced", async () => {
    const ada = await people.register("ada");
    // The examples of appendix A whose outcome is an object.
    const cases: readonly (readonly [before: object, patch: object, after: object])[] = [
      [{ a: "b" }, { a: "c" }, { a: "c" }],
      [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
      [{ a: "b" }, { a: null }, {}],
      [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
      [{ a: ["b"] }, { a: "c" }, { a: "c" }],
      [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
      [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
      [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
      [{ a: "foo" }, { b: { c: { d: null } } }, { a: "foo", b: { c: {} } }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
      [{ a: "b" }, { constructor: { prototype: 1 } }, { a: "b", constructor: { prototype: 1 } }],
    ];
    for (const [before, patch, after] of cases) {
      await keeper.patch(ada.id, { app_metadata: null });
      await keeper.patch(ada.id, { app_metadata: before });
      const answer = await keeper.patch(ada.id, { app_metadata: patch });
      expect(answer.at("user.app_metadata")).toEqual(after);
    }
  });

  test("H-02 refuses metadata that can't be kept, names the field, and changes nothing", async () => {
    const ada = await people.register("ada");
    await keeper.patch(ada.id, { app_metadata: { kept: true }, user_metadata: { kept: true } });
    const before = await stored(ada);
    const tooMany = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, 1]));
    const manyShort = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, 1]));
    const bad: readonly (readonly [raw: string, code: string])[] = [
      ...["[]", '"text"', "7", "true"].map((value) => [value, "invalid_type"] as const),
      [JSON.stringify({ a: "x".repeat(8 * 1024) }), "too_large"],
      [JSON.stringify({ a: "ü".repeat(4 * 1024) }), "too_large"],
      [JSON.stringify(manyShort), "too_large"],
      [JSON.stringify(levels(9)), "too_deep"],
      [`${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`, "too_deep"],
      [`{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`, "too_deep"],
      ['{"__proto__":{"admin":true}}', "invalid_value"],
      ['{"a":{"__proto__":{"admin":true}}}', "invalid_value"],
      ['{"a":[{"__proto__":1}]}', "invalid_value"],
      ['{"a":9007199254740993}', "invalid_value"],
      ['{"a":-9007199254740993}', "invalid_value"],
      ['{"a":1e400}', "invalid_value"],
      ['{"a":1e30}', "invalid_value"],
      [String.raw`{"a":"\ud800"}`, "invalid_characters"],
      [String.raw`{"\udfff":1}`, "invalid_characters"],
    ];
    for (const field of ["app_metadata", "user_metadata", "private_metadata"])
      for (const [raw, code] of bad) {
        const answer = await keeper.patchRaw(ada.id, `{"display_name":"Mallory","${field}":${raw}}`);
        expect([answer.status, faults(answer)]).toEqual([400, { [field]: code }]);
      }
    for (const [raw, code] of bad)
      expect(faults(await keeper.patchRaw(`${ada.id}/`, `{"app_metadata":${raw}}`))).toEqual({ app_metadata: code });
    const large = await keeper.patchRaw(ada.id, JSON.stringify({ app_metadata: tooMany }));
    expect([large.status, large.at("code")]).toEqual([413, "payload_too_large"]);
    const own = (raw: string) =>
      ada.client.request("POST", auth("profile"), undefined, {
        headers: { "content-type": "application/json" },
        body: `{"display_name":"Mallory","user_metadata":${raw}}`,
      });
    for (const [raw, code] of bad) expect(faults(await own(raw))).toEqual({ user_metadata: code });
    expect(await stored(ada)).toEqual(before);
    expect("admin" in {}).toBe(false);
  });

  test("takes exactly 8 KiB and 8 levels, in bytes and for the outcome", async () => {
    const ada = await people.register("ada");
    const most = { a: "x".repeat(8 * 1024 - '{"a":""}'.length) };
    expect((await keeper.patch(ada.id, { app_metadata: most, private_metadata: levels(8) })).status).toBe(200);
    expect(faults(await keeper.patch(ada.id, { app_metadata: { b: 1 } }))).toEqual({ app_metadata: "too_large" });
    expect((await keeper.patch(ada.id, { app_metadata: { a: null, b: 1 } })).at("user.app_metadata")).toEqual({ b: 1 });
  });

  test("H-03 refuses fields that it does not know, and the routes for services refuse unknown fields and parameters alike", async () => {
    const ada = await people.register("ada");
    const before = await stored(ada);
    for (const body of [{ metadata: { plan: "pro" } }, { app_metadat: {} }, { is_admin: true }, { password: "x" }]) {
      const [name = ""] = Object.keys(body);
      expect(faults(await keeper.patch(ada.id, { display_name: "Mallory", ...body }))).toEqual({
        [name]: "invalid_value",
      });
      if (name !== "password")
        expect(faults(await keeper.post("", { email: "new@example.test", ...body }))).toEqual({
          [name]: "invalid_value",
        });
    }
    expect(faults(await keeper.post(`/${ada.id}/revoke-sessions`, { session: "x" }))).toEqual({
      session: "invalid_value",
    });
    expect(faults(await keeper.post("/invite", { email: "new@example.test", role: "admin" }))).toEqual({
      role: "invalid_value",
    });
    for (const [query, name] of [
      ["?e-mail=nosuch", "e-mail"],
      ["?Email=nosuch@example.test", "Email"],
      ["?limit=1&filter=all", "filter"],
      ["?email=a@example.test&email=b@example.test", "email"],
    ] as const)
      expect(faults(await keeper.get(query))).toEqual({ [name]: "invalid_value" });
    expect(faults(await keeper.get("/invitations?state=waiting"))).toEqual({ state: "invalid_value" });
    expect(faults(await keeper.get("?created_after=yesterday"))).toEqual({ created_after: "invalid_value" });
    expect(await stored(ada)).toEqual(before);
  });

  test("H-04 keeps a tag of what it can change: a stale If-Match is 412, and changes nothing", async () => {
    const ada = await people.register("ada");
    const first = await keeper.get(`/${ada.id}`);
    const tag = tagOf(first);
    expect(tag).toMatch(/^"[\w-]{20,}"$/);
    const patched = await keeper.patch(ada.id, { app_metadata: { n: 1 } }, { "if-match": tag });
    expect([patched.status, tagOf(patched) === tag]).toEqual([200, false]);
    expect(tagOf(await keeper.get(`/${ada.id}`))).toBe(tagOf(patched));
    const stale = await keeper.patch(ada.id, { app_metadata: { n: 2 } }, { "if-match": tag });
    expect([stale.status, stale.at("code")]).toEqual([412, "precondition_failed"]);
    const statusBy = async (ifMatch: string) => (await keeper.patch(ada.id, {}, { "if-match": ifMatch })).status;
    for (const weak of ['W/"x"', `W/${tagOf(patched)}`]) expect(await statusBy(weak)).toBe(412);
    for (const none of ["x", '"', "", tag.replaceAll('"', "")]) expect(await statusBy(none)).toBe(400);
    expect(await stored(ada)).toMatchObject({ app_metadata: { n: 1 } });
    await ada.client.post(auth("profile"), { user_metadata: { theme: "dark" } });
    expect((await keeper.patch(ada.id, { app_metadata: { n: 2 } }, { "if-match": tagOf(patched) })).status).toBe(412);
    const now = tagOf(await keeper.get(`/${ada.id}`));
    for (const right of [`"other", ${now}`, "*"])
      expect((await keeper.patch(ada.id, { app_metadata: { n: 1 } }, { "if-match": right })).status).toBe(200);
  });

  test("H-05 loses no update: 40 services and people patch one account at once, each its own name", async () => {
    const ada = await people.register("ada");
    const patches = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0
        ? keeper.patch(ada.id, { app_metadata: { [`a${at}`]: at }, private_metadata: { [`p${at}`]: at } })
        : ada.client.post(auth("profile"), { user_metadata: { [`u${at}`]: at } }),
    );
    const statuses = (await Promise.all(patches)).map(({ status }) => status);
    const user = await stored(ada);
    const kept = Object.keys({ ...Object(user["app_metadata"]), ...Object(user["user_metadata"]) }).length;
    // A request that lost too often says so, and has changed nothing.
    expect(kept).toBe(statuses.filter((status) => status === 200).length);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect(kept).toBeGreaterThan(20);
    expect(Object.keys(Object(user["private_metadata"])).length).toBe(Object.keys(Object(user["app_metadata"])).length);
  });

  test("an external id belongs to one account", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const id = `shared-${ada.id}`;
    expect((await keeper.patch(ada.id, { external_id: id })).status).toBe(200);
    const taken = await keeper.patch(grace.id, { external_id: id, display_name: "Mallory" });
    expect([taken.status, taken.at("code")]).toEqual([409, "external_id_taken"]);
    const made = await keeper.post("", { email: `new.${ada.id}@example.test`, external_id: id });
    expect([made.status, made.at("code")]).toEqual([409, "external_id_taken"]);
    const racing = await Promise.all(
      [ada, grace].map((person) => keeper.patch(person.id, { external_id: `race-${ada.id}` })),
    );
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(faults(await keeper.patch(ada.id, { external_id: "x".repeat(129) }))).toEqual({ external_id: "too_long" });
  });

  test("H-06 roles take a scope of their own, the account of one of the staff does, and the last admin stays one", async () => {
    const [ada, boss] = [await people.register("ada"), await people.register("boss")];
    expect((await keeper.patch(ada.id, { roles: ["editor"] })).status).toBe(403);
    expect((await chief.patch(ada.id, { roles: ["editor", "author"] })).at("user.roles")).toEqual(["author", "editor"]);
    expect((await chief.patch(ada.id, { roles: ["author", "support"] })).at("user.roles")).toEqual([
      "author",
      "support",
    ]);
    const given = await audit.about(ada.id, 3, "auth.role-added");
    expect(given.map(({ reason }) => reason).toSorted()).toEqual(["author", "editor", "support"]);
    expect((await audit.about(ada.id, 1, "auth.role-removed")).map(({ reason }) => reason)).toEqual(["editor"]);
    expect((await chief.patch(boss.id, { roles: ["admin"] })).status).toBe(200);
    expect((await keeper.patch(boss.id, { display_name: "Mallory" })).status).toBe(403);
    for (const { id } of [ada, boss]) expect((await keeper.patch(id, { email: "m@example.test" })).status).toBe(403);
    const last = await chief.patch(boss.id, { roles: [] });
    expect([last.status, last.at("code")]).toEqual([409, "last_admin"]);
    expect(await stored(boss)).toMatchObject({ roles: ["admin"], email: boss.email });
    expect((await keeper.patch("00000000-0000-7000-8000-000000000000", { display_name: "x" })).status).toBe(404);
  });

  test("H-07 a new address is unverified, the left one is told with a way back, and its links are void", async () => {
    const ada = await people.register("ada");
    rows.run("update users set email_verified_at = ? where id = ?", Date.now(), ada.id);
    await createClient(target.url).post(auth("password-reset/request"), { login: ada.email });
    const reset = await mailedToken(mailbox, ada.email, "Reset your password");
    const email = `moved.${ada.id}@example.test`;
    const moved = userOf(await keeper.patch(ada.id, { email }));
    expect(moved).toMatchObject({ email, email_verified: false });
    const confirm = await createClient(target.url).post(auth("password-reset/confirm"), {
      token: reset,
      new_password: "another walk by the sea",
    });
    expect(confirm.status).toBe(401);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
    const back = await mailedToken(mailbox, ada.email, "Your email address was changed");
    expect((await createClient(target.url).post(auth("email-change/undo"), { token: back })).status).toBe(200);
    expect(await stored(ada)).toMatchObject({ email: ada.email, email_verified: true });
    const taken = await keeper.patch(ada.id, { email: (await people.register("grace")).email });
    expect([taken.status, taken.at("code")]).toEqual([409, "email_taken"]);
    expect(faults(await keeper.patch(ada.id, { email: "no address" }))).toEqual({ email: "invalid_email" });
  });

  test("tells of a change by the names of what was changed, and never by values", async () => {
    const ada = await people.register("ada");
    await keeper.patch(ada.id, { display_name: "Ada", app_metadata: { secret: "a value of ada" } });
    await keeper.patch(ada.id, { display_name: "Ada" });
    const told = await audit.about(ada.id, 1, "auth.user-updated");
    expect(told.map(({ reason, service }) => [reason, service])).toEqual([["display_name app_metadata", "keeper"]]);
    expect(JSON.stringify(rows.all("select * from audit_events where subject_user_id = ?", ada.id))).not.toContain(
      "a value",
    );
  });
});

test("H-01 private metadata appears nowhere but in answers to services that read users, and in user:export", async () => {
  const mark = "the-private-mark-7f3a9";
  const ada = await people.register("ada");
  // From here on logs, metrics, errors and inspects of this target are searched for it.
  expect((await keeper.patch(ada.id, { private_metadata: { note: mark } })).text).toContain(mark);
  noteSecret(target.url, mark);
  expect((await keeper.get(`/${ada.id}`)).text).toContain(mark);
  expect((await keeper.get(`?email=${encodeURIComponent(ada.email)}`)).text).toContain(mark);
  expect((await kit.run("user:export")).stdout).toContain(mark);
  const asked = [
    await ada.client.get(auth("me")),
    await ada.client.post(auth("profile"), { display_name: "Ada" }),
    await ada.client.get(auth("account/export")),
    await ada.client.get(auth("sessions")),
    await ada.client.get(auth("verify")),
    await ada.client.post(auth("refresh")),
    await writer.patch(ada.id, { display_name: "Ada L." }),
    await createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password }),
  ];
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200, 200, 204, 200, 200, 200]);
  for (const answer of asked) {
    expect(answer.text).not.toContain(mark);
    expect(JSON.stringify([...answer.headers])).not.toContain(mark);
  }
  for (const command of [
    ["user:show", ada.email, "--json"],
    ["user:list", "--json"],
    ["audit:list", "--json"],
  ]) {
    const { code, stdout } = await kit.run(...command);
    expect([code, stdout.includes(mark)]).toEqual([0, false]);
  }
  const where = [...rows.tables().keys()];
  const holding = where.filter((name) => JSON.stringify(rows.all(`select * from "${name}"`)).includes(mark));
  expect(holding).toEqual(["account_metadata"]);
});
