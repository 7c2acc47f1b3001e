import { describe, expect, test } from "bun:test";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { stage } from "../../support/stage.ts";
import { idpEnvironment, idpKit, issuer, redirectUri } from "./idp.fixture.ts";

// Certified libraries of others: what they refuse, other people's programs would refuse.
const bye = "https://shop.example.test/bye";
const { target, people } = await stage({ env: idpEnvironment });
const kit = idpKit(target);
const shop = await kit.register("Shop", "--post-logout-uri", bye);
const board = await kit.register("Board", "--type", "browser");
const robot = await kit.register("Robot", "--type", "machine", "--scope", "reports:read");

type Browser = Parameters<typeof kit.authorize>[0];
/** Plays the browser of somebody who is signed in, and returns the address that it is led to. */
async function visit(browser: Browser, address: URL): Promise<URL> {
  const answer = await browser.get(`${address.pathname}${address.search}`);
  return new URL(answer.headers.get("location") ?? "");
}

const discover = (id: string, secret: string, more?: client.ClientAuth): Promise<client.Configuration> =>
  client.discovery(new URL(issuer), id, secret === "" ? undefined : secret, more, { [client.customFetch]: kit.fetch });

describe("openid-client", () => {
  test.each([
    ["client_secret_basic", () => client.ClientSecretBasic(shop.client_secret)],
    ["client_secret_post", () => client.ClientSecretPost(shop.client_secret)],
  ])("signs a person in with PKCE and a nonce, by %s, refreshes, and ends it", async (_method, prove) => {
    const ada = await people.register("ada");
    const config = await discover(shop.client_id, shop.client_secret, prove());
    const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()];
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid profile email offline_access",
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
    const tokens = await client.authorizationCodeGrant(config, await visit(ada.client, address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    });
    expect(tokens.claims()).toMatchObject({ sub: ada.id, email: ada.email });
    expect(await client.fetchUserInfo(config, tokens.access_token, ada.id)).toMatchObject({ email: ada.email });
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "");
    expect(refreshed.claims()?.sub).toBe(ada.id);
    expect(await client.tokenIntrospection(config, refreshed.access_token)).toMatchObject({
      active: true,
      sub: ada.id,
    });
    await client.tokenRevocation(config, refreshed.refresh_token ?? "");
    expect((await client.tokenIntrospection(config, refreshed.access_token)).active).toBe(false);
    const out = client.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token ?? "",
      post_logout_redirect_uri: bye,
      state,
    });
    expect((await visit(ada.client, out)).href).toBe(`${bye}?state=${state}`);
  });

  test("sends a request ahead, and binds tokens to its key", async () => {
    const ada = await people.register("ada");
    const config = await discover(board.client_id, "", client.None());
    const dpop = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
    const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()];
    const address = await client.buildAuthorizationUrlWithPAR(
      config,
      {
        redirect_uri: redirectUri,
        scope: "openid offline_access",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
      },
      { DPoP: dpop },
    );
    expect([...address.searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
    const tokens = await client.authorizationCodeGrant(
      config,
      await visit(ada.client, address),
      { pkceCodeVerifier: verifier, expectedState: state },
      undefined,
      { DPoP: dpop },
    );
    expect(tokens.token_type).toBe("dpop");
    const info = await client.fetchUserInfo(config, tokens.access_token, ada.id, { DPoP: dpop });
    expect(info.sub).toBe(ada.id);
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? "", undefined, { DPoP: dpop });
    expect(refreshed.token_type).toBe("dpop");
  });

  test("calls for a program itself", async () => {
    const config = await discover(robot.client_id, robot.client_secret);
    const tokens = await client.clientCredentialsGrant(config, {
      scope: "reports:read",
      resource: "https://reports.example.test",
    });
    expect(tokens.scope).toBe("reports:read");
  });
});

describe("oauth4webapi", () => {
  const fetching = { [oauth.customFetch]: kit.fetch };

  test("finds the service by RFC 8414, signs in, and takes an access token at a resource server (RFC 9068)", async () => {
    const ada = await people.register("ada");
    const at = new URL(issuer);
    const found = await oauth.discoveryRequest(at, { algorithm: "oauth2", ...fetching });
    const service = await oauth.processDiscoveryResponse(at, found);
    const me: oauth.Client = { client_id: shop.client_id };
    const verifier = oauth.generateRandomCodeVerifier();
    const address = new URL(service.authorization_endpoint ?? "");
    const resource = "https://api.example.test";
    for (const [name, value] of Object.entries({
      client_id: shop.client_id,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid",
      resource,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }))
      address.searchParams.set(name, value);
    const answer = oauth.validateAuthResponse(service, me, await visit(ada.client, address), oauth.expectNoState);
    const prove = oauth.ClientSecretBasic(shop.client_secret);
    const swapped = await oauth.authorizationCodeGrantRequest(
      service,
      me,
      prove,
      answer,
      redirectUri,
      verifier,
      fetching,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(service, me, swapped, { requireIdToken: true });
    await oauth.validateApplicationLevelSignature(service, swapped, fetching);
    const request = new Request(resource, { headers: { authorization: `Bearer ${tokens.access_token}` } });
    const claims = await oauth.validateJwtAccessToken(service, request, resource, fetching);
    expect(claims).toMatchObject({ sub: ada.id, client_id: shop.client_id, scope: "openid" });
  });

  test("reads a refusal at the address of the program", async () => {
    const ada = await people.register("ada");
    const service = await oauth.processDiscoveryResponse(
      new URL(issuer),
      await oauth.discoveryRequest(new URL(issuer), fetching),
    );
    const address = new URL(service.authorization_endpoint ?? "");
    for (const [name, value] of Object.entries({
      client_id: shop.client_id,
      redirect_uri: redirectUri,
      response_type: "token",
    }))
      address.searchParams.set(name, value);
    const led = await visit(ada.client, address);
    expect(() => oauth.validateAuthResponse(service, { client_id: shop.client_id }, led, oauth.expectNoState)).toThrow(
      oauth.AuthorizationResponseError,
    );
  });
});
