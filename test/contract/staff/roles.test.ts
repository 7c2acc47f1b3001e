import { afterAll, describe, expect, test } from "bun:test";
import { calm, createPeople } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { definitions } from "../../support/definitions.ts";
import { readExposition } from "../../support/exposition.ts";
import { mountedRoutes } from "../../support/mounted.routes.ts";
import { stage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor, createStaff, hiddenFields } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { isControl, isGuarded, isLighthouse } from "./rights.fixture.ts";

// The settings add the optional parts of the app, so that their routes are tried as well.
const env = {
  LIGHTHOUSE_SECRET: "a secret that nobody guesses",
  API_DOCS_ENABLED: "true",
  ORGANIZATIONS_ENABLED: "true",
  AUTH_IMPERSONATION_ENABLED: "support",
};
const { target, rows } = await stage({ app: "admin", roles: ["http"], env });
const api = await startTarget({
  env: { ...calm, DB_DATABASE: target.databasePath },
  roles: ["http"],
  migrate: false,
  shared: true,
});
afterAll(() => api.stop());
const staff = createStaff(target.url, rows);

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const routes = await mountedRoutes(definitions.admin, target.env);
const guarded = [...new Set(routes.map(({ path }) => path))].filter(isGuarded);
const grace = await staff.register("grace");
const addressOf = (path: string): string => path.replaceAll(/:[^/]+/g, grace.id);

/** Returns everything that is stored. */
function stored(): string {
  return JSON.stringify([...rows.tables().keys()].map((name) => [name, rows.all(`select * from "${name}"`)]));
}

const formOf = (fields: Readonly<Record<string, string>>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { "content-type": "application/x-www-form-urlencoded" },
});

/** Resolves to browsers that may see no page for staff, by the reason. */
async function outsiders(): Promise<Readonly<Record<string, Client>>> {
  const [user, demoted, disabled, ended] = [
    await staff.register("ada"),
    await staff.add("ada"),
    await staff.add("ada"),
    await staff.add("ada"),
  ];
  for (const { visitor } of [demoted, disabled, ended]) expect((await visitor.get("/")).status).toBe(200);
  rows.run("update users set roles = '' where id = ?", demoted.id);
  rows.run("update users set active = 0 where id = ?", disabled.id);
  rows.run("update auth_sessions set revoked_at = created_at where user_id = ?", ended.id);
  const person = await createPeople(api.url).register("hedy");
  becomeStaff(rows, person.email);
  const ofTheOtherApp = createClient(target.url);
  for (const name of ["auth_access", "auth_refresh"])
    for (const prefix of ["", "admin_"]) ofTheOtherApp.setCookie(`${prefix}${name}`, person.client.cookie(name) ?? "");
  return {
    nobody: createClient(target.url),
    "a user without the role": user.visitor.client,
    "a former admin": demoted.visitor.client,
    "a disabled admin": disabled.visitor.client,
    "an admin whose session has ended": ended.visitor.client,
    "an admin with a session of the other app": ofTheOtherApp,
  };
}

describe("S-07 whoever is not one of the staff", () => {
  test("gets nothing but 303, 403 or 404 by any method of any route, and changes nothing", async () => {
    expect(guarded).toContain("/");
    const browsers = await outsiders();
    const before = stored();
    const wrong: unknown[] = [];
    for (const [who, browser] of Object.entries(browsers))
      for (const path of guarded)
        for (const method of methods) {
          const form = method === "GET" || method === "HEAD" || method === "OPTIONS" ? {} : formOf({ name: "Grace" });
          const answer = await browser.request(method, addressOf(path), undefined, form);
          const isRefused = [303, 403, 404].includes(answer.status) && !answer.text.includes(grace.email);
          if (!isRefused) wrong.push({ who, method, path, status: answer.status });
        }
    expect(wrong).toEqual([]);
    expect(stored() === before).toBe(true);
  });

  test("gets no more by a body that can't be read", async () => {
    const before = stored();
    const bodies = {
      "no form": { body: '{"a":1}', headers: { "content-type": "application/json" } },
      "no JSON": { body: "{", headers: { "content-type": "application/json" } },
      "no text": { body: new Uint8Array([255, 254, 0]), headers: { "content-type": "text/plain" } },
      "too long": formOf({ name: "x".repeat(70_000) }),
    };
    const wrong: unknown[] = [];
    for (const { method, path } of routes.filter((route) => guarded.includes(route.path) && route.method === "POST"))
      for (const [what, options] of Object.entries(bodies)) {
        const { status } = await createClient(target.url).request(method, addressOf(path), undefined, options);
        if (status !== 303) wrong.push({ what, path, status });
      }
    expect(wrong).toEqual([]);
    expect(stored() === before).toBe(true);
  });

  test("is recognised by one read", async () => {
    const { visitor } = await staff.register("ada");
    const reads = async (): Promise<number> =>
      readExposition((await createClient(target.url).get("/metrics")).text).sum("database_operations_total", {
        operation: "get",
      });
    await visitor.get("/");
    // A scrape asks whether the app is ready, and reads for that, too.
    const idle = await reads();
    const before = await reads();
    for (let times = 0; times < 10; times += 1) expect((await visitor.get("/")).status).toBe(403);
    expect((await reads()) - before - (before - idle)).toBe(10);
  });
});

test("S-08 no form of any page changes anything without the token of its session, whoever sends it", async () => {
  const [ada, other] = [await staff.add("ada"), await staff.add("ada")];
  const foreign = hiddenFields((await other.visitor.get("/")).text, "/logout")["csrf"] ?? "";
  const entry = hiddenFields((await createPageVisitor(target.url).get("/login")).text, "/login")["csrf"] ?? "";
  const before = stored();
  const wrong: unknown[] = [];
  const forms = routes.filter(({ method, path }) => method === "POST" && !isLighthouse(path) && !isControl(path));
  expect(forms.map(({ path }) => path)).toContain("/logout");
  for (const { path } of forms)
    for (const [what, fields] of Object.entries({
      "no token": {},
      "an empty token": { csrf: "" },
      "the token of another session": { csrf: foreign },
      "a token from before the sign-in": { csrf: entry },
    })) {
      const answer = await ada.visitor.send(addressOf(path), { ...fields, current_password: ada.password });
      if (answer.status !== 403) wrong.push({ what, path, status: answer.status });
    }
  expect(wrong).toEqual([]);
  expect(stored() === before).toBe(true);
});

test("S-09 every page is kept nowhere, framed nowhere, and runs nothing but its own script", async () => {
  const { visitor } = await staff.add("ada");
  const wrong: unknown[] = [];
  for (const { path } of routes.filter(({ method, path }) => method === "GET" && !isLighthouse(path))) {
    const { headers, status } = await visitor.get(addressOf(path));
    if (headers.get("content-type")?.startsWith("text/html") !== true || path.startsWith("/openapi")) continue;
    const policy = headers.get("content-security-policy") ?? "";
    const isStrict =
      policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self'") &&
      policy.includes("frame-ancestors 'none'") &&
      !policy.includes("unsafe");
    if (!isStrict || headers.get("cache-control") !== "no-store") wrong.push({ path, status, policy });
  }
  expect(wrong).toEqual([]);
});
