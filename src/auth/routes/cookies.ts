import type { AppName, Config } from "../../config/index.ts";
import type { Clock } from "../../core/clock.ts";
import { appendCookie, readCookies, type RequestFacts, type ResponseHead } from "../../http/index.ts";
import type { SignedIn } from "../flow/admission.ts";
import { deviceProofTtlMs, type DeviceProofs } from "../pressure/device.proof.ts";
import type { IssuedSession } from "../session/issuer.ts";
import type { UserRow } from "../user/user.repository.ts";

/**
 * What an app calls its cookies. Cookies ignore ports, and a browser may know both apps under one host: those of `admin`
 * have its name in front.
 */
export const cookieNamesOf = (app: AppName) => {
  const prefix = app === "app" ? "" : `${app}_`;
  return {
    access: `${prefix}auth_access`,
    refresh: `${prefix}auth_refresh`,
    /** Outlives the session: it tells the account's own browsers from strangers, and opens nothing. */
    device: `${prefix}auth_device`,
  } as const;
};
const mostDeviceCookies = 4;

interface CookieOptions {
  readonly app: AppName;
  readonly secure: Config["auth"]["cookieSecure"];
  readonly appUrl: URL;
  readonly accessTtlMs: number;
  readonly devices: DeviceProofs;
  readonly facts: RequestFacts;
  readonly clock: Clock;
}

/** Writes the cookies of accounts: HttpOnly, SameSite=Lax, Path=/, and host-only for want of a Domain. */
export function createAuthCookies({ app, secure, appUrl, accessTtlMs, devices, facts, clock }: CookieOptions) {
  const names = cookieNamesOf(app);
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
    write(head, request, names.access, access, Math.floor(accessTtlMs / 1000));

  function set(head: ResponseHead, request: Request, issued: IssuedSession): void {
    const lastsSeconds = Math.max(0, Math.floor((issued.expiresAt - clock.now()) / 1000));
    setAccess(head, request, issued.access);
    write(head, request, names.refresh, issued.refresh, issued.remembered ? lastsSeconds : undefined);
  }

  const devicesOf = (request: Request): readonly string[] => readCookies(request, names.device, mostDeviceCookies);

  function clear(head: ResponseHead, request: Request): void {
    write(head, request, names.access, "", 0);
    write(head, request, names.refresh, "", 0);
  }

  return {
    names,
    isSecure,
    setAccess,
    set,
    devicesOf,

    /** The same after somebody has proved to be the user: the account knows this browser from now on. */
    signIn(head: ResponseHead, request: Request, { user, issued }: SignedIn): void {
      set(head, request, issued);
      const proof = devices.prove(devicesOf(request), user);
      write(head, request, names.device, proof, deviceProofTtlMs / 1000);
    },

    clear,

    /** The same where the account is gone: nothing in the browser speaks of it any more. */
    forget(head: ResponseHead, request: Request, user: UserRow): void {
      clear(head, request);
      const others = devices.forget(devicesOf(request), user);
      write(head, request, names.device, others ?? "", others === undefined ? 0 : deviceProofTtlMs / 1000);
    },
  };
}

export type AuthCookies = ReturnType<typeof createAuthCookies>;
