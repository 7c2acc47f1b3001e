import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, mailTo, calm, createPeople } from "../support/auth.ts";
import { createClient, type Client } from "../support/client.ts";
import { formOf, routeOf, startOf } from "../support/oauth/journey.ts";
import { callbackOf, publicUrl } from "../support/oauth/provider.ts";
import { startMailbox, type Mailbox } from "../support/smtp.ts";
import { startTarget, type Target } from "../support/target.ts";
import { startDex } from "./dex.ts";
import { startKeycloak } from "./keycloak.ts";
import { startWithinMs, type OpenIdClient, type OpenIdServer, type Person } from "./server.ts";

// Real providers of others, by the names of the variables that say where they are.
const implementations = { DEX: startDex, KEYCLOAK: startKeycloak } as const;
const secret = "xQ8-a client secret+with/odd=signs";
const longestJourney = 10;

for (const [variable, start] of Object.entries(implementations)) {
  const place = process.env[variable];
  describe.skipIf(place === undefined)(variable, () => {
    let server: OpenIdServer;
    let mailbox: Mailbox;
    let target: Target;
    const clientOf = (name: string): OpenIdClient => ({
      id: `gatehouse ${name}`,
      secret,
      callback: callbackOf(name),
      isLean: name === "lean",
    });
    /** What is wrong with `wrong` is the secret, and with `slashed` the issuer. */
    const envOf = (name: string, issuer: string): Record<string, string> => ({
      [`AUTH_OIDC_${name.toUpperCase()}_ISSUER`]: name === "slashed" ? `${issuer}/` : issuer,
      [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_ID`]: `gatehouse ${name}`,
      [`AUTH_OIDC_${name.toUpperCase()}_CLIENT_SECRET`]: name === "wrong" ? `${secret}!` : secret,
      [`AUTH_OIDC_${name.toUpperCase()}_SCOPES`]: name === "lean" ? "openid profile" : "openid email profile",
    });
    beforeAll(async () => {
      const names = ["real", "lean", "wrong", "slashed"];
      server = await start(place ?? "", names.map(clientOf));
      mailbox = await startMailbox();
      const providers = Object.assign({}, ...names.map((name) => envOf(name, server.issuer)));
      target = await startTarget({ env: { ...calm, ...mailTo(mailbox), APP_URL: publicUrl, ...providers } });
    }, startWithinMs);
    afterAll(async () => {
      await target.stop();
      await mailbox.stop();
      await server.stop();
    });

    const browser = (): Client => createClient(target.url);
    function person(name: string): Person {
      const found = server.people.find(({ username }) => username === name);
      if (found === undefined) throw new Error(`${name} is nobody there`);
      return found;
    }

    /** What a browser of its own brings back from the provider's pages. */
    async function approved(authorization: URL, { username, email, password }: Person): Promise<URLSearchParams> {
      const there = createClient(authorization.origin);
      let at = authorization;
      let answer = await there.get(at.href);
      for (let step = 0; step < longestJourney; step += 1) {
        const location = answer.headers.get("location");
        if (location !== null) {
          at = new URL(location, at);
          if (at.origin === publicUrl) return at.searchParams;
          answer = await there.get(at.href);
          continue;
        }
        const form = formOf(answer.text);
        if (form === undefined) throw new Error(`the provider answered ${answer.status} ${answer.text.slice(0, 500)}`);
        at = new URL(form.action, at);
        form.fields.set("username", username);
        form.fields.set("login", email);
        form.fields.set("password", password);
        answer = await there.request("POST", at.href, undefined, {
          body: form.fields.toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        });
      }
      throw new Error("the provider goes round in circles");
    }

    async function comeBack(here: Client, name: string, who: string, link = false): Promise<string> {
      const started = await here.get(startOf(name, { link }));
      if (started.status !== 302) throw new Error(`the start answered ${started.status} ${started.text}`);
      const params = await approved(new URL(started.headers.get("location") ?? ""), person(who));
      return `${routeOf(name, "callback")}?${params.toString()}`;
    }
    const signIn = async (here: Client, name: string, who: string, link?: boolean) =>
      here.get(await comeBack(here, name, who, link));

    test("a newcomer signs in, with the address that is known there, and again as the same person", async () => {
      const [first, second] = [browser(), browser()];
      expect((await signIn(first, "real", "ada")).status).toBe(303);
      const me = await first.get(auth("me"));
      expect(me.at("user")).toMatchObject({ email: "ada@people.test", username: "ada", has_password: false });
      expect(me.at("user.email_verified_at")).toBeString();
      expect((await signIn(second, "real", "ada")).status).toBe(303);
      expect((await second.get(auth("me"))).at("user.id")).toBe(me.at("user.id"));
    });

    test("an account with the address is not taken over, and is linked by its owner", async () => {
      const grace = await createPeople(target.url).register("grace", { email: person("grace").email });
      expect((await signIn(browser(), "real", "grace")).at("code")).toBe("identity_link_required");
      expect((await signIn(grace.client, "real", "grace", true)).status).toBe(303);
      const again = browser();
      expect((await signIn(again, "real", "grace")).status).toBe(303);
      expect((await again.get(auth("me"))).at("user.id")).toBe(grace.id);
    });

    test("an address that the provider does not vouch for is not proven", async () => {
      if (!server.people.some(({ emailVerified }) => !emailVerified)) return;
      const here = browser();
      expect((await signIn(here, "real", "mary")).status).toBe(303);
      expect((await here.get(auth("me"))).at("user.email_verified_at")).toBeNull();
    });

    test("an ID token without an address lets the userinfo endpoint tell it", async () => {
      if (!server.hasLeanClients) return;
      const answer = await signIn(browser(), "lean", "ada");
      // It is known here by another client, whose identities are others: the address is found, and belongs to that account.
      expect(answer.at("code")).toBe("identity_link_required");
    });

    test("a callback works once, in its browser, and with the issuer where that is promised", async () => {
      const here = browser();
      const path = await comeBack(here, "real", "ada");
      expect((await browser().get(path)).at("code")).toBe("invalid_oauth_state");
      expect((await here.get(path)).status).toBe(303);
      expect((await here.get(path)).at("code")).toBe("invalid_oauth_state");
      const document: unknown = await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json();
      const isPromised = JSON.stringify(document).includes('"authorization_response_iss_parameter_supported":true');
      const unnamed = (await comeBack(here, "real", "ada")).replace(/&iss=[^&]*/, "");
      expect((await here.get(unnamed)).status).toBe(isPromised ? 401 : 303);
    });

    test("a wrong secret and an issuer that is written otherwise are told to the operator", async () => {
      expect((await signIn(browser(), "wrong", "ada")).at("code")).toBe("oauth_exchange_failed");
      expect(target.logs()).toMatch(/"reason":"code_rejected".*(?:invalid_client|unauthorized_client)/);
      expect((await browser().get(startOf("slashed"))).at("code")).toBe("oauth_exchange_failed");
      expect(target.logs()).toMatch(/"reason":"metadata_issuer".*it differs by a slash at its end/);
    });
  });
}
