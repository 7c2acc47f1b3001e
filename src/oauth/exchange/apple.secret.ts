import { importPKCS8, SignJWT } from "jose";
import { hour, minute, type Clock } from "../../core/clock.ts";

interface AppleSecretOptions {
  readonly clientId: string;
  readonly teamId: string;
  readonly keyId: string;
  /** PKCS #8 in PEM. */
  readonly privateKey: string;
  /** Apple's own name, as ID tokens have it. */
  readonly audience: string;
  readonly clock: Clock;
}

const lifetimeMs = hour;
const renewBeforeMs = 5 * minute;

/**
 * Returns a function that makes Apple's client secret, a JWT signed with the developer's key. A secret is made when needed and used until
 * shortly before it expires.
 */
export function createAppleSecret({ clientId, teamId, keyId, privateKey, audience, clock }: AppleSecretOptions) {
  let current: { readonly secret: Promise<string>; readonly renewAt: number } | undefined;

  async function sign(now: number): Promise<string> {
    return new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: keyId })
      .setIssuer(teamId)
      .setSubject(clientId)
      .setAudience(audience)
      .setIssuedAt(Math.floor(now / 1000))
      .setExpirationTime(Math.floor((now + lifetimeMs) / 1000))
      .sign(await importPKCS8(privateKey, "ES256"));
  }

  return (): Promise<string> => {
    const now = clock.now();
    if (current === undefined || now >= current.renewAt) {
      current = { secret: sign(now), renewAt: now + lifetimeMs - renewBeforeMs };
    }
    return current.secret;
  };
}
