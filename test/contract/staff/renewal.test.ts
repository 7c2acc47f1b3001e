import { expect, test } from "bun:test";
import { second } from "../../support/auth.ts";
import type { Client } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { createPageVisitor, createStaff } from "../../support/staff.ts";

const { target, rows } = await stage({ app: "admin" });
const staff = createStaff(target.url, rows);

const refreshOf = (client: Client): string => client.cookie("admin_auth_refresh") ?? "";

/** Resolves to the browser of a member of staff whose access token has expired. */
async function withoutAccess(): Promise<Client> {
  const { visitor } = await staff.add("ada");
  visitor.client.deleteCookie("admin_auth_access");
  return visitor.client;
}

const isShown = async (client: Client): Promise<boolean> => (await client.get("/")).status === 200;

test("S-06 a page that is loaded when the access token has run out brings a new one and rotates the refresh token", async () => {
  const client = await withoutAccess();
  const before = refreshOf(client);
  const answer = await client.get("/");
  expect(answer.status).toBe(200);
  expect(answer.setCookies.map(({ name }) => name).toSorted()).toEqual(["admin_auth_access", "admin_auth_refresh"]);
  expect(refreshOf(client)).not.toBe(before);
  const { setCookies } = await client.get("/");
  expect(setCookies).toEqual([]);
  client.deleteCookie("admin_auth_access");
  expect(await isShown(client)).toBe(true);
});

test("S-06 so does an answer that leads on", async () => {
  const client = await withoutAccess();
  const answer = await client.get("/account");
  expect([answer.status, answer.headers.get("location")?.startsWith("/people/")]).toEqual([303, true]);
  expect(answer.setCookies.map(({ name }) => name).toSorted()).toEqual(["admin_auth_access", "admin_auth_refresh"]);
});

test("S-06 a form that is sent then is taken, and rotates nothing: its page has the token that comes next", async () => {
  const client = await withoutAccess();
  const answer = await createPageVisitor(target.url, client).send("/logout", {});
  expect(answer.status).toBe(403);
  expect(answer.setCookies).toEqual([]);
});

test("S-06 tabs that load at once, and one that loads again because the answer was lost, get the same token", async () => {
  const client = await withoutAccess();
  const tabs = [1, 2, 3, 4, 5].map(() => client.copy());
  expect(await Promise.all(tabs.map(isShown))).toEqual(tabs.map(() => true));
  // The answer to this request is lost: the browser goes on with the old token.
  await client.copy().get("/");
  const again = client.copy();
  expect(await isShown(again)).toBe(true);
  const tokens = new Set([...tabs, again].map(refreshOf));
  expect([tokens.size, tokens.has(refreshOf(client))]).toEqual([1, false]);
  rows.letPass(11 * second);
  again.deleteCookie("admin_auth_access");
  expect(await isShown(again)).toBe(true);
});

test("S-06 a token that was swapped out longer ago is stolen: the session ends, for the thief and for its owner", async () => {
  const client = await withoutAccess();
  const thief = client.copy();
  expect(await isShown(client)).toBe(true);
  rows.letPass(11 * second);
  expect((await thief.get("/")).status).toBe(303);
  expect((await client.get("/")).status).toBe(303);
  expect(rows.count("audit_events where action = 'auth.refresh-reused'")).toBe(1);
});
