import { t } from "elysia";
import { timestamp, type Clock } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import { FieldFault } from "../../../core/fields.ts";
import { field, isBrowser, type RequestFacts, type ResponseHead } from "../../../http/index.ts";
import type { Client } from "../../client.ts";
import type { IssuedChallenge, ShownChallenge } from "../../factor/challenges.ts";
import type { Challenged, SignedIn } from "../../flow/admission.ts";
import type { DeviceProofs } from "../../pressure/device.proof.ts";
import type { IssuedSession } from "../../session/issuer.ts";
import type { AuthCookies } from "./cookies.ts";

/** Fields of a body that say how to hand over the session that it asks for. */
export const deliveryFields = {
  delivery: field.optional(
    field.text({
      most: 16,
      rule: (value) => (value === "body" ? value : new FieldFault("invalid_value", "must be body")),
      schema: { enum: ["body"], description: "Of an app that is no browser: tokens in the answer, and no cookies" },
    }),
  ),
  device_token: field.optional(
    field.text({
      most: 1024,
      mayBeEmpty: true,
      schema: { description: "With `delivery`: the `device_token` of an earlier answer" },
    }),
  ),
};

const TokensSchema = t.Object({
  access_token: t.String(),
  refresh_token: t.String(),
  token_type: t.Literal("Bearer"),
  expires_in: t.Integer({ description: "Seconds until the access token expires" }),
  refresh_expires_at: t.String({ format: "date-time", description: "When the session ends, whatever happens" }),
});

/** Fields of an answer that hands over the session. */
export const refreshedFields = { tokens: t.Optional(TokensSchema) };
export const deliveredFields = {
  ...refreshedFields,
  device_token: t.Optional(
    t.String({ description: "Keep it, and send it with the next login: strangers' wrong passwords don't lock it out" }),
  ),
};

const heldElsewhere =
  "The page is of another site than this service, and browsers keep no SameSite=Lax cookies there. Serve both from one site, have the page's own host pass /api on, or sign people in by the code flow of /oauth2/authorize.";

interface DeliveryOptions {
  readonly cookies: AuthCookies;
  readonly devices: DeviceProofs;
  readonly facts: Pick<RequestFacts, "losesCookies">;
  readonly accessTtlMs: number;
  readonly clock: Clock;
}

interface Asked {
  readonly delivery?: string | undefined;
  readonly device_token?: string | undefined;
}

export interface Delivery {
  /** The proofs of earlier sign-ins of a client that is no browser, for its `Client`. */
  readonly known: Pick<Client, "devices">;
  /** Writes the cookies, or returns the fields that the answer holds in their place. */
  signIn(signedIn: SignedIn): { tokens?: typeof TokensSchema.static; device_token?: string };
  /** Hands over a challenge that a sign-in ended at, with its secret in a cookie or in the answer, and then throws `mfa_required`. */
  orChallenge<T extends object>(signIn: T | Challenged): T;
  /** Returns the challenge with this name, if the client shows that it was given to it. */
  shown(challenge: string): ShownChallenge | undefined;
}

/** Reads `id.secret`, the form in the cookie and in answers without cookies. */
function readShown(text: string): ShownChallenge | undefined {
  const dot = text.indexOf(".");
  return dot === -1 ? undefined : { id: text.slice(0, dot), secret: text.slice(dot + 1) };
}

/** Hands sessions over: to browsers in cookies, which no script can read, to other clients in the answer where they ask for it. */
export function createDeliveries({ cookies, devices, facts, accessTtlMs, clock }: DeliveryOptions) {
  const inSeconds = (ms: number): number => Math.max(0, Math.floor(ms / 1000));

  const tokensOf = ({ access, refresh, expiresAt }: IssuedSession): typeof TokensSchema.static => ({
    access_token: access,
    refresh_token: refresh,
    token_type: "Bearer",
    expires_in: inSeconds(Math.min(accessTtlMs, expiresAt - clock.now())),
    refresh_expires_at: timestamp(expiresAt),
  });

  /**
   * Throws `cookies_only` for a browser, whose scripts must not get hold of a token, and for a client that sends the cookies of a session:
   * which of two sessions in one request is meant would be a guess.
   */
  function requireCookieless(request: Request): void {
    const detail = isBrowser(request)
      ? "Origin or Sec-Fetch-Site says that a browser sent it."
      : cookies.areSent(request)
        ? "The cookies of a session came with it."
        : undefined;
    if (detail !== undefined) throw new AppError("cookies_only", { detail });
  }

  /** Throws `cross_site_session` where a browser would not keep the session's cookies, so that nothing begins that would not hold. */
  function requireKept(request: Request): void {
    const isPage = request.headers.has("origin");
    if (isPage && facts.losesCookies(request)) throw new AppError("cross_site_session", { detail: heldElsewhere });
  }

  function orChallenge<T extends object>(signIn: T | Challenged, name: (issued: IssuedChallenge) => string): T {
    if (!("challenge" in signIn)) return signIn;
    const { challenge, userId } = signIn;
    const { methods, expiresAt } = challenge;
    const expiresInSeconds = inSeconds(expiresAt - clock.now());
    throw new AppError("mfa_required", { userId, challenge: { id: name(challenge), methods, expiresInSeconds } });
  }

  /** Returns the challenge with this id from the cookies of the browser. */
  const shownByCookie = (request: Request, id: string): ShownChallenge | undefined =>
    cookies
      .challengesOf(request)
      .flatMap((cookie) => readShown(cookie) ?? [])
      .find((shown) => shown.id === id);

  return {
    tokensOf,
    requireCookieless,
    shownByCookie,

    /**
     * Decides by the body of a request, before anything else is done. Throws `cookies_only`, and `cross_site_session` unless the request
     * opens no session.
     */
    of(head: ResponseHead, request: Request, asked: Asked, opensSession = true): Delivery {
      if (asked.delivery === undefined) {
        if (opensSession) requireKept(request);
        return {
          known: {},
          signIn(signedIn) {
            cookies.signIn(head, request, signedIn);
            return {};
          },
          orChallenge: (signIn) =>
            orChallenge(signIn, (issued) => {
              cookies.setChallenge(head, request, issued);
              return issued.id;
            }),
          shown: (challenge) => shownByCookie(request, challenge),
        };
      }
      requireCookieless(request);
      const shown = asked.device_token === undefined ? [] : [asked.device_token];
      return {
        known: { devices: shown },
        signIn: ({ user, issued }) => ({ tokens: tokensOf(issued), device_token: devices.prove(shown, user) }),
        orChallenge: (signIn) => orChallenge(signIn, ({ id, secret }) => `${id}.${secret}`),
        shown: readShown,
      };
    },
  };
}

export type Deliveries = ReturnType<typeof createDeliveries>;
