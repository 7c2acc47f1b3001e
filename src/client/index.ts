import { accountCalls, factorCalls, programCalls, providerCalls, sessionCalls } from "./calls.ts";
import { organizationCalls } from "./organization/calls.ts";
import { createCookies, createTokens } from "./transport/credentials.ts";
import { createFetch } from "./transport/fetch.ts";
import { createSending } from "./transport/sending.ts";
import { createSession } from "./transport/session.ts";
import { createTabs } from "./transport/tabs.ts";
import { createSend } from "./transport/transport.ts";
import type { Client, ClientOptions } from "./types.ts";

export type * from "./export.model.ts";
export type * from "./inputs.ts";
export type * from "./model.ts";
export type * from "./codes.ts";
export type * from "./factors.ts";
export type * from "./organization/domain.types.ts";
export type * from "./organization/types.ts";
export type * from "./result.types.ts";
export type * from "./types.ts";

/** A client of the service at one address. A page or a program needs one. */
export function createClient(options: ClientOptions = {}): Client {
  const { storage, timeoutMs = 20_000, onSignedOut } = options;
  const baseUrl = (options.baseUrl ?? "").replace(/\/+$/, "");
  const tabs = createTabs(`gatehouse ${baseUrl}`);
  const credentials = storage === undefined ? createCookies(tabs) : createTokens(storage);
  const send = createSend(options, baseUrl, credentials.mode);
  const session = createSession({ send, credentials, tabs, timeoutMs, onSignedOut });
  const sending = createSending({ baseUrl, credentials, session });
  return {
    onChange: session.onChange,
    fetch: createFetch(options, baseUrl, credentials.mode, session),
    ...sessionCalls(sending),
    ...accountCalls(sending),
    ...factorCalls(sending),
    ...providerCalls(sending),
    ...organizationCalls(sending),
    ...programCalls(sending),
  };
}
