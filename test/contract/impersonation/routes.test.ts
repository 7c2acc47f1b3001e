import { describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app/index.ts";
import { build } from "../../../src/cli/build.info.ts";
import { unopenedDatabase } from "../../../src/cli/app/unopened.database.ts";
import { loadConfig } from "../../../src/config/index.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { createLog } from "../../../src/observe/log.ts";
import { auth, expectRefusal } from "../../support/auth.ts";
import type { Answer, Client } from "../../support/client.ts";
import { definitions } from "../../support/definitions.ts";
import { withProvider } from "../auth/challenge.fixture.ts";
import { openDesk } from "./desk.fixture.ts";

// The settings add the optional parts of the app, so that their routes are tried as well.
const env = {
  ...withProvider,
  ORGANIZATIONS_ENABLED: "true",
  AUTH_PERSONAL_TOKENS_ENABLED: "true",
  AUTH_EMAIL_LOGIN_ENABLED: "true",
  API_DOCS_ENABLED: "true",
};
// Without a worker nothing is written behind an answer.
const desk = await openDesk({ env, roles: ["http"] });
const { target, rows } = desk;

interface Route {
  readonly method: string;
  readonly path: string;
}

/** Returns every route that the app mounts, from all of its modules. */
async function mountedRoutes(): Promise<readonly Route[]> {
  const loaded = loadConfig({ app: definitions.app, env: target.env });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  const database = unopenedDatabase("sqlite");
  const app = await createApp({ definition: definitions.app, config: loaded.config, build, log, database });
  const routes = app.routes();
  await app.close();
  return routes;
}
const routes = await mountedRoutes();
const reads = new Set(["GET", "HEAD", "OPTIONS"]);
const changing = routes.filter(({ method }) => !reads.has(method));
const reading = routes.filter(({ method }) => method === "GET");

/** What a session in somebody's name may do besides reading, listed by hand: somebody has to think before adding to it. */
const allowed: ReadonlySet<string> = new Set([
  // Ends it.
  "POST /api/v1/auth/logout",
  "POST /oauth2/logout/confirm",
  "POST /impersonate",
  // Its own tokens, and the organization that it acts for.
  "POST /api/v1/auth/refresh",
  "POST /api/v1/auth/organizations/switch",
]);
/** What reading it can't have: all that is kept of the person, what begins something by a link, and the way to let a device in. */
const unreadable: ReadonlySet<string> = new Set([
  "GET /api/v1/auth/account/export",
  "GET /api/v1/auth/oauth/:provider/link/start",
  "GET /device",
]);

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;
/** What an answer says; a page of the server refuses by its title. */
const said = ({ status, at, text }: Answer): string =>
  text.includes("<h1>Only the person lets a device in</h1>")
    ? `${status} impersonated`
    : `${status} ${String(at("code"))}`;
const addressOf = (path: string): string =>
  path
    .replace(":provider", "github")
    .replaceAll(/:[^/]+/g, Bun.randomUUIDv7())
    .replaceAll("*", "x");

function send(client: Client, { method, path }: Route, headers: Record<string, string> = {}): Promise<Answer> {
  if (method === "GET") return client.get(addressOf(path), { headers });
  const own = { origin: target.url, "sec-fetch-site": "same-origin", ...headers };
  const isForm = !path.startsWith("/api/") && !path.startsWith("/-/");
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  return client.request(method, addressOf(path), undefined, {
    headers: { ...own, "content-type": type },
    body: isForm ? "" : "{}",
  });
}

/** Everything that is stored, but for when a session was used last, and for what strangers may begin as well. */
const stored = (): string =>
  JSON.stringify(
    [...rows.tables().keys()]
      .filter((name) => !["auth_attempts", "oauth_states", "jobs", "audit_events", "audit_hours"].includes(name))
      .map((name) => [name, rows.all(`select * from "${name}"`).map((row) => ({ ...row, last_seen_at: null }))]),
  );

describe("S-64 by a session in somebody's name", () => {
  test("every route that changes something is refused, does what it does for strangers, or is on a short list", async () => {
    const { browser } = await desk.pair();
    expect(changing.length).toBeGreaterThan(80);
    const [wrong, refused]: [string[], string[]] = [[], []];
    for (const route of changing.filter((each) => !allowed.has(nameOf(each)))) {
      const before = stored();
      const answer = said(await send(browser.copy(), route));
      if (answer === "403 impersonated") refused.push(nameOf(route));
      else if (answer !== said(await send(desk.browser(), route))) wrong.push(`${nameOf(route)}: ${answer}`);
      if (stored() !== before) wrong.push(`${nameOf(route)} changes something`);
    }
    expect(wrong).toEqual([]);
    for (const part of ["profile", "change-password", "account/delete", "mfa/totp/setup", "passkeys/register/options"])
      expect(refused).toContain(`POST ${auth(part)}`);
    for (const part of [
      "tokens",
      "apps/revoke",
      "organizations",
      "logout-all",
      "sessions/:id/revoke",
      "reauthenticate",
    ])
      expect(refused).toContain(`POST ${auth(part)}`);
    expect(refused.length).toBeGreaterThan(35);
    // The session was there all the while.
    expect((await browser.get(auth("me"))).status).toBe(200);
  });

  test("the routes of that list are there, and are not refused", async () => {
    expect(changing.map(nameOf)).toEqual(expect.arrayContaining([...allowed]));
    for (const route of changing.filter((each) => allowed.has(nameOf(each)))) {
      const { browser } = await desk.pair();
      expect([nameOf(route), said(await send(browser, route))]).not.toEqual([nameOf(route), "403 impersonated"]);
    }
  });

  test("the same by its token, and whatever is sent", async () => {
    const { browser } = await desk.pair();
    const authorization = `Bearer ${browser.cookie("auth_access")}`;
    const guarded = changing.filter((route) => route.path.startsWith("/api/") && !allowed.has(nameOf(route)));
    const [byCookie, byToken]: [string[], string[]] = [[], []];
    for (const route of guarded) {
      if (said(await send(browser.copy(), route)) === "403 impersonated") byCookie.push(nameOf(route));
      const { status, at } = await send(desk.browser(), route, { authorization });
      if (`${status} ${String(at("code"))}` === "403 impersonated") byToken.push(nameOf(route));
    }
    expect(byToken).toEqual(byCookie);
    const answer = await browser.post(auth("profile"), { display_name: "Somebody else" });
    expectRefusal(answer, 403, "staff can't do this in somebody's name", "impersonated");
  });

  test("what is read changes nothing, and three things are not read", async () => {
    const { browser } = await desk.pair();
    expect(reading.length).toBeGreaterThan(40);
    const wrong: string[] = [];
    for (const route of reading) {
      const before = stored();
      const answer = said(await send(browser.copy(), route));
      if ((answer === "403 impersonated") !== unreadable.has(nameOf(route))) wrong.push(`${nameOf(route)}: ${answer}`);
      if (stored() !== before) wrong.push(`${nameOf(route)} changes something`);
    }
    expect(wrong).toEqual([]);
    for (const part of ["me", "sessions", "mfa", "identities", "tokens", "apps", "organizations", "verify"])
      expect((await browser.get(auth(part))).status).toBeLessThan(300);
  });

  test("what needs a proof is refused a second time, should a route ever let it by", async () => {
    const { ada, browser } = await desk.pair();
    // The session looks as if it were one of the app's own and somebody had forgotten the guard's rule.
    const id = (await browser.get(auth("sessions"))).textAt("sessions.0.id");
    rows.run("update auth_sessions set app = 'app' where id = ?", id);
    const { status, at } = await browser.post(auth("mfa/totp/setup"));
    expect([status, at("code")]).toEqual([403, "impersonated"]);
    expect(rows.count("auth_totp where user_id = ?", ada.id)).toBe(0);
  });

  test("mailed links and invitations take nobody for the person who is only looked at", async () => {
    const { ada, browser } = await desk.pair();
    const before = stored();
    for (const [path, body] of [
      ["email-verification/confirm", { token: "x" }],
      ["invitation/accept", { token: "x" }],
      ["invitation", { token: "x" }],
    ] as const) {
      const [staff, stranger] = [await browser.post(auth(path), body), await desk.browser().post(auth(path), body)];
      expect(said(staff)).toBe(said(stranger));
    }
    expect(stored()).toBe(before);
    expect((await ada.client.get(auth("me"))).status).toBe(200);
  });
});
