import type { Registered } from "../contract/idp/idp.fixture.ts";
import type { Answer } from "../support/client.ts";
import { basic, board, redirectUri, requestOf, robot, shop, verifier, type Fields, type Side } from "./both.fixture.ts";

type Ask = (side: Side) => Promise<Answer>;
type Head = Readonly<Record<string, string>>;

/** A call, and what both answer, or what each does where they differ, and why that is so. */
export interface TokenCase {
  readonly ask: Ask;
  readonly both?: string;
  readonly differ?: { readonly ours: string; readonly theirs: string; readonly because: string };
}

const own = basic(shop);
const codeGrant = "authorization_code";
const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";
const call =
  (fields: Fields, head: Head = own): Ask =>
  ({ call: send }) =>
    send("/oauth2/token", fields, head);
const proven = (fields: Fields, head: Head = {}): Ask => call({ grant_type: codeGrant, ...fields }, head);
const formOf = async (side: Side, client: Registered, request: Fields = {}): Promise<Fields> => ({
  grant_type: codeGrant,
  code: await side.code(client, request),
  redirect_uri: redirectUri,
  code_verifier: verifier,
});
const swap =
  (client: Registered, fields: Fields = {}, head: Head = own, request: Fields = {}): Ask =>
  async (side) =>
    side.call("/oauth2/token", { ...(await formOf(side, client, request)), ...fields }, head);
const refresh =
  (fields: Fields = {}, request: Fields = {}, head: Head = own, token = "refresh_token"): Ask =>
  async (side) => {
    const tokens = await swap(shop, {}, own, request)(side);
    const sent = { grant_type: "refresh_token", refresh_token: tokens.textAt(token), ...fields };
    return side.call("/oauth2/token", sent, head);
  };
/** Shows an old refresh token after the one that came for it was used. */
const steal: Ask = async (side) => {
  const first = (await swap(shop)(side)).textAt("refresh_token");
  const show = (token: string) => call({ grant_type: "refresh_token", refresh_token: token })(side);
  await show((await show(first)).textAt("refresh_token"));
  return show(first);
};
const twice: Ask = async (side) => {
  const form = await formOf(side, shop);
  await call(form)(side);
  return call(form)(side);
};
const push =
  (fields: Fields, head: Head = own): Ask =>
  ({ call: send }) =>
    send("/oauth2/par", { ...requestOf(shop), ...fields }, head);

const both = (answer: string, ask: Ask): TokenCase => ({ ask, both: answer });
const differ = (ours: string, theirs: string, because: string, ask: Ask): TokenCase => ({
  ask,
  differ: { ours, theirs, because },
});

const unproven = "RFC 6749 has invalid_client for a program that shows no proof, or one that nobody can read.";
const elsewhere = "What the program may do at all is looked at after what it shows.";

