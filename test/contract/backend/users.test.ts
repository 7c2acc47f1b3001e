import { describe, expect, test } from "bun:test";
import { auth, expectRefusal, isServed, mailedToken, secretsOf, type Person } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people, mailbox } = await stage({
  env: { AUTH_LOGIN_LOCKOUT_ATTEMPTS: "3", AUTH_PASSWORD_RESET_RETURN_TOKEN: "true" },
});
const kit = serviceKit(target);
const audit = readAudit(rows);
const path = "/api/v1/users";

const secrets = {
  reader: await kit.create("reader", "users:read"),
  writer: await kit.create("writer", "users:write"),
  keeper: await kit.create("keeper", "users:read,users:write"),
  chief: await kit.create("chief", "users:read,users:write,users:roles"),
  asker: await kit.create("asker", "introspect"),
};
type Who = keyof typeof secrets;
const headersOf = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } });
const get = (who: Who, rest = ""): Promise<Answer> =>
  createClient(target.url).get(`${path}${rest}`, headersOf(secrets[who]));
const post = (who: Who, rest = "", body: object = {}): Promise<Answer> =>
  createClient(target.url).post(`${path}${rest}`, body, headersOf(secrets[who]));
const give = ({ id }: Person, roles: string) => rows.run("update users set roles = ? where id = ?", roles, id);
/** Sends three wrong passwords, and waits for the rows of the audit log, which are written after the answers. */
async function lock({ id, email }: Person): Promise<void> {
  for (let count = 0; count < 3; count += 1)
    await createClient(target.url).post(auth("login"), { login: email, password: "a wrong guess" });
  await audit.about(id, 1, "auth.locked");
}
const fieldsOf = (value: unknown): Record<string, unknown> => ({ ...Object(value) });
const idsOf = (answer: Answer): unknown[] => {
  const users = answer.at("users");
  if (!Array.isArray(users)) throw new Error(answer.text);
  return users.map((user: unknown) => fieldsOf(user)["id"]);
};
const changes = ["disable", "enable", "unlock", "verify", "mfa-reset"] as const;
const acts = [...changes, "revoke-sessions", "send-password-reset", "delete"] as const;

describe("GET /api/v1/users", () => {
  test("finds by the beginning of a name or an address, by id, by state and role, and page by page", async () => {
    const [one, two, three] = [
      await people.register("quill"),
      await people.register("quill", { display_name: "Zsófia Quill" }),
      await people.register("quill"),
    ];
    expect(idsOf(await get("reader", "?search=QUILL")).toSorted()).toEqual([one.id, two.id, three.id].toSorted());
    expect(idsOf(await get("reader", `?search=${encodeURIComponent("zsófia")}`))).toEqual([two.id]);
    expect(idsOf(await get("reader", `?search=${one.id}`))).toEqual([one.id]);
    expect(idsOf(await get("reader", "?search=uill"))).toEqual([]);
    const pages: unknown[] = [];
    let next = "";
    for (let page = 0; page < 5; page += 1) {
      const answer = await get("reader", `?search=quill&limit=1${next === "" ? "" : `&cursor=${next}`}`);
      pages.push(...idsOf(answer));
      if (answer.at("next") === null) break;
      next = answer.textAt("next");
    }
    expect(pages.toSorted()).toEqual([one.id, two.id, three.id].toSorted());
    give(two, "editor");
    expect(idsOf(await get("reader", "?role=editor"))).toEqual([two.id]);
    await post("keeper", `/${three.id}/disable`);
    expect(idsOf(await get("reader", "?state=disabled&search=quill"))).toEqual([three.id]);
    expect((await get("reader", `?search=${two.id}`)).at("users")).toMatchObject([
      {
        username: two.username,
        email: two.email,
        email_verified: false,
        active: true,
        roles: ["editor"],
        locked_until: null,
      },
    ]);
  });

  test("refuses a query that it does not understand", async () => {
    for (const query of ["limit=0", "limit=101", "limit=x", "state=odd", "role=Admin", "cursor=x"]) {
      const answer = await get("reader", `?${query}`);
      expectRefusal(answer, 400, "invalid payload", "invalid_payload");
      expect(Object.keys(Object(answer.at("fields")))).toEqual([query.split("=")[0] ?? ""]);
    }
  });
});

