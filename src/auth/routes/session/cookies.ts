import { addressFamily } from "../../../core/address/address.family.ts";
import type { AppName, Config } from "../../../config/index.ts";
import type { Clock } from "../../../core/clock.ts";
import {
  appendCookie,
  bearerToken,
  countCookies,
  readCookies,
  type RequestFacts,
  type ResponseHead,
} from "../../../http/index.ts";
import type { IssuedChallenge } from "../../factor/challenges.ts";
import type { SignedIn } from "../../flow/admission.ts";
import { voucherTtlMs } from "../../flow/organization/vouchers.ts";
import { deviceProofTtlMs, type DeviceProofs } from "../../pressure/device.proof.ts";
import type { IssuedSession } from "../../session/issuer.ts";
import type { UserRow } from "../../user/user.repository.ts";

/**
 * Returns the names of an app's cookies. Cookies ignore ports, and a browser may know both apps under one host: the names of `admin` begin
 * with the app's.
 */
export const cookieNamesOf = (app: AppName) => {
  const prefix = app === "app" ? "" : `${app}_`;
  return {
    access: `${prefix}auth_access`,
    refresh: `${prefix}auth_refresh`,
    /** Outlives the session: the cookie tells the account's own browsers from strangers, and opens nothing. */
    device: `${prefix}auth_device`,
    /** Holds a sign-in that waits for a second factor, so that this browser alone can answer its challenge. The cookie opens nothing else. */
    challenge: `${prefix}auth_challenge`,
    /** Ties the challenge of a passkey to the browser. */
    passkey: `${prefix}auth_passkey`,
    /** Holds the secret of a browser that has asked for a mail with a code. */
    emailLogin: `${prefix}auth_email_login`,
    /** Holds the word of an organization's provider for an account that it is not linked to. */
    vouched: `${prefix}auth_vouched`,
  } as const;
};
/** The words of the API reference on the cookies that an answer sets. */
export const cookieWords = {
  signIn:
    "`auth_access` and `auth_refresh` of the session, and `auth_device`, by which the account knows the browser again",
  renew: "`auth_access` and `auth_refresh`, both new",
  challenge: "`auth_challenge` with `mfa_required`: only who sends it can answer the challenge",
  passkey: "`auth_passkey`, by which the browser is known again that the challenge was given to",
  emailLogin: "`auth_email_login`, by which the code of the mail works in this browser alone",
  clear: "`auth_access` and `auth_refresh`, empty and expired",
} as const;

/** A sign-out everywhere has the browser forget all of this, cookies of sibling hosts included, and that by which the account knows it. */
export const everythingKept = '"cache", "cookies", "storage"';

/** How many proofs of earlier sign-ins of one browser are looked at. */
export const mostDeviceCookies = 4;
const mostParents = 8;

/** Returns the domains for which a host can set cookies: its own name and its parents, which browsers refuse where they are public suffixes. */
function domainsOf(host: string): readonly string[] {
  if (addressFamily(host.replaceAll(/[[\]]/g, "")) !== 0) return [];
  const labels = host.split(".");
  return labels
    .slice(0, -1)
    .map((_, index) => labels.slice(index).join("."))
    .slice(-mostParents);
}

