import { describe, expect, test } from "bun:test";
import * as client from "openid-client";
import { createPageVisitor, hiddenFields } from "../support/staff.ts";
import type { Client as Browser } from "../support/client.ts";
import { issuerStage, travel } from "./counterpart.fixture.ts";

// What the certified library does besides the ways of test/contract/idp/libraries.test.ts, over the wire and without a stand-in for it.
const redirectUri = "http://127.0.0.1:9/callback";
const { issuer, kit, people, target } = await issuerStage();
const shop = await kit.register("Shop", "--redirect-uri", redirectUri);
const television = await kit.register("Television", "--type", "native", "--redirect-uri", redirectUri);
const discover = (id: string, secret: string): Promise<client.Configuration> =>
  client.discovery(new URL(issuer), id, secret === "" ? undefined : secret, secret === "" ? client.None() : undefined, {
    execute: [client.allowInsecureRequests],
  });

describe("openid-client", () => {
  test("takes the answer as a form, and refuses it where another issuer is named, or another request is answered", async () => {
    const ada = await people.register("ada");
    const config = await discover(shop.client_id, shop.client_secret);
    const [pkceCodeVerifier, expectedState, expectedNonce] = [
      client.randomPKCECodeVerifier(),
      client.randomState(),
      client.randomNonce(),
    ];
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid",
      response_mode: "form_post",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      state: expectedState,
      nonce: expectedNonce,
    });
    const { answer } = await travel([ada.client], address);
    const fields = hiddenFields(answer?.text ?? "", redirectUri);
    const arrive = (changed: Readonly<Record<string, string>>, checks: client.AuthorizationCodeGrantChecks = {}) =>
      client.authorizationCodeGrant(
        config,
        new Request(redirectUri, { method: "POST", body: new URLSearchParams({ ...fields, ...changed }) }),
        { pkceCodeVerifier, expectedState, expectedNonce, ...checks },
      );
    await expect(arrive({ iss: "https://evil.example.test" })).rejects.toThrow();
    await expect(arrive({ state: "another" })).rejects.toThrow();
    expect((await arrive({})).claims()).toMatchObject({ iss: issuer, sub: ada.id, nonce: expectedNonce });
  });

  test("lets a device in by a code that its person types", async () => {
    const ada = await people.register("ada");
    const config = await discover(television.client_id, "");
    const shown = await client.initiateDeviceAuthorization(config, { scope: "openid" });
    await allow(ada.client, shown.user_code);
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...shown, interval: 1 });
    expect(tokens.claims()).toMatchObject({ sub: ada.id, aud: television.client_id });
  });
});

/** Types the code of a device, and says that it may come in. */
async function allow(browser: Browser, code: string): Promise<void> {
  const visitor = createPageVisitor(target.url, browser);
  const asked = await visitor.submit("/device", { user_code: code });
  const said = { ...hiddenFields(asked.text, "/oauth2/device"), decision: "allow" };
  expect((await visitor.send("/oauth2/device", said)).status).toBe(200);
}
