import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { authorizeCases, type Case } from "./authorize.cases.ts";
import { board, ours, requestOf, shop, theirs, type Side } from "./both.fixture.ts";
import { tokenCases, type TokenCase } from "./token.cases.ts";

// Everything that can be wrong with a request is asked of Gatehouse and of oidc-provider, which is certified. Where they differ, the case
// says why.
type Differing = Pick<Case, "both" | "differ">;
const expected = ({ both = "", differ }: Differing) =>
  differ === undefined ? { ours: both, theirs: both } : { ours: differ.ours, theirs: differ.theirs };

const answerOf = async ({ ask }: TokenCase, side: Side): Promise<string> => {
  const answer = await ask(side);
  return answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.textAt("error")}`;
};

describe("the authorization endpoints of both make the same of", () => {
  test.each(Object.entries(authorizeCases))("%s", async (_what, { fields, isSignedIn = true, ...rest }) => {
    expect({
      ours: await ours.authorize(fields, isSignedIn),
      theirs: await theirs.authorize(fields, isSignedIn),
    }).toEqual(expected(rest));
  });

  test("a request that was sent ahead: it is good once, and for its program", async () => {
    const told = async (side: Side): Promise<readonly string[]> => {
      const sent = await side.call("/oauth2/par", { ...requestOf(shop), ...shop });
      const ahead = { client_id: shop.client_id, request_uri: sent.textAt("request_uri") };
      const foreign = await side.authorize({ ...ahead, client_id: board.client_id }, true);
      const first = await side.authorize(ahead, true);
      return [foreign, first, await side.authorize(ahead, true)];
    };
    // Nothing but the request named the address, and it is not to be had: theirs takes the one address that the program has.
    const lost = "invalid_request_uri without state";
    expect({ ours: await told(ours), theirs: await told(theirs) }).toEqual({
      ours: ["page", "code", "page"],
      theirs: ["invalid_request_object", "code", lost],
    });
  });
});

describe("the token endpoints of both make the same of", () => {
  test.each(Object.entries(tokenCases))("%s", async (_what, asked) => {
    expect({ ours: await answerOf(asked, ours), theirs: await answerOf(asked, theirs) }).toEqual(expected(asked));
  });
});

/** Codes that no single request leads to. */
const notAsked: Readonly<Record<string, string>> = {
  access_denied: "a person says so on a page, or lacks a role",
  authorization_pending: "a device waits for its person: the tests of devices",
  slow_down: "a device asks too often: the tests of devices",
  expired_token: "a device has waited too long: the tests of devices",
  invalid_token: "it is no error of these endpoints",
  insufficient_scope: "it is no error of these endpoints",
  temporarily_unavailable: "somebody asks too often",
};

test("every error that the endpoints can answer with is asked for", async () => {
  const glob = new Bun.Glob("src/idp/{authorize,client,device,protocol,token}/*.{ts,tsx}");
  const root = join(import.meta.dir, "..", "..");
  const made = new Set<string>(["invalid_request", "invalid_grant"]);
  for await (const path of glob.scan(root))
    for (const [, code = ""] of (await Bun.file(join(root, path)).text()).matchAll(/new OAuthError\(\s*"(\w+)"/g))
      made.add(code);
  const cases: readonly Differing[] = [...Object.values(authorizeCases), ...Object.values(tokenCases)];
  const asked = new Set(cases.map((each) => expected(each).ours.replace(/^\d+ | without.*$/g, "")));
  expect([...made].filter((code) => !asked.has(code) && notAsked[code] === undefined).toSorted()).toEqual([]);
  expect(Object.keys(notAsked).filter((code) => asked.has(code))).toEqual([]);
});
