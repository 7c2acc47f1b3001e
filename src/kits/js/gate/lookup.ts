import { warn } from "../warning.ts";
import { refusalOf, unavailable, type Refusal } from "./answers.ts";
import type { GateOptions, GateOrganization, GateProgram, GateUser } from "./types.ts";

/** What Gatehouse says of one set of credentials. */
export type Told = { readonly user: GateUser; readonly cookies: readonly string[] } | Refusal;

interface LookupOptions extends Pick<GateOptions, "fetch"> {
  readonly baseUrl: string;
  readonly timeoutMs: number;
}

/** The most bytes of an answer that are read. A refusal of Gatehouse has some hundred. */
const mostBytes = 16_384;
/** The most cookies that are handed on: one for each domain below which one may lie. */
const mostCookies = 20;

/** How long nothing more is said of a Gatehouse that does not answer. */
const quietMs = 60_000;

/** Returns a function that tells who runs the app why nobody is let in: once a minute, as every request fails alike. */
function createWarning(baseUrl: string) {
  let next = 0;
  return (reason: string): void => {
    if (Date.now() < next) return;
    next = Date.now() + quietMs;
    warn(`${baseUrl} does not say who is calling, so that nobody is let in (503): ${reason}`);
  };
}

/** Says what kept a question from being answered, without the text of the error, which may hold what was sent. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "no answer";
  const cause = error.cause instanceof Error ? error.cause : error;
  return "code" in cause && typeof cause.code === "string" ? cause.code : error.name;
}

/** Returns a function that asks Gatehouse who is calling. It never throws. */
export function createLookup({
  baseUrl,
  timeoutMs,
  fetch = (url, init) => globalThis.fetch(url, init),
}: LookupOptions) {
  const complain = createWarning(baseUrl);
  return async (query: string, headers: Record<string, string>): Promise<Told> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const ask = async (): Promise<Told> => {
      // Not "error", which not every runtime knows. An answer that leads elsewhere is none of Gatehouse's, and is not followed.
      const url = `${baseUrl}/api/v1/auth/verify${query}`;
      const response = await fetch(url, { headers, redirect: "manual", signal });
      return read(response, complain);
    };
    try {
      // A connection that was kept open may have been closed meanwhile, by a restart of Gatehouse: asking again changes nothing.
      return await ask().catch((error: unknown) => {
        if (signal.aborted) throw error;
        return ask();
      });
    } catch (error) {
      complain(reasonOf(error));
      return unavailable();
    }
  };
}

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function read(response: Response, complain: (reason: string) => void): Promise<Told> {
  const { status, headers } = response;
  const cookies = headers.getSetCookie().slice(0, mostCookies);
  const user = status === 204 ? userIn(headers) : undefined;
  if (user !== undefined) return { user, cookies };
  const body = await readStart(response);
  const code = /"code":"([a-z_]{1,64})"/.exec(body)?.[1];
  const requestId = /^[\w.-]{1,128}$/.exec(headers.get("x-request-id") ?? "")?.[0];
  const seconds = Number.parseInt(headers.get("retry-after") ?? "", 10);
  const retryAfterSeconds = Number.isNaN(seconds) ? undefined : seconds;
  // Whatever else answers under this address, it opens nothing.
  if (code === undefined || status === 404) {
    complain(`status ${status} is no answer of a Gatehouse`);
    return unavailable();
  }
  if (status === 401 || status === 403 || status === 431) return { ...refusalOf(status, code), cookies, requestId };
  if (status === 429) return { ...unavailable(code, retryAfterSeconds), status, requestId };
  return { ...unavailable(status === 503 ? code : undefined, retryAfterSeconds), requestId };
}

/** Reads a short body; an endless one only as far as it is of use. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  while (bytes <= mostBytes) {
    const { value, done } = await reader.read();
    if (done) return text;
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return "";
}

function userIn(headers: Headers): GateUser | undefined {
  const told = (name: string): string => headers.get(`x-auth-${name}`) ?? "";
  if (!id.test(told("user-id"))) return undefined;
  try {
    const [acr, authTime] = [told("acr"), Number.parseInt(told("time"), 10)];
    return {
      id: told("user-id"),
      username: decodeURIComponent(told("username")),
      email: decodeURIComponent(told("email")),
      emailVerified: told("email-verified") === "true",
      roles: listOf(told("roles")),
      sessionId: told("session-id") || null,
      organization: organizationIn(told),
      program: programIn(told),
      claims: claimsIn(told("claims")),
      ...(acr !== "" && { acr }),
      ...(!Number.isNaN(authTime) && { authTime }),
    };
  } catch {
    return undefined;
  }
}

const listOf = (text: string): string[] => (text === "" ? [] : text.split(","));

function organizationIn(told: (name: string) => string): GateOrganization | null {
  const id = told("org-id");
  return id === "" ? null : { id, slug: told("org-slug"), roles: listOf(told("org-roles")) };
}

function programIn(told: (name: string) => string): GateProgram | null {
  const clientId = told("client-id");
  return clientId === "" ? null : { clientId, scopes: told("scope").split(" ") };
}

/** Throws where the text is no object of JSON in base64url. */
function claimsIn(text: string): Readonly<Record<string, unknown>> {
  if (text === "") return {};
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof claims !== "object" || claims === null) throw new TypeError("claims are an object");
  return { ...claims };
}
