import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { auth, calm, createPeople, hour } from "../../support/auth.ts";
import { createClient, type Client } from "../../support/client.ts";
import { challengedAt, verify } from "../../support/factor.ts";
import { sharedFolder } from "../../support/folder.ts";
import { openRows, type Rows } from "../../support/rows.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { attack, callersHalfway, guardedRoutes, registered, send, withProvider } from "./challenge.fixture.ts";

const folder = sharedFolder();

/** Returns the browser as a client of another process. */
function at(url: string, client: Client): Client {
  const other = createClient(url);
  for (const name of ["auth_access", "auth_refresh", "auth_challenge"]) {
    const value = client.cookie(name);
    if (value !== undefined) other.setCookie(name, value);
  }
  return other;
}

describe("two processes on one database", () => {
  let first: Target;
  let second: Target;
  let rows: Rows;
  const urls = () => [first.url, second.url];
  beforeAll(async () => {
    const env = {
      ...calm,
      ...withProvider,
      APP_URL: "http://127.0.0.1:3000",
      API_DOCS_ENABLED: "true",
      ORGANIZATIONS_ENABLED: "true",
      AUTH_PERSONAL_TOKENS_ENABLED: "true",
      AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000",
      DB_DATABASE: join(folder, "two.db"),
    };
    first = await startTarget({ env, roles: ["http"], ownProcess: true });
    second = await startTarget({ env, roles: ["http"], migrate: false, ownProcess: true });
    rows = openRows(first.databasePath);
  });
  afterAll(async () => {
    rows.close();
    await Promise.all([first.stop(), second.stop()]);
  });

  test("M-11 1,000 parallel wrong codes get ten answers a challenge and a hundred a day for the account", async () => {
    const ada = await registered(createPeople(first.url), rows, "ada");
    const one = await attack(urls(), ada, ada.app, { challenges: 1, requests: 100 });
    expect(one.get("invalid_code")).toBe(10);
    const rest = await attack(urls(), ada, ada.app, { challenges: 10, requests: 450 });
    const last = await attack(urls(), ada, ada.app, { challenges: 10, requests: 450 });
    expect((rest.get("invalid_code") ?? 0) + (last.get("invalid_code") ?? 0)).toBe(90);
    expect(last.get("rate_limited")).toBeGreaterThan(0);
    // Strangers have had their hundred failures in a row: not even the right password gets them a challenge.
    const stranger = await createClient(second.url).post(auth("login"), { login: ada.email, password: ada.password });
    expect(stranger.at("code")).toBe("invalid_credentials");
    const challenged = () => challengedAt(second.url, ada, {}, ada.client);
    const refused = await verify(await challenged(), ada.app.code());
    expect(refused.at("code")).toBe("rate_limited");
    expect(Number(refused.headers.get("retry-after"))).toBeWithin(20 * 3600, 24 * 3600 + 1);
    rows.letPass(24 * hour);
    expect((await verify(await challenged(), ada.app.code())).status).toBe(200);
  });

  test("M-10 a challenge of one process is answered once, in either", async () => {
    const ada = await registered(createPeople(first.url), rows, "grace");
    const { browser, challenge } = await challengedAt(first.url, ada);
    const code = ada.app.code();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => {
        const other = browser.copy();
        return verify({ browser: index % 2 === 0 ? other : at(second.url, other), challenge }, code);
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(rows.count("auth_sessions where user_id = ? and factor = 'totp'", ada.id)).toBe(1);
  });

  test("M-04 what one process gives before the second factor opens nothing in the other", async () => {
    const ada = await registered(createPeople(first.url), rows, "mary");
    const callers = await callersHalfway(first.url, ada);
    const served = [];
    for (const caller of callers)
      for (const route of await guardedRoutes(first.url)) {
        const answer = await send({ ...caller, client: () => at(second.url, caller.client()) }, route);
        if (answer !== "401 unauthorized") served.push(`${caller.name}: ${route.method} ${route.path}: ${answer}`);
      }
    expect(served).toEqual([]);
  });
});
