import { describe, expect, test } from "bun:test";
import { auth, isServed, minute } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { openDesk, reason, type Desk } from "./desk.fixture.ts";

const desk = await openDesk();
const { rows } = desk;
const { run } = serviceKit(desk.target);

type Pair = Awaited<ReturnType<Desk["pair"]>> & { readonly browser: Client };

/** A form of staff's own pages, with the token of the page that it stands on. */
async function byStaff({ grace }: Pair, page: string, path: string, fields = {}): Promise<void> {
  const { status } = await grace.visitor.submit(page, fields, path);
  if (status !== 303) throw new Error(`${path}: ${status}`);
}
const command = async (...args: string[]): Promise<void> => {
  const { code, stderr } = await run(...args);
  if (code !== 0) throw new Error(stderr);
};
const asPerson = async ({ ada }: Pair, path: string, body: unknown = {}): Promise<void> => {
  const { status, text } = await ada.client.post(auth(path), body);
  if (status !== 200) throw new Error(text);
};

/** Every way in which such a session ends, and the reason that the audit log has for it. */
const ways: Readonly<Record<string, readonly [reason: string, end: (pair: Pair) => Promise<unknown>]>> = {
  "the button of the bar": ["logged_out", ({ browser }) => browser.post(auth("logout"))],
  "the person signs out everywhere": ["logged_out", (pair) => asPerson(pair, "logout-all")],
  "the person changes the password": [
    "password_changed",
    (pair) =>
      asPerson(pair, "change-password", {
        current_password: pair.ada.password,
        new_password: "another walk by the sea",
      }),
  ],
  "the person deletes the account": [
    "account_deleted",
    (pair) => asPerson(pair, "account/delete", { current_password: pair.ada.password }),
  ],
  "an operator disables the person": ["account_disabled", ({ ada }) => command("user:disable", ada.id)],
  "an operator ends the sessions of the person": ["revoked", ({ ada }) => command("auth:revoke-sessions", ada.id)],
  "the person becomes one of the staff": [
    "roles_changed",
    ({ ada }) => command("user:roles", ada.id, "--add", "support"),
  ],
  "the member of staff signs out": ["parent_ended", (pair) => byStaff(pair, "/people", "/logout")],
  "an operator ends the sessions of the member of staff": [
    "parent_ended",
    ({ grace }) => command("auth:revoke-sessions", grace.id),
  ],
  "the member of staff loses the role": [
    "roles_changed",
    ({ grace }) => command("user:roles", grace.id, "--remove", "admin"),
  ],
  "the member of staff gets another role": [
    "roles_changed",
    ({ grace }) => command("user:roles", grace.id, "--add", "editor"),
  ],
  "an operator disables the member of staff": ["account_disabled", ({ grace }) => command("user:disable", grace.id)],
  "an operator deletes the member of staff": [
    "parent_ended",
    ({ grace }) => command("user:delete", grace.id, "--force"),
  ],
  "the member of staff opens another account": [
    "too_many_sessions",
    async ({ grace }) => desk.open(grace, (await desk.people.register("other")).id),
  ],
  "an operator takes the role by hand": [
    "roles_changed",
    async ({ grace }) => rows.run("update users set roles = '' where id = ?", grace.id),
  ],
  "an operator disables the member of staff by hand": [
    "account_disabled",
    async ({ grace }) => rows.run("update users set active = 0 where id = ?", grace.id),
  ],
  "an operator deletes the session of the member of staff by hand": [
    "parent_ended",
    async ({ grace }) => rows.run("delete from auth_sessions where user_id = ?", grace.id),
  ],
  "its time": [
    "time_over",
    async ({ browser }) => {
      rows.letPass(15 * minute + 1_000);
      expect(await isServed(browser)).toBe(false);
      await command("auth:cleanup", "--force");
    },
  ],
};

describe("S-68 S-67 whatever ends it ends it at once, and is in the audit log with the member of staff", () => {
  test.each(Object.entries(ways))("%s", async (_, [why, end]) => {
    // Somebody else of the staff stays, so that nobody is the last admin.
    await desk.staff.add("hedy");
    const pair = await desk.pair();
    const { grace, ada, browser } = pair;
    expect(await isServed(browser)).toBe(true);
    expect(desk.audit(ada.id, "auth.impersonation-ended")).toEqual([]);
    const [begun] = desk.audit(ada.id, "auth.impersonation-begun");
    await end(pair);
    expect(await isServed(browser)).toBe(false);
    expect((await browser.post(auth("refresh"))).status).toBe(401);
    const ended = desk.audit(ada.id, "auth.impersonation-ended");
    expect(ended).toMatchObject([
      { actor: "staff", actor_user_id: grace.id, session_id: begun?.["session_id"], outcome: "success", reason: why },
    ]);
    expect(begun).toMatchObject({ actor: "staff", actor_user_id: grace.id, reason });
    expect(Math.abs(Number(ended[0]?.["at"]) - Date.now())).toBeLessThan(why === "time_over" ? minute : 20_000);
  });
});

test("S-68 the person's own sign-out leaves nothing of it in the log but its own", async () => {
  const { ada, browser } = await desk.pair();
  await browser.post(auth("logout"));
  expect(desk.audit(ada.id, "auth.logged-out")).toEqual([]);
  expect(await isServed(ada.client)).toBe(true);
});
