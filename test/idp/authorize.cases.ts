import { board, redirectUri, requestOf, robot, shop, stranger, type Fields } from "./both.fixture.ts";

/** A request, and what both make of it, or what each does where they differ, and why that is so. */
export interface Case {
  readonly fields: Fields;
  readonly isSignedIn?: boolean;
  readonly both?: string;
  readonly differ?: { readonly ours: string; readonly theirs: string; readonly because: string };
}

const request = requestOf(shop);
const ask = (fields: Fields, both: string): Case => ({ fields: { ...request, ...fields }, both });
const differ = (fields: Fields, ours: string, theirs: string, because: string): Case => ({
  fields: { ...request, ...fields },
  differ: { ours, theirs, because },
});
const levels = (acr: object): Fields => ({ claims: JSON.stringify({ id_token: { acr } }) });

export const authorizeCases: Readonly<Record<string, Case>> = {
  "a sound request": ask({}, "code"),
  "a sound request of a program without a secret": { fields: requestOf(board), both: "code" },
  "somebody who is not signed in": { ...ask({}, "login"), isSignedIn: false },
  "a program of strangers": { fields: requestOf(stranger), both: "consent" },

  "an unknown program": ask({ client_id: "nobody" }, "page"),
  "no program": ask({ client_id: undefined }, "page"),
  "a program that comes twice": ask({ client_id: [shop.client_id, board.client_id] }, "page"),
  "a program that signs nobody in": ask({ client_id: robot.client_id }, "page"),
  "an unknown address": ask({ redirect_uri: "https://evil.example.test/" }, "page"),
  "an address that goes on": ask({ redirect_uri: `${redirectUri}/x` }, "page"),
  "no address": differ(
    { redirect_uri: undefined },
    "page",
    "code",
    "OpenID Connect asks for it, OAuth 2.0 only of some.",
  ),
  "an address that comes twice": differ(
    { redirect_uri: [redirectUri, redirectUri] },
    "page",
    "invalid_request",
    "Nobody can tell which of two addresses is meant, even where the program has one alone.",
  ),

  "no response_type": ask({ response_type: undefined }, "invalid_request"),
  "the implicit flow": ask({ response_type: "token" }, "unsupported_response_type"),
  "an unknown response_type": ask({ response_type: "foo" }, "unsupported_response_type"),
  "the hybrid flow": differ(
    { response_type: "code id_token", nonce: "n" },
    "unsupported_response_type",
    "invalid_request",
    "It looks at the response_mode first, which it makes up from the response_type.",
  ),
  "an answer in the fragment": differ(
    { response_mode: "fragment" },
    "invalid_request",
    "code",
    "Scripts of a page read fragments; codes go to the server.",
  ),
  "an unknown response_mode": differ(
    { response_mode: "foo" },
    "invalid_request",
    "unsupported_response_mode",
    "No document defines that code.",
  ),

  "no challenge where one is due": {
    fields: { ...requestOf(board), code_challenge: undefined, code_challenge_method: undefined },
    both: "invalid_request",
  },
  "a method without a challenge": ask({ code_challenge: undefined }, "invalid_request"),
  "a challenge without a method": ask({ code_challenge_method: undefined }, "invalid_request"),
  "a challenge that is its verifier": ask({ code_challenge_method: "plain" }, "invalid_request"),
  "a short challenge": ask({ code_challenge: "abc" }, "invalid_request"),
  "a challenge of other characters": ask({ code_challenge: "!".repeat(43) }, "invalid_request"),
  "a parameter that comes twice": ask({ nonce: ["a", "b"] }, "invalid_request"),
  "a state that comes twice": ask({ state: ["a", "b"] }, "invalid_request without state"),
  "no state": ask({ state: "" }, "code without state"),

  "a scope that the program may not have": ask({ scope: "openid roles" }, "invalid_scope"),
  "a scope that nobody knows": ask({ scope: "openid foo" }, "code"),
  "a request that is no OpenID request": ask({ scope: "email" }, "code"),
  "nothing but scopes that nobody knows": differ(
    { scope: "foo" },
    "invalid_scope",
    "access_denied",
    "It finds out last that nothing can be granted.",
  ),
  "no scope": differ(
    { scope: undefined },
    "code",
    "access_denied",
    "RFC 6749 lets a provider take a default instead: all that the program may have.",
  ),

  "silence with nobody signed in": { ...ask({ prompt: "none" }, "login_required"), isSignedIn: false },
  "silence with somebody signed in": ask({ prompt: "none" }, "code"),
  "silence, and a question": ask({ prompt: "none login" }, "invalid_request"),
  "silence for a program of strangers": {
    fields: { ...requestOf(stranger), prompt: "none" },
    both: "consent_required",
  },
  "an unknown prompt": ask({ prompt: "foo" }, "invalid_request"),
  "a proof anew": ask({ prompt: "login" }, "login"),
  "a proof that is not older than now": ask({ max_age: "0" }, "login"),
  "a proof that may not be older than that, in silence": ask({ max_age: "0", prompt: "none" }, "login_required"),
  "consent that is asked for": differ({ prompt: "consent" }, "code", "consent", "Programs of the operator never ask."),
  "another account": differ(
    { prompt: "select_account" },
    "login",
    "invalid_request",
    "It is a prompt that an operator of theirs has to add.",
  ),
  "an age below nothing": ask({ max_age: "-1" }, "invalid_request"),
  "an age that is no number": ask({ max_age: "x" }, "invalid_request"),
  "a hint that is no ID token": ask({ id_token_hint: "x" }, "invalid_request"),
  "claims that are no JSON": ask({ claims: "x" }, "invalid_request"),
  "claims that are a list": ask({ claims: "[]" }, "invalid_request"),
  "claims without objects in them": ask({ claims: '{"id_token":1}' }, "invalid_request"),
  "claims of nothing": differ(
    { claims: "{}" },
    "code",
    "invalid_request",
    "OpenID Connect lets both members be absent, and others be there that are not known.",
  ),
  "a level that is asked for": ask({ acr_values: "foo" }, "code"),
  "a level that is essential, and unknown": differ(
    levels({ essential: true, value: "foo" }),
    "unmet_authentication_requirements",
    "login",
    "No sign-in leads to a level that does not exist.",
  ),
  "a level that is essential, in silence": differ(
    { ...levels({ essential: true, value: "aal2" }), prompt: "none" },
    "interaction_required",
    "login_required",
    "The person is signed in: a second factor is missing.",
  ),

  "a request object": ask({ request: "x.y.z" }, "request_not_supported"),
  "a request elsewhere": ask({ request_uri: "https://shop.example.test/request" }, "request_uri_not_supported"),
  "a request that was not sent ahead": ask(
    { request_uri: "urn:ietf:params:oauth:request_uri:x" },
    "invalid_request_uri",
  ),
  "a registration": ask({ registration: "{}" }, "registration_not_supported"),
  "a resource": ask({ resource: "https://a.example.test/" }, "code"),
  "several resources": ask({ resource: ["https://a.example.test/", "https://b.example.test/"] }, "code"),
  "a resource that is no whole address": ask({ resource: "/x" }, "invalid_target"),
  "a resource with a fragment": ask({ resource: "https://a.example.test/#x" }, "invalid_target"),
  "a key that is none": differ(
    { dpop_jkt: "x" },
    "invalid_request",
    "code",
    "No key has such a thumbprint, so nobody could swap the code.",
  ),
};
