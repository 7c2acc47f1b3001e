import type { Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import { appendCookie, readCookies, type RequestFacts, type ResponseHead } from "../../http/index.ts";
import type { SignedIn } from "../flow/admission.ts";
import { deviceProofTtlMs, type DeviceProofs } from "../pressure/device.proof.ts";
import type { IssuedSession } from "../session/issuer.ts";

export const accessCookie = "auth_access";
export const refreshCookie = "auth_refresh";
/** Outlives the session: it tells the account's own browsers from strangers, and opens nothing. */
const deviceCookie = "auth_device";
const mostDeviceCookies = 4;

interface CookieOptions {
  readonly secure: Config["auth"]["cookieSecure"];
  readonly appUrl: URL;
  readonly accessTtlMs: number;
  readonly devices: DeviceProofs;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

/** Writes the cookies of accounts: HttpOnly, SameSite=Lax, Path=/, and host-only for want of a Domain. */
export function createAuthCookies({ secure, appUrl, accessTtlMs, devices, facts, clock }: CookieOptions) {
  const isSecure = (request: Request): boolean =>
    secure === "auto" ? appUrl.protocol === "https:" || facts.scheme(request) === "https" : secure === "true";

  /** A cookie without `maxAge` (seconds) ends with the browser session. */
  function write(head: ResponseHead, request: Request, name: string, value: string, maxAge?: number): void {
    appendCookie(head, name, value, {
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      secure: isSecure(request),
      ...(maxAge === undefined ? {} : { maxAge }),
    });
  }

  const setAccess = (head: ResponseHead, request: Request, access: string): void =>
    write(head, request, accessCookie, access, Math.floor(accessTtlMs / 1000));

  function set(head: ResponseHead, request: Request, issued: IssuedSession): void {
    const lastsSeconds = Math.max(0, Math.floor((issued.expiresAt - clock.now()) / 1000));
    setAccess(head, request, issued.access);
    write(head, request, refreshCookie, issued.refresh, issued.remembered ? lastsSeconds : undefined);
  }

  const devicesOf = (request: Request): readonly string[] => readCookies(request, deviceCookie, mostDeviceCookies);

  return {
    isSecure,
    setAccess,
    set,
    devicesOf,

    /** The same after somebody has proved to be the user: the account knows this browser from now on. */
    signIn(head: ResponseHead, request: Request, { user, issued }: SignedIn): void {
      set(head, request, issued);
      const proof = devices.prove(devicesOf(request), user);
      write(head, request, deviceCookie, proof, deviceProofTtlMs / 1000);
    },

    clear(head: ResponseHead, request: Request): void {
      write(head, request, accessCookie, "", 0);
      write(head, request, refreshCookie, "", 0);
    },
  };
}

export type AuthCookies = ReturnType<typeof createAuthCookies>;
