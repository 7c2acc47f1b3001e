import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { loadConfig } from "../../../src/config/index.ts";
import { auth } from "../../support/auth.ts";
import { chromiumMissing, goTo, openPlainTab } from "../../support/chromium.ts";
import { definitions } from "../../support/definitions.ts";
import { startStage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

const google = { AUTH_OAUTH_GOOGLE_CLIENT_ID: "client", AUTH_OAUTH_GOOGLE_CLIENT_SECRET: "secret" };
const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  const loaded = loadConfig({ app: definitions.app, env: { APP_ENV: "testing", ...env } });
  return loaded.ok ? [] : loaded.problems.filter((problem) => problem.includes("LOGIN_METHODS"));
};

describe("LOGIN_METHODS", () => {
  test("takes ways that are there, each once", () => {
    expect(problemsOf({ ...google, LOGIN_METHODS: "provider:google,passkey,password" })).toEqual([]);
    expect(problemsOf({ LOGIN_METHODS: "email,password", AUTH_EMAIL_LOGIN_ENABLED: "true" })).toEqual([]);
    for (const wrong of ["passwords", "password,password", "provider:", "google", "provider:Google"])
      expect(problemsOf({ ...google, LOGIN_METHODS: wrong })).toEqual([
        "LOGIN_METHODS must be password, passkey, email or provider:<name>, each once, with commas between",
      ]);
    expect(problemsOf({ LOGIN_METHODS: "provider:google,email" })).toEqual([
      "LOGIN_METHODS has provider:google, and no such provider is configured",
      "LOGIN_METHODS has email, and AUTH_EMAIL_LOGIN_ENABLED is false",
    ]);
  });
});

describe.skipIf(chromiumMissing !== undefined)(
  `the order of ways to sign in, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: Awaited<ReturnType<typeof startStage>>;
    let visitor: Visitor;
    let login: string;
    beforeAll(async () => {
      const env = { ...google, AUTH_EMAIL_LOGIN_ENABLED: "true", LOGIN_METHODS: "provider:google,password,email" };
      stage = await startStage({ shared: true, env });
      visitor = await createVisitor(openPlainTab({ width: 390, height: 900 }));
      login = `${stage.target.url}/login`;
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    const ways = (): Promise<unknown> =>
      visitor.ask(
        `[...document.querySelectorAll(".card .provider, .card input[name=password], .card .or")].map((each) => each.name || each.innerText.replace("\\n", " "))`,
      );

    test("is the operator's, and what is left out is not offered", async () => {
      await visitor.open(login, "Sign in");
      expect(await ways()).toEqual(["Continue with Google", "or", "password", "or", "Sign in by mail"]);
      await visitor.expectNoBarriers("ways before the form");
    });

    test("has what this browser used last before all others, which says so", async () => {
      await visitor.ask(`localStorage.setItem("last-way", "email")`);
      await goTo(visitor.tab, "about:blank");
      await visitor.open(login, "Sign in");
      expect(await ways()).toEqual([
        expect.stringMatching(/^Sign in by mail\s*last used$/),
        "Continue with Google",
        "or",
        "password",
      ]);
      await visitor.expectNoBarriers("the way that was used last");
      const ada = await stage.people.register("ada");
      await ada.client.post(auth("logout"));
      await visitor.fill("login", ada.email);
      await visitor.fill("password", ada.password);
      await visitor.press("Sign in");
      await visitor.shows("Your account");
      expect(await visitor.ask(`localStorage.getItem("last-way")`)).toBe("password");
    });

    test("survives a way that is no longer offered", async () => {
      await visitor.ask(`localStorage.setItem("last-way", "passkey")`);
      await visitor.press("Sign out");
      await visitor.shows("Sign in");
      expect(await ways()).toEqual(["Continue with Google", "or", "password", "or", "Sign in by mail"]);
    });
  },
);
