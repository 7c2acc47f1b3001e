import type { IncomingMessage, ServerResponse } from "node:http";
import { knownProviders } from "../../../src/core/people/providers.ts";

/** Every provider that the service knows, and `acme-login`, an OpenID provider that is found by discovery. Each has a stand-in. */
export const providerNames = [...knownProviders, "acme-login"] as const;
export type ProviderName = (typeof providerNames)[number];

/** Providers that give ID tokens. */
export type OpenIdName = Exclude<ProviderName, "github">;
export const openIdNames = providerNames.filter((name): name is OpenIdName => name !== "github");

/** The public address of every Gatehouse under test here. Browsers that follow redirects get its real one instead. */
export const publicUrl = "https://gatehouse.example.test";
export const callbackOf = (provider: string, appUrl = publicUrl): string =>
  `${appUrl}/api/v1/auth/oauth/${provider}/callback`;

/** A person's account at a provider. */
export interface Account {
  readonly subject: string;
  readonly email?: string;
  readonly emailVerified?: boolean;
  readonly name?: string;
  readonly login?: string;
  /** The tenant's id, at Microsoft. */
  readonly tenant?: string;
}

/** Answers a request in the provider's place. Returns false to leave it to the provider. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** A provider on a free port of this machine. Accounts and faults can be set while it runs. */
export interface StandIn {
  readonly name: ProviderName;
  readonly url: string;
  /** The variables that make Gatehouse use the provider. */
  readonly env: Readonly<Record<string, string>>;
  readonly clientId: string;
  /** Accounts by what is typed into the sign-in page. */
  readonly accounts: Map<string, Account>;
  /** Faults by path: `/token`. */
  readonly faults: Map<string, Fault>;
  /** Requested paths, in order. */
  readonly requests: string[];
  /** Every secret that the provider has given out: codes, tokens. */
  readonly secrets: string[];
  stop(): Promise<void>;
}

export const answerWith =
  (
    status: number,
    body: string,
    headers: Readonly<Record<string, string>> = { "content-type": "application/json" },
  ): Fault =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
    return true;
  };

/** Takes the request and never answers. The connection ends with the provider. */
export const neverAnswer: Fault = () => true;

/** States the length of the answer, sends a part and hangs up. */
export const cutOff: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
  response.write('{"access_token":"half of');
  setTimeout(() => response.destroy(), 20);
  return true;
};

/** Begins to answer and goes on for ever, a byte at a time. */
export const drip: Fault = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(" "), 100);
  response.on("close", () => clearInterval(timer));
  return true;
};

export async function readFields(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return new URLSearchParams(Buffer.concat(chunks).toString());
}

/** Returns the sign-in page of every provider here. */
export const signInPage = (hidden: Readonly<Record<string, string>> = {}): string => {
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${Bun.escapeHTML(value)}">`,
  );
  return `<!doctype html><title>Provider</title><form method="post">${fields.join("")}<input name="account"><button>Sign in</button></form>`;
};