interface CookieOptions {
  readonly app: AppName;
  readonly secure: Config["auth"]["cookieSecure"];
  /** Shares the cookies of the API app's sessions with the hosts below this domain. The admin app's cookies stay with their host. */
  readonly domain?: string | undefined;
  readonly appUrl: URL;
  readonly accessTtlMs: number;
  readonly devices: DeviceProofs;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

interface Kept {
  /** Seconds. A cookie without a maximum age ends with the browser session. */
  readonly maxAge: number | undefined;
  /** The domain that shares the cookie; undefined where it stays with the host. */
  readonly at: string | undefined;
}

const attributesOf = ({ maxAge, at }: Kept) =>
  ({
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    ...(at === undefined ? {} : { domain: at }),
    ...(maxAge === undefined ? {} : { maxAge }),
  }) as const;

/**
 * Writes the cookies of accounts: HttpOnly, SameSite=Lax, Path=/. Cookies of the session are host-only unless a domain shares them. The
 * device's cookie always is: only a login reads it, and no sibling host has a use for it.
 */
export function createAuthCookies(options: CookieOptions) {
  const { app, secure, appUrl, accessTtlMs, devices, facts, clock } = options;
  const names = cookieNamesOf(app);
  const sessionCookies = [names.access, names.refresh];
  const domain = app === "app" ? options.domain : undefined;
  /** The domains where cookies of these names may lie since another setting. */
  const otherDomains = [undefined, ...domainsOf(appUrl.hostname)].filter((other) => other !== domain);
  const isSecure = (request: Request): boolean =>
    secure === "auto" ? appUrl.protocol === "https:" || facts.scheme(request) === "https" : secure === "true";

  const write = (head: ResponseHead, request: Request, name: string, value: string, kept: Kept): void =>
    appendCookie(head, name, value, { ...attributesOf(kept), secure: isSecure(request) });

  /**
   * Removes the browser's cookie of this name from another setting of the domain, or from a sibling host: the browser would send it beside
   * the new one. Comes before the new one is written, for clients that take both for one cookie.
   */
  function removeOthers(head: ResponseHead, request: Request, name: string): void {
    for (const other of otherDomains) write(head, request, name, "", { maxAge: 0, at: other });
  }

  function setAccess(head: ResponseHead, request: Request, access: string): void {
    if (countCookies(request, names.access) > 1) removeOthers(head, request, names.access);
    write(head, request, names.access, access, { maxAge: Math.floor(accessTtlMs / 1000), at: domain });
  }

  function set(head: ResponseHead, request: Request, issued: IssuedSession): void {
    const lastsSeconds = Math.max(0, Math.floor((issued.expiresAt - clock.now()) / 1000));
    setAccess(head, request, issued.access);
    if (countCookies(request, names.refresh) > 1) removeOthers(head, request, names.refresh);
    const maxAge = issued.remembered ? lastsSeconds : undefined;
    write(head, request, names.refresh, issued.refresh, { maxAge, at: domain });
  }

  /** Gives the browser a session in place of any other: a cookie that came with the request may lie where this one does not replace it. */
  function replace(head: ResponseHead, request: Request, issued: IssuedSession): void {
    for (const name of sessionCookies) if (countCookies(request, name) === 1) removeOthers(head, request, name);
    set(head, request, issued);
    if (countCookies(request, names.challenge) > 0) keep(head, request, names.challenge, "", 0);
  }

  const devicesOf = (request: Request): readonly string[] => readCookies(request, names.device, mostDeviceCookies);

  const areSent = (request: Request): boolean => sessionCookies.some((name) => countCookies(request, name) > 0);

  /** Clears the cookies. A client that shows a bearer token and sends no cookies has none to clear. */
  function clear(head: ResponseHead, request: Request): void {
    if (bearerToken(request) !== undefined && !areSent(request)) return;
    for (const name of sessionCookies) {
      if (domain !== undefined || countCookies(request, name) > 1) removeOthers(head, request, name);
      write(head, request, name, "", { maxAge: 0, at: domain });
    }
  }

  /** Sets a cookie of the host alone, which no page can read and which ends after `ttlMs`. */
  const keep = (head: ResponseHead, request: Request, name: string, value: string, ttlMs: number): void =>
    write(head, request, name, value, { maxAge: Math.floor(ttlMs / 1000), at: undefined });

  return {
    names,
    isSecure,
    keep,
    setAccess,
    set,
    replace,

    /** Signs the browser in after a proof: the account knows this browser from now on. */
    signIn(head: ResponseHead, request: Request, { user, issued }: SignedIn): void {
      replace(head, request, issued);
      const proof = devices.prove(devicesOf(request), user);
      write(head, request, names.device, proof, { maxAge: deviceProofTtlMs / 1000, at: undefined });
    },

    setVouched: (head: ResponseHead, request: Request, voucher: string): void =>
      keep(head, request, names.vouched, voucher, voucherTtlMs),

    setChallenge(head: ResponseHead, request: Request, { id, secret, expiresAt }: IssuedChallenge): void {
      const maxAge = Math.max(0, Math.ceil((expiresAt - clock.now()) / 1000));
      write(head, request, names.challenge, `${id}.${secret}`, { maxAge, at: undefined });
    },

    /** Returns the challenges in the browser's cookies; there are several where a sibling host has planted one. */
    challengesOf: (request: Request): readonly string[] => readCookies(request, names.challenge, mostDeviceCookies),

    areSent,
    clear,

    /** Signs the browser out where the account is gone: no cookie speaks of the account any more. */
    forget(head: ResponseHead, request: Request, user: UserRow): void {
      clear(head, request);
      const shown = devicesOf(request);
      if (shown.length === 0) return;
      const others = devices.forget(shown, user);
      const maxAge = others === undefined ? 0 : deviceProofTtlMs / 1000;
      write(head, request, names.device, others ?? "", { maxAge, at: undefined });
    },
  };
}

export type AuthCookies = ReturnType<typeof createAuthCookies>;
