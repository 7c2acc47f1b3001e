import { expect, test } from "bun:test";
import { createApp } from "../../src/app/index.ts";
import { build } from "../../src/cli/build.info.ts";
import { unopenedDatabase } from "../../src/cli/app/unopened.database.ts";
import { loadConfig } from "../../src/config/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ownPaths } from "../../src/kits/js/paths.ts";
import { createLog } from "../../src/observe/log.ts";
import { definitions } from "../support/definitions.ts";
import { testEnvironment } from "../support/environment.ts";
import { idpEnvironment } from "../contract/idp/idp.fixture.ts";

async function allPaths(): Promise<readonly string[]> {
  const env = {
    ...testEnvironment("/nowhere"),
    ...idpEnvironment,
    API_DOCS_ENABLED: "true",
    LIGHTHOUSE_SECRET: "an operator's secret",
    ORGANIZATIONS_ENABLED: "true",
    AUTH_PERSONAL_TOKENS_ENABLED: "true",
    AUTH_OAUTH_GITHUB_CLIENT_ID: "an id",
    AUTH_OAUTH_GITHUB_CLIENT_SECRET: "a secret",
  };
  const loaded = loadConfig({ app: definitions.app, env });
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  const log = createLog({ format: "json", level: "error", clock: systemClock, secrets: [] });
  const database = unopenedDatabase("sqlite");
  const app = await createApp({ definition: definitions.app, config: loaded.config, build, log, database });
  const routes = app.routes();
  await app.close();
  return [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+/g, "0197a000-0000-7000-8000-000000000001")))];
}

test("Y-04 what apps pass on to Gatehouse is what Gatehouse has for people, all of it and nothing else", async () => {
  const paths = await allPaths();
  const isOthers =
    /^\/(?:$|-\/|metrics$|lighthouse|openapi|mails|api\/v1\/(?:hello$|users|organizations|auth\/introspect$))/;
  expect(paths.filter((path) => isOthers.test(path) === ownPaths.test(path))).toEqual([]);
  expect(paths.filter((path) => ownPaths.test(path)).length).toBeGreaterThan(50);
});

test("Y-04 a path that two programs may read as two paths is passed on by no app", () => {
  const odd = [
    "/api/v1/auth/../../../metrics",
    "/api/v1/auth/..%2f..%2fmetrics",
    "/api/v1/auth/%2e%2e/introspect",
    "/api/v1/auth/..\\..\\metrics",
    "/api/v1/auth//introspect",
    "/api/v1/auth/introspect?x=1",
    "/api/v1/auth/introspect/",
    "/account/../metrics",
    "//evil.example/account",
    "/loginx",
    "/login/x",
    "/api/v1/authority",
  ];
  expect(odd.filter((target) => ownPaths.test(target))).toEqual([]);
  expect(ownPaths.test("/login?next=/../x//y")).toBe(true);
});
