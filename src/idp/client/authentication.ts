import { percentDecoded } from "../../core/address/url.parts.ts";
import { second } from "../../core/clock.ts";
import { secretsEqual, tokenHash } from "../../core/crypto.ts";
import { createPacing } from "../../core/pace/pacing.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import { invalidRequest, OAuthError } from "../protocol/errors.ts";
import type { Params } from "../protocol/params.ts";
import type { Asker, Client, FindClient } from "./client.ts";

interface AuthenticationOptions {
  readonly find: FindClient;
  /** Checks the assertion that a client has signed. Throws `invalid_client`. */
  readonly checkAssertion: (client: Client, assertion: string) => Promise<void>;
  /** Told which client a request says that it is of, before that is proven. */
  readonly onNamed: (request: Request, client: Client) => void;
}

interface Shown {
  readonly id: string;
  readonly secret?: string | undefined;
  readonly assertion?: string | undefined;
}

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const refusalsPerSecond = 50;
const longestWaitMs = 5 * second;

export const invalidClient = (why: ProgramFlaw): OAuthError =>
  new OAuthError("invalid_client", "The client did not prove who it is.", { why });

/** Reads HTTP Basic, whose parts are encoded as in a form. An empty secret is none, as an empty parameter is (RFC 6749 §2.3.1). */
function basicOf(header: string): { readonly id: string; readonly secret: string | undefined } | undefined {
  const [scheme = "", value = ""] = header.split(" ", 2);
  if (scheme.toLowerCase() !== "basic") return undefined;
  const text = Buffer.from(value, "base64").toString("utf8");
  const colon = text.indexOf(":");
  const decoded = (part: string): string | undefined => percentDecoded(part.replaceAll("+", " "));
  const [id, secret] = [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
  if (colon === -1 || id === undefined || secret === undefined) throw invalidClient("malformed_header");
  return { id, secret: secret === "" ? undefined : secret };
}

/** Returns the id that a signed assertion claims; its signature is looked at later (RFC 7523 §3). */
function issuerOf(assertion: string): string {
  try {
    const payload: unknown = JSON.parse(Buffer.from(assertion.split(".")[1] ?? "", "base64url").toString("utf8"));
    if (typeof payload === "object" && payload !== null && "iss" in payload && typeof payload.iss === "string")
      return payload.iss;
  } catch {
    // It is no JWT at all.
  }
  throw invalidClient("malformed_assertion");
}

function shownIn(request: Request, params: Params): Shown {
  const header = request.headers.get("authorization") ?? "";
  const basic = basicOf(header);
  const [id, secret, assertion] = ["client_id", "client_secret", "client_assertion"].map(params.get);
  const ways = [basic, secret, assertion].filter((way) => way !== undefined);
  if (ways.length > 1) throw invalidRequest("A client proves who it is in one way.");
  if (basic !== undefined) {
    if (id !== undefined && id !== basic.id) throw invalidRequest("client_id is not the client of the header.");
    return basic;
  }
  if (assertion !== undefined) {
    if (params.get("client_assertion_type") !== assertionType)
      throw invalidRequest("client_assertion_type is not known.");
    const issuer = issuerOf(assertion);
    if (id !== undefined && id !== issuer) throw invalidRequest("client_id is not the client of the assertion.");
    return { id: issuer, assertion };
  }
  if (id === undefined) throw invalidClient("no_credentials");
  return { id, secret };
}

/** Finds out which client calls, and has it prove that (RFC 6749 §2.3, OpenID Connect Core §9). */
export function createClientAuthentication({ find, checkAssertion, onNamed }: AuthenticationOptions) {
  const pace = createPacing({ perSecond: refusalsPerSecond, longestWaitMs });

  async function check(client: Client | undefined, { secret, assertion }: Shown): Promise<Client> {
    if (client === undefined) throw invalidClient("unknown_client");
    const method = client.settings.token_endpoint_auth_method;
    if (method === "none") {
      if (secret === undefined && assertion === undefined) return client;
      throw invalidClient("other_method");
    }
    if (method === "private_key_jwt") {
      if (assertion === undefined) throw invalidClient("other_method");
      await checkAssertion(client, assertion);
      return client;
    }
    // Both ways of sending a secret are as good, and libraries choose one of them by themselves.
    if (secret === undefined) throw invalidClient("other_method");
    if (client.secretHash === null || !secretsEqual(tokenHash(secret), client.secretHash))
      throw invalidClient("wrong_secret");
    return client;
  }

  /** Throws `invalid_client`. Only clients that fail wait: others of the same address are served meanwhile. */
  return async function authenticate(request: Request, params: Params, asker: Asker): Promise<Client> {
    try {
      const shown = shownIn(request, params);
      const client = await find(shown.id, asker);
      if (client !== undefined) onNamed(request, client);
      return await check(client, shown);
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code !== "invalid_client") throw error;
      await pace(asker.bucket);
      throw error;
    }
  };
}

export type AuthenticateClient = ReturnType<typeof createClientAuthentication>;
