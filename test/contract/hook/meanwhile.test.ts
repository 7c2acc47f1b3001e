import { expect, test } from "bun:test";
import { auth, claimsOf, secretsOf } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import type { Received } from "../../support/receiver.ts";
import { serviceKit } from "../backend/service.fixture.ts";
import { startGate } from "./hook.fixture.ts";

const gate = startGate("gate", { TIMEOUT: "5s" });
const { rows, people, browser, target } = await stage({ env: gate.env });
const backend = await serviceKit(target).backend("keeper", "users:write");

let count = 0;
const newEmail = (): string => `meanwhile${(count += 1)}@example.test`;

const isOf = (name: string, { type, data }: Received): boolean => type === "before.token" && data["username"] === name;
const allow = (): Response => Response.json({ decision: "allow" });
const deny = (): Response => Response.json({ decision: "deny" });

/** A browser that has lost its access token: its requests need one, so that the hook is asked. */
function withoutAccess(refresh: string) {
  const client = browser();
  client.setCookie("auth_refresh", refresh);
  return client;
}

test("H-35 requests of one person, however many, keep nobody else out while a hook hangs over them", async () => {
  const [mallory, ada] = [await people.register("mallory"), await people.register("ada")];
  const { refresh } = secretsOf(mallory.client);
  let isOver = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.answer((question) => (!isOver && isOf(mallory.username, question) ? promise.then(allow) : allow()));
  const before = gate.points().length;
  const flood = Array.from({ length: 200 }, () => withoutAccess(refresh).get(auth("verify")));
  await eventually("the hook to be asked about mallory", () => gate.points().length > before);
  const login = await browser().post(auth("login"), { login: ada.email, password: ada.password });
  expect(login.status).toBe(200);
  isOver = true;
  resolve();
  const answers = await Promise.all(flood);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
  // One browser's requests that lack the same token share one question.
  const since = gate.asked().slice(before);
  expect(since.filter((question) => isOf(mallory.username, question))).toHaveLength(1);
});

test("H-35 sign-ins and registrations of one account and address have a few places with a hook, and leave the others to the rest", async () => {
  const ada = await people.register("ada");
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.answer(({ type }) => (type === "before.register" ? promise.then(deny) : allow()));
  const before = gate.points().length;
  const flood = Array.from({ length: 60 }, () =>
    browser().post(auth("register"), { email: newEmail(), password: ada.password }),
  );
  await eventually("the hook to be asked", () => gate.points().length > before);
  expect((await browser().post(auth("login"), { login: ada.email, password: ada.password })).status).toBe(200);
  expect(gate.points().filter((point) => point === "before.register").length).toBeLessThanOrEqual(8);
  resolve();
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([403]));
});

test.each([
  ["its sessions are revoked", "revoke-sessions"],
  ["it is disabled", "disable"],
])("H-39 a request that waits for a hook while %s opens nothing and changes nothing", async (_what, act) => {
  const ada = await people.register("ada");
  const { refresh } = secretsOf(ada.client);
  let isHeld = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  gate.answer((question) => (isHeld && isOf(ada.username, question) ? promise.then(allow) : allow()));
  const waiting = [
    withoutAccess(refresh).get(auth("verify")),
    withoutAccess(refresh).get(auth("account/export")),
    withoutAccess(refresh).post(auth("profile"), { display_name: "Mallory" }),
    withoutAccess(refresh).post(auth("profile"), { email: newEmail(), current_password: ada.password }),
    withoutAccess(refresh).post(auth("refresh")),
  ];
  await eventually("the hook to be asked", () => gate.asked().some((question) => isOf(ada.username, question)));
  expect((await backend.post(`/${ada.id}/${act}`)).status).toBe(200);
  isHeld = false;
  resolve();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(answers.flatMap(({ setCookies }) => setCookies.filter(({ value }) => value !== ""))).toEqual([]);
  const row = rows.get("select display_name, pending_email from users where id = ?", ada.id);
  expect(row).toMatchObject({ pending_email: null });
  expect(row["display_name"]).not.toBe("Mallory");
});

test("H-39 an address that a person asks for while others end its sessions does not wait for its confirmation", async () => {
  const ada = await people.register("ada");
  const edits = Array.from({ length: 8 }, () =>
    ada.client.copy().post(auth("profile"), { email: newEmail(), current_password: ada.password }),
  );
  await backend.post(`/${ada.id}/revoke-sessions`);
  await Promise.all(edits);
  const late = await ada.client.post(auth("profile"), { email: newEmail(), current_password: ada.password });
  expect(late.status).toBe(401);
  const { pending_email_epoch: asked, hold_epoch: now } = rows.get(
    "select pending_email_epoch, hold_epoch from users where id = ?",
    ada.id,
  );
  expect(asked === null || Number(asked) < Number(now)).toBe(true);
});

test("H-33 a hook gives no claim that the service gives, whether it is asked for or not, and none that copies carelessly", async () => {
  const ours = [
    "roles",
    "email",
    "email_verified",
    "name",
    "external_id",
    "app_metadata",
    "org_id",
    "org_roles",
    "groups",
  ];
  const claims = { ...Object.fromEntries(ours.map((name) => [name, ["admin"]])), plan: "pro" };
  const careless = `{"decision":"allow","claims":${JSON.stringify(claims).slice(0, -1)},"limits":{"__proto__":{"isAdmin":true},"seats":3}}}`;
  gate.answer(() => new Response(careless, { headers: { "content-type": "application/json" } }));
  const ada = await people.register("ada");
  const inToken = claimsOf(secretsOf(ada.client).access);
  expect(inToken).toMatchObject({ plan: "pro", limits: { seats: 3 } });
  for (const name of ours) expect(inToken).not.toHaveProperty(name);
  expect(JSON.stringify(inToken)).not.toContain("isAdmin");
});
