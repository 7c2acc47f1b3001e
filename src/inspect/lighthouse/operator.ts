import type { Config } from "../../config/index.ts";
import { addressBucket } from "../../core/address/address.ts";
import { hour, type Clock } from "../../core/clock.ts";
import { deriveKey, mac, randomToken, secretsEqual } from "../../core/crypto.ts";
import { AppError } from "../../core/errors.ts";
import { appendCookie, bearerToken, readCookie, type RequestFacts, type ResponseHead } from "../../http/index.ts";
import { createFormTokens } from "../../http/pages/form.tokens.ts";
import type { Log } from "../../observe/index.ts";
import { createLimiter } from "./limiter.ts";

interface OperatorOptions {
  readonly config: Pick<Config, "app" | "auth" | "lighthouse">;
  readonly facts: RequestFacts;
  readonly clock: Clock;
  readonly log: Log;
}

const sessionMs = 8 * hour;

/** Cookies ignore the port: without the app's name, the apps of one host would overwrite each other's cookies. */
export const operatorCookieOf = (app: string): string => `lighthouse_${app}`;

export type Operators = ReturnType<typeof createOperators>;

/**
 * Lets in anybody who knows LIGHTHOUSE_SECRET. A browser holds a signed cookie that ends by itself, and a new secret ends all cookies.
 * Nothing is stored, so that operators get in while the database is down.
 */
export function createOperators({ config, facts, clock, log }: OperatorOptions) {
  const { app, lighthouse } = config;
  const key = deriveKey(lighthouse.secret, `lighthouse/${app.name}`);
  const cookieName = operatorCookieOf(app.name);
  const formTokens = createFormTokens(key);
  const limiter = createLimiter(config.auth, clock);

  /** Whether the secret is right. Throws as a login does after too many wrong secrets. */
  function isSecret(request: Request, secret: string): boolean {
    const address = facts.clientAddress(request);
    try {
      if (limiter.attempt(addressBucket(address), () => secretsEqual(secret, lighthouse.secret))) return true;
    } catch (error) {
      log.warn("lighthouse sign-in refused", { address, error });
      throw error;
    }
    log.warn("lighthouse sign-in refused", { address, reason: "wrong_secret" });
    return false;
  }

  function write(head: ResponseHead, request: Request, value: string, maxAge: number): void {
    appendCookie(head, cookieName, value, {
      httpOnly: true,
      sameSite: "strict",
      path: "/lighthouse",
      secure: app.url.protocol === "https:" || facts.scheme(request) === "https",
      maxAge,
    });
  }

  function sessionOf(request: Request): string | undefined {
    const value = readCookie(request, cookieName) ?? "";
    const [expires = "", nonce = "", signature = ""] = value.split(".");
    const isGood =
      /^\d{1,15}$/.test(expires) &&
      secretsEqual(signature, mac(key, `session.${expires}.${nonce}`)) &&
      Number(expires) * 1000 > clock.now();
    return isGood ? value : undefined;
  }

  return {
    /** Sets the cookie. Throws `unauthorized` for a wrong secret. */
    signIn(request: Request, head: ResponseHead, secret: string): void {
      if (!isSecret(request, secret)) throw new AppError("unauthorized");
      const expires = String(Math.floor((clock.now() + sessionMs) / 1000));
      const nonce = randomToken();
      write(head, request, `${expires}.${nonce}.${mac(key, `session.${expires}.${nonce}`)}`, sessionMs / 1000);
      log.info("lighthouse sign-in", { address: facts.clientAddress(request) });
    },

    signOut: (request: Request, head: ResponseHead): void => write(head, request, "", 0),

    /** Returns the token for the forms of a signed-in page; undefined without a session. */
    formToken(request: Request): string | undefined {
      const session = sessionOf(request);
      return session === undefined ? undefined : formTokens.tokenOf(session);
    },

    /**
     * Accepts the cookie, or the secret as bearer token. Throws `unauthorized`. The right secret is let in whatever its address has tried
     * before. A secret as long as key:generate makes it needs no limit against guessing, and a program must not be locked out by a guesser
     * behind the same address.
     */
    authorise(request: Request): void {
      if (sessionOf(request) !== undefined) return;
      const sent = bearerToken(request);
      if (sent === undefined) throw new AppError("unauthorized");
      if (secretsEqual(sent, lighthouse.secret)) return;
      if (!isSecret(request, sent)) throw new AppError("unauthorized");
    },

    /** Throws `unauthorized` without a session, and `cross_site_request` for a form that was not made for the session. */
    checkForm(request: Request, form: URLSearchParams): void {
      const session = sessionOf(request);
      if (session === undefined) throw new AppError("unauthorized");
      formTokens.check(session, form);
    },
  };
}
