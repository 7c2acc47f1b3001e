import { expect, test } from "bun:test";
import { createGuard } from "../../../src/auth/routes/session/guard.ts";
import { cookieNamesOf } from "../../../src/auth/routes/session/cookies.ts";
import { Me } from "../../../src/auth/routes/schemas.ts";
import { helloRoutes } from "../../../src/hello/index.ts";

const guard = createGuard({
  sessions: { authenticate: () => Promise.resolve({ refused: "missing_access_cookie" }), isFactorMissing: () => false },
  cookies: { names: cookieNamesOf("app"), setAccess: () => undefined },
  log: { debug: () => undefined },
});

test("a guarded request waits for its row alone, and nothing of it is prepared that no hook names", () => {
  const [hello] = helloRoutes(guard).routes;
  const [way = ""] = String(hello?.compile()).split("catch(error)");
  expect(way).toContain("await e.transform[0](c)");
  expect(way.match(/\bawait\b/g)).toHaveLength(1);
  // A hook that takes its context as a whole makes the router fill all of these for each request.
  expect(way).not.toMatch(/\bc\.(?:headers|query|cookie|body|server)\b/);
});

test("no timestamp of an answer is parsed again to check it", () => {
  expect(formatsIn(JSON.parse(JSON.stringify(Me)))).toEqual([]);
});

/** Returns the formats that the check of a schema looks at, which those under `documented` are not. */
function formatsIn(schema: unknown): readonly unknown[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (keyword === "documented") return [];
    return keyword === "format" ? [value] : formatsIn(value);
  });
}
