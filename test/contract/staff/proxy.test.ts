import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { definitions } from "../../support/definitions.ts";
import { mountedRoutes } from "../../support/mounted.routes.ts";
import { stage } from "../../support/stage.ts";
import { isControl, isLighthouse } from "./rights.fixture.ts";

const example = readFileSync(join(import.meta.dir, "../../../systemd/proxy/nginx.admin.conf"), "utf8");
const { target } = await stage({
  app: "admin",
  roles: ["http"],
  env: { ORGANIZATIONS_ENABLED: "true", IDP_ENABLED: "true" },
});

test("the example for nginx passes on every page of staff, and none of what is for the host alone", async () => {
  const patterns = [...example.matchAll(/location ~ (\S+) \{ proxy_pass/g)].map(([, each = ""]) => new RegExp(each));
  expect(patterns.length).toBeGreaterThan(4);
  const routes = await mountedRoutes(definitions.admin, target.env);
  const paths = [...new Set(routes.map(({ path }) => path))];
  const isPassedOn = (path: string): boolean =>
    patterns.some((pattern) => pattern.test(path.replaceAll(/:[^/]+/g, "sample_name")));
  const isForTheHost = (path: string): boolean =>
    isControl(path) || isLighthouse(path) || path === "/metrics" || path.startsWith("/openapi");
  const isPicture = (path: string): boolean => path.startsWith("/brand/");
  expect(paths.filter((path) => isForTheHost(path) && isPassedOn(path))).toEqual([]);
  expect(paths.filter((path) => !isForTheHost(path) && !isPicture(path) && !isPassedOn(path))).toEqual([]);
  expect(paths).toContain("/mail-previews/:name/html");
});
