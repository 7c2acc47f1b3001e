import type { GateNeeds, GateRequest } from "./types.ts";

/** The most characters of credentials that are sent on: tokens and cookies of Gatehouse are far shorter. */
export const mostCharacters = 12_288;

/** The cookies of a session. Others of the app are none of Gatehouse's business. */
const sessionCookie = /^(?:auth_access|auth_refresh)=/;

/** Whether a `Set-Cookie` is about the session: what else an answer sets is not handed on. */
export const isSessionCookie = (setCookie: string): boolean => sessionCookie.test(setCookie);

/** One of the two at most: where there is a bearer token, the cookies of the browser decide nothing. */
export interface Credentials {
  readonly cookie: string;
  /** A bearer token with its scheme. What browsers add by themselves, such as Basic, is no business of Gatehouse's. */
  readonly authorization: string;
}

export function credentialsOf({ headers }: GateRequest): Credentials {
  const authorization = headers.get("authorization") ?? "";
  if (/^bearer +\S/i.test(authorization)) return { cookie: "", authorization };
  const cookies = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return { cookie: cookies.filter((pair) => sessionCookie.test(pair)).join("; "), authorization: "" };
}

/** Returns the addresses that a request has come by, the last one of which no client can have written, where the app knows it. */
export function wayOf({ headers }: Pick<GateRequest, "headers">, clientAddress: string | undefined): string {
  const way = [headers.get("x-forwarded-for"), clientAddress].filter((hop) => hop != null && hop !== "").join(", ");
  return way.length <= 2_048 ? way : (clientAddress ?? "");
}

/** Returns the headers of the question, so that Gatehouse sees the person behind the app. */
export function headersFor(
  request: GateRequest,
  { cookie, authorization }: Credentials,
  { clientAddress }: GateNeeds,
): Record<string, string> {
  const way = wayOf(request, clientAddress);
  return {
    accept: "application/json",
    ...(cookie !== "" && { cookie }),
    ...(authorization !== "" && { authorization }),
    ...(way !== "" && { "x-forwarded-for": way }),
  };
}

const safeMethods: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Whether a page of another site may have sent a request that changes something, or opens a web socket. Browsers tell the origin of such a request, in
 * Sec-Fetch-Site or in Origin; a client that sends neither is no browser and carries no one else's cookies.
 */
export function isCrossSite({ method, headers }: GateRequest, origins: readonly string[]): boolean {
  // A page may open a web socket anywhere without being asked, and with cookies.
  if (safeMethods.includes(method) && headers.get("upgrade") === null) return false;
  const [site, origin] = [headers.get("sec-fetch-site"), headers.get("origin")];
  if (origin !== null && origins.includes(origin)) return false;
  if (site !== null) return site !== "same-origin" && site !== "none";
  return (
    origin !== null && /^https?:\/\/([^/]+)$/.exec(origin)?.[1]?.toLowerCase() !== headers.get("host")?.toLowerCase()
  );
}