describe("GET /api/v1/users/:id", () => {
  test("V-21 says why a person can't sign in, and shows no password, hash, secret or token", async () => {
    const ada = await people.register("ada");
    expect((await get("reader", `/${ada.id}`)).at("user.standing")).toEqual([]);
    await lock(ada);
    const answer = await get("reader", `/${ada.id}`);
    expect(answer.at("user")).toMatchObject({
      id: ada.id,
      has_password: true,
      standing: [{ why: "locked", failures: 3, message: expect.stringContaining("after 3 wrong passwords") }],
      sessions: [{ app: "app", ip_address: "127.0.0.1" }],
      identities: [],
    });
    const { access, refresh } = secretsOf(ada.client);
    const row = rows.get("select password_hash from users where id = ?", ada.id);
    const hashes = rows.all("select secret_hash from auth_sessions where user_id = ?", ada.id);
    for (const secret of [access, refresh, row["password_hash"], ...hashes.map((each) => each["secret_hash"])])
      expect(answer.text).not.toContain(String(secret));
    expect(answer.text).not.toContain("argon2");
  });
});

test("V-22 each route takes the secret of a service with its scope, and nothing else: a table of callers, routes and methods", async () => {
  const admin = await people.register("admin");
  give(admin, "admin");
  const ada = await people.register("ada");
  const routes = [
    ["GET", path, "users:read"],
    ["POST", path, "users:write"],
    ["GET", `${path}/${ada.id}`, "users:read"],
    ["PATCH", `${path}/${ada.id}`, "users:write"],
    ...acts.map((act) => ["POST", `${path}/${ada.id}/${act}`, "users:write"] as const),
  ] as const;
  const nobody = { cookie: undefined, headers: {} };
  const { access } = secretsOf(admin.client);
  const callers = {
    nobody,
    "an admin by cookie": { cookie: access, headers: {} },
    "an admin by bearer": { cookie: undefined, headers: headersOf(access).headers },
    "an unknown secret": { cookie: undefined, headers: headersOf(`gh_${"Z".repeat(43)}`).headers },
    asker: { cookie: undefined, headers: headersOf(secrets.asker).headers },
    reader: { cookie: undefined, headers: headersOf(secrets.reader).headers },
    writer: { cookie: undefined, headers: headersOf(secrets.writer).headers },
  };
  const scopes: Readonly<Record<string, string>> = { reader: "users:read", writer: "users:write", asker: "introspect" };
  const wrong: string[] = [];
  for (const [name, { cookie, headers }] of Object.entries(callers)) {
    for (const [taken, url, scope] of routes) {
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
        const client = createClient(target.url);
        if (cookie !== undefined) client.setCookie("auth_access", cookie);
        // The body is invalid and nobody has the account, so that a permitted request changes nothing.
        const at = url.replace(ada.id, "00000000-0000-7000-8000-000000000000");
        const answer = await client.request(method, at, method === "GET" ? undefined : { email: "x" }, { headers });
        const known = scopes[name];
        const isTaken = method === taken || routes.some(([other, same]) => other === method && same === url);
        const needed = method === taken ? scope : method === "GET" ? "users:read" : "users:write";
        const expected = !isTaken ? [405] : known === undefined ? [401] : known === needed ? [200, 400, 404] : [403];
        if (!expected.includes(answer.status)) wrong.push(`${name} ${method} ${url}: ${answer.status}`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(await isServed(ada.client)).toBe(true);
});

test("V-23 an account is named by its id alone: no name, no address, and no id that somebody has taken for a name", async () => {
  const ada = await people.register("ada");
  const gone = "01970000-0000-7000-8000-0000000000aa";
  rows.run("update users set username = ?1, username_key = ?1 where id = ?2", gone, ada.id);
  const odd = [gone, ada.email, encodeURIComponent(ada.email), ada.id.toUpperCase(), `${ada.id}%20`, `%20${ada.id}`];
  for (const id of [...odd, "me", "x".repeat(1_900), "%00", "..%2f..%2fauth"]) {
    expect({ id, status: (await get("keeper", `/${id}`)).status }).toEqual({ id, status: 404 });
    for (const act of acts)
      expect({ id, act, status: (await post("chief", `/${id}/${act}`)).status }).toEqual({ id, act, status: 404 });
  }
  expect((await get("keeper", `/${ada.id}`)).at("user.active")).toBe(true);
});

test("V-24 every act is in the audit log with the service that did it, told by an event, and done once", async () => {
  const ada = await people.register("ada");
  await lock(ada);
  for (const act of ["disable", "enable", "unlock", "verify"]) {
    expect((await post("keeper", `/${ada.id}/${act}`)).json).toMatchObject({ ok: true, changed: true });
    expect((await post("keeper", `/${ada.id}/${act}`)).json).toMatchObject({ ok: true, changed: false });
  }
  await ada.login();
  expect((await post("keeper", `/${ada.id}/revoke-sessions`)).json).toMatchObject({ ok: true, sessions_ended: 1 });
  expect((await post("keeper", `/${ada.id}/send-password-reset`)).json).toEqual({ ok: true });
  const answer = await post("keeper", `/${ada.id}/delete`);
  expect(answer.json).toEqual({ ok: true });
  const done = audit.all("subject_user_id = ?1 and actor = 'service'", ada.id);
  expect(done.map(({ action }) => action)).toEqual([
    "auth.user-disabled",
    "auth.user-enabled",
    "auth.user-unlocked",
    "auth.email-verified",
    "auth.session-revoked",
    "auth.password-reset-sent",
    "auth.user-deleted",
  ]);
  for (const row of done) expect(row).toMatchObject({ service: "keeper", address: "127.0.0.1", actor_user_id: null });
  expect(done.at(-1)?.["request_id"]).toBe(answer.headers.get("x-request-id") ?? "");
});

test("unlocked right after the wrong passwords, nothing of them is left, though their rows in the audit log are written behind the answers", async () => {
  const ada = await people.register("ada");
  for (let count = 0; count < 3; count += 1)
    await createClient(target.url).post(auth("login"), { login: ada.email, password: "a wrong guess" });
  expect((await post("keeper", `/${ada.id}/unlock`)).json).toMatchObject({ changed: true });
  const actions = audit.all("subject_user_id = ?", ada.id).map(({ action }) => action);
  expect(actions.slice(-5).toSorted()).toEqual([
    "auth.locked",
    "auth.login-failed",
    "auth.login-failed",
    "auth.login-failed",
    "auth.user-unlocked",
  ]);
  expect((await post("keeper", `/${ada.id}/unlock`)).json).toMatchObject({ changed: false });
});

test("V-25 a service is given no password, and none is set: the person chooses it by a mail to the account's own address", async () => {
  const email = "newcomer@example.test";
  const password = "a long walk by the sea";
  const made = await post("keeper", "", { email, username: "newcomer", email_verified: true });
  expect(made.at("user")).toMatchObject({ email, username: "newcomer", email_verified: true, roles: [] });
  expect(rows.get("select password_hash from users where email = ?", email)["password_hash"]).toBeNull();
  const login = (secret: string) => createClient(target.url).post(auth("login"), { login: email, password: secret });
  expect((await login(password)).status).toBe(401);
  const id = made.textAt("user.id");
  expect((await get("keeper", `/${id}`)).at("user.standing")).toMatchObject([{ why: "no_way_in" }]);
  // No other address can be named.
  const elsewhere = await post("keeper", `/${id}/send-password-reset`, { email: "mallory@example.test" });
  expect(elsewhere.status).toBe(400);
  const sent = await post("keeper", `/${id}/send-password-reset`);
  expect(sent.json).toEqual({ ok: true });
  const token = await mailedToken(mailbox, email, "Choose your first password");
  await createClient(target.url).post(auth("password-reset/confirm"), { token, new_password: password });
  expect((await login(password)).status).toBe(200);
});

test("POST /api/v1/users refuses with every field that is wrong, and whom there is already", async () => {
  const ada = await people.register("ada");
  const wrong = await post("keeper", "", {
    email: "no address",
    username: "!",
    roles: ["Admin"],
    email_verified: "yes",
  });
  expectRefusal(wrong, 400, "invalid payload", "invalid_payload");
  expect(Object.keys(Object(wrong.at("fields"))).toSorted()).toEqual(["email", "email_verified", "roles", "username"]);
  expectRefusal(await post("keeper", "", { email: ada.email }), 409, "email already in use", "email_taken");
  const taken = await post("keeper", "", { email: "other@example.test", username: ada.username });
  expectRefusal(taken, 409, "username already in use", "username_taken");
});

test("V-26 without the scope users:roles a service makes no admin and touches none; with it the last one stays", async () => {
  rows.run("update users set roles = ''");
  const [boss, second] = [await people.register("boss"), await people.register("boss")];
  for (const role of ["admin", "editor"]) {
    const made = await post("keeper", "", { email: "x1@example.test", roles: [role] });
    expectRefusal(made, 403, "forbidden", "forbidden");
  }
  const invited = await post("keeper", "/invite", { email: "x3@example.test", roles: ["editor"] });
  expectRefusal(invited, 403, "forbidden", "forbidden");
  expect(invited.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="users:roles"');
  for (const [who, role] of [
    [boss, "admin"],
    [second, "support"],
    [second, "auditor"],
  ] as const) {
    give(who, role);
    for (const act of acts) expectRefusal(await post("keeper", `/${who.id}/${act}`), 403, "forbidden", "forbidden");
  }
  expect(await isServed(boss.client)).toBe(true);
  for (const act of ["disable", "delete"])
    expect((await post("chief", `/${boss.id}/${act}`)).at("code")).toBe("last_admin");
  give(second, "admin");
  expect((await post("chief", `/${second.id}/disable`)).json).toEqual({ ok: true, changed: true });
  const made = await post("chief", "", { email: "x2@example.test", roles: ["editor", "admin"] });
  expect(made.at("user.roles")).toEqual(["admin", "editor"]);
  expect((await post("chief", `/${boss.id}/delete`)).json).toEqual({ ok: true });
});

test("V-27 disabling by a service ends every session at once, and enabling lets in by the password as before", async () => {
  const ada = await people.register("ada");
  const other = await ada.login();
  await post("keeper", `/${ada.id}/disable`);
  expect([await isServed(ada.client), await isServed(other)]).toEqual([false, false]);
  const login = () => createClient(target.url).post(auth("login"), { login: ada.email, password: ada.password });
  expect((await login()).status).toBe(401);
  expectRefusal(await post("keeper", `/${ada.id}/send-password-reset`), 403, "account is inactive", "account_inactive");
  await post("keeper", `/${ada.id}/enable`);
  expect(await isServed(other)).toBe(false);
  expect((await login()).status).toBe(200);
});

test("revoke-sessions ends the one that is named, and none of another account", async () => {
  const [ada, grace] = [await people.register("ada"), await people.register("grace")];
  const there = await ada.login();
  const user = (await get("keeper", `/${ada.id}`)).at("user.sessions");
  const [newest]: readonly unknown[] = Array.isArray(user) ? user : [];
  const session_id = fieldsOf(newest)["id"];
  expect((await post("keeper", `/${grace.id}/revoke-sessions`, { session_id })).at("sessions_ended")).toBe(0);
  expect((await post("keeper", `/${ada.id}/revoke-sessions`, { session_id })).at("sessions_ended")).toBe(1);
  expect([await isServed(ada.client), await isServed(there)].toSorted()).toEqual([false, true]);
  expect(await isServed(grace.client)).toBe(true);
});
