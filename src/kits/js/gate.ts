import { headersWith, leadTo, refusalOf, refuse, type Refusal } from "./gate/answers.ts";
import { credentialsOf, headersFor, isCrossSite, mostCharacters } from "./gate/credentials.ts";
import { createLookup, type Told } from "./gate/lookup.ts";
import { queryOf } from "./gate/needs.ts";
import { addressOf, createResource } from "./gate/resource.ts";
import { createSharing } from "./gate/sharing.ts";
import type { Gate, GateNeeds, GateOptions, GateRequest, GateResult, GateUser } from "./gate/types.ts";

export { isDemanding } from "./gate/needs.ts";
export type * from "./gate/types.ts";

/** Returns an address of the service or the app as it is used: without a slash at its end. Throws for anything but http and https. */
function baseOf(name: string, address: string): string {
  const { protocol, username, password, search, hash } = new URL(address);
  if (!/^https?:$/.test(protocol) || `${username}${password}${search}${hash}` !== "")
    throw new TypeError(`${name} has to be an address such as https://auth.example.com`);
  return address.replace(/\/+$/, "");
}

/** Whether a person waits for a page: a script has no use for one that it did not ask for. */
const isNavigation = ({ method, headers }: GateRequest): boolean =>
  method === "GET" &&
  (headers.get("sec-fetch-mode") ?? "navigate") === "navigate" &&
  (headers.get("accept") ?? "").includes("text/html");

/** Makes the gate of an app, which asks Gatehouse who sends a request. An app needs one. */
export function createGate(options: GateOptions): Gate {
  const baseUrl = baseOf("baseUrl", options.baseUrl);
  const publicUrl = baseOf("publicUrl", options.publicUrl ?? baseUrl);
  const appUrl = options.appUrl === undefined ? undefined : baseOf("appUrl", options.appUrl);
  const origins = [...(options.origins ?? []), ...(appUrl === undefined ? [] : [new URL(appUrl).origin])];
  const resource = createResource(options.resource, new URL(publicUrl).origin);
  const lookUp = createLookup({ baseUrl, timeoutMs: options.timeoutMs ?? 3_000, fetch: options.fetch });
  const share = createSharing<Told>();

  /** Returns the page on which the person signs in, and which leads back to where they wanted to go. */
  function signInPage(request: GateRequest, { code }: Refusal): string {
    const { origin, host, pathname, search } = addressOf(request);
    const home = new URL(appUrl ?? origin);
    const isAtHome = [home.host, host].includes(new URL(publicUrl).host);
    const next = `${isAtHome ? "" : home.origin}${pathname}${search}`;
    const proof = code === "reauthentication_required" ? "&reauthenticate=true" : "";
    return `${publicUrl}/login?next=${encodeURIComponent(next)}${proof}`;
  }

  /** Tells programs what was wrong with their token, and where they get one (RFC 6750, RFC 9470, RFC 9728). */
  function challengeOf({ code }: Refusal, isByToken: boolean): string {
    const isStale = code === "reauthentication_required";
    const error = isStale ? "insufficient_user_authentication" : isByToken ? "invalid_token" : undefined;
    const parts = [
      ...(error === undefined ? [] : [`error="${error}"`]),
      ...(resource === undefined ? [] : [`resource_metadata="${resource.metadata}"`]),
    ];
    return ["Bearer", parts.join(", ")].filter((part) => part !== "").join(" ");
  }

  async function ask(request: GateRequest, needs: GateNeeds): Promise<{ told: Told; isByToken: boolean }> {
    const query = queryOf(needs, resource?.url);
    const credentials = credentialsOf(request);
    const { cookie, authorization } = credentials;
    const isByToken = authorization !== "";
    const length = cookie.length + authorization.length;
    if (length === 0) return { told: refusalOf(401, "unauthorized"), isByToken };
    if (length > mostCharacters) return { told: refusalOf(431, "headers_too_large"), isByToken };
    if (!isByToken && isCrossSite(request, origins)) return { told: refusalOf(403, "cross_site_request"), isByToken };
    const headers = headersFor(request, credentials, needs);
    const key = JSON.stringify([query, headers]);
    return { told: await share(request, key, () => lookUp(query, headers)), isByToken };
  }

  function gate(request: GateRequest, needs?: GateNeeds & { readonly optional?: false }): Promise<GateResult>;
  function gate(request: GateRequest, needs?: GateNeeds): Promise<GateResult<GateUser | null>>;
  async function gate(request: GateRequest, needs: GateNeeds = {}): Promise<GateResult<GateUser | null>> {
    const description = resource?.answer(request);
    if (description !== undefined) return { response: description };
    const { told, isByToken } = await ask(request, needs);
    const headers = headersWith(told.cookies);
    if ("user" in told) return { user: { ...told.user }, headers };
    const isNobody = told.status === 401;
    if (isNobody && told.code === "unauthorized" && needs.optional === true) return { user: null, headers };
    if (isNobody && needs.signIn === true && isNavigation(request))
      return { response: leadTo(signInPage(request, told), told.cookies) };
    return { response: refuse(told, challengeOf(told, isByToken)) };
  }

  gate.protectedResource = (request: GateRequest): Response | undefined => resource?.answer(request);
  return gate;
}