export const tokenCases: Readonly<Record<string, TokenCase>> = {
  "a code": both("200", swap(shop)),
  "a code of a program without a secret": both("200", swap(board, { client_id: board.client_id }, {})),
  "a secret in the form": both("200", swap(shop, { ...shop }, {})),
  "a refresh": both("200", refresh()),
  "a program for itself": both("200", call({ grant_type: "client_credentials", scope: "reports:read" }, basic(robot))),

  "no grant_type": both("400 invalid_request", call({})),
  "an unknown grant_type": both("400 unsupported_grant_type", call({ grant_type: "foo" })),
  "a password": both("400 unsupported_grant_type", call({ grant_type: "password", username: "a", password: "b" })),
  "a parameter that comes twice": both("400 invalid_request", call({ grant_type: [codeGrant, codeGrant] })),
  "a body that is JSON": both("400 invalid_request", call({}, { ...own, "content-type": "application/json" })),

  "an unknown program": both("401 invalid_client", proven({}, basic({ client_id: "nobody", client_secret: "x" }))),
  "a wrong secret": both("401 invalid_client", proven({}, basic({ ...shop, client_secret: "wrong" }))),
  "a wrong secret in the form": both("401 invalid_client", proven({ ...shop, client_secret: "wrong" })),
  "no secret where one is due": both("401 invalid_client", proven({ client_id: shop.client_id })),
  "a secret where none is": both("401 invalid_client", proven({ client_id: board.client_id, client_secret: "x" })),
  "two proofs": both("400 invalid_request", proven({ ...shop }, own)),
  "a proof of another program": both("400 invalid_request", proven({ client_id: board.client_id }, own)),
  "an unknown kind of assertion": both(
    "400 invalid_request",
    proven({ client_assertion: "x.y.z", client_assertion_type: "foo" }),
  ),
  "nobody at all": differ("401 invalid_client", "400 invalid_request", unproven, proven({})),
  "a header that nobody can read": differ(
    "401 invalid_client",
    "400 invalid_request",
    unproven,
    proven({}, { authorization: "Basic !!" }),
  ),
  "an assertion that nobody can read": differ(
    "401 invalid_client",
    "400 invalid_request",
    unproven,
    proven({
      client_assertion: "x",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    }),
  ),

  "no code": both("400 invalid_request", swap(shop, { code: undefined })),
  "an unknown code": both("400 invalid_grant", swap(shop, { code: "x" })),
  "a code a second time": both("400 invalid_grant", twice),
  "a code of another program": both("400 invalid_grant", swap(board)),
  "a code by a program without a secret": both("400 invalid_grant", swap(shop, { client_id: board.client_id }, {})),
  "another address": both("400 invalid_grant", swap(shop, { redirect_uri: `${redirectUri}/x` })),
  "no address": both("200", swap(shop, { redirect_uri: undefined })),
  "no verifier": both("400 invalid_grant", swap(shop, { code_verifier: undefined })),
  "another verifier": both("400 invalid_grant", swap(shop, { code_verifier: "x".repeat(43) })),
  "a short verifier": differ(
    "400 invalid_grant",
    "400 invalid_request",
    "RFC 7636 has invalid_grant for every verifier that does not fit.",
    swap(shop, { code_verifier: "x" }),
  ),
  "a verifier without a challenge": both(
    "400 invalid_grant",
    swap(shop, {}, own, { code_challenge: undefined, code_challenge_method: undefined }),
  ),
  "a resource that was not granted": both("400 invalid_target", swap(shop, { resource: "https://b.example.test/" })),
  "a resource that is no whole address": both("400 invalid_target", swap(shop, { resource: "/x" })),
  "a proof of a key that nobody can read": both("400 invalid_dpop_proof", swap(shop, {}, { ...own, dpop: "x" })),
  "a code by a program that signs nobody in": differ(
    "400 invalid_grant",
    "400 invalid_request",
    elsewhere,
    swap(shop, {}, basic(robot)),
  ),

  "no refresh token": both("400 invalid_request", refresh({ refresh_token: undefined })),
  "an unknown refresh token": both("400 invalid_grant", refresh({ refresh_token: "x" })),
  "an access token for one": both("400 invalid_grant", refresh({}, {}, own, "access_token")),
  "a refresh token of another program": both("400 invalid_grant", refresh({ client_id: board.client_id }, {}, {})),
  "a refresh token that was used long ago": both("400 invalid_grant", steal),
  "fewer scopes": both("200", refresh({ scope: "openid" })),
  "more scopes": both("400 invalid_scope", refresh({ scope: "openid email" }, { scope: "openid" })),
  "an unknown scope": both("400 invalid_scope", refresh({ scope: "foo" })),
  "another resource": both(
    "400 invalid_target",
    refresh({ resource: "https://b.example.test/" }, { resource: "https://a.example.test/" }),
  ),

  "a program for itself that has no secret": differ(
    "400 unauthorized_client",
    "400 invalid_request",
    "RFC 6749 has unauthorized_client for a grant that a program may not use.",
    call({ grant_type: "client_credentials", client_id: board.client_id }, {}),
  ),
  "a program for itself with a scope of people": differ(
    "400 invalid_scope",
    "400 invalid_request",
    "Theirs has to allow that grant to each program; ours gives programs that sign people in no scopes of their own.",
    call({ grant_type: "client_credentials", scope: "openid" }),
  ),
  "a program for itself with a scope that it may not have": differ(
    "400 invalid_scope",
    "200",
    "It passes over a scope that it does not know, and answers with a token without any.",
    call({ grant_type: "client_credentials", scope: "foo" }, basic(robot)),
  ),
  "a device of a program that has none": differ(
    "400 unauthorized_client",
    "400 invalid_request",
    "RFC 6749 has unauthorized_client for a grant that a program may not use.",
    call({ grant_type: deviceGrant, device_code: "x" }),
  ),

  "a request ahead": both("201", push({})),
  "a request ahead with another address": both("400 invalid_request", push({ redirect_uri: `${redirectUri}/x` })),
  "a request ahead for another flow": both("400 unsupported_response_type", push({ response_type: "token" })),
  "a request ahead for another program": both("400 invalid_request", push({ client_id: board.client_id })),
  "a request ahead of nobody": differ(
    "401 invalid_client",
    "400 invalid_request",
    unproven,
    push({ client_id: undefined }, {}),
  ),
};
