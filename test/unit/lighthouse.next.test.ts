import { expect, test } from "bun:test";
import { pageAfterSignIn } from "../../src/inspect/lighthouse/next.ts";
import { hostileNexts } from "../support/oauth/hostile.next.ts";

const origin = "https://gatehouse.example.test";

test("of more than 10,000 hostile values of next none leads away from Lighthouse", () => {
  const places = new Set(hostileNexts().map((next) => pageAfterSignIn(next, origin)));
  expect([...places]).toEqual(["/lighthouse"]);
});

test.each([
  ["/lighthouse", "/lighthouse"],
  ["/lighthouse/runtime#failed-jobs", "/lighthouse/runtime#failed-jobs"],
  ["/lighthouse?text=a*b&name=%2Flogin", "/lighthouse?text=a*b&name=%2Flogin"],
  ["/lighthouses", "/lighthouse"],
  ["/lighthouse/../api/v1/hello", "/lighthouse"],
  ["/lighthouse//evil.test", "/lighthouse"],
  ["/", "/lighthouse"],
  [null, "/lighthouse"],
])("a sign-in for %j leads to %s", (next, page) => expect(pageAfterSignIn(next, origin)).toBe(page));
