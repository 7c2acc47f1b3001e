import { Elysia, t } from "elysia";
import { answers, Ok, operation, grouped } from "../../../http/index.ts";
import { cookieWords } from "../session/cookies.ts";
import {
  LoginOptions,
  OfferOptions,
  OkPasskey,
  PasskeyLoginBody,
  PasskeyLoginOptionsBody,
  PasskeySignal,
  presentPasskey,
  RegisterPasskeyBody,
  RegistrationOptions,
  RenamePasskeyBody,
} from "./passkey.schemas.ts";
import { SignedInUser } from "../schemas.ts";
import { presentUser } from "../user.view.ts";
import type { Parts } from "../parts.ts";

type PasskeyRouteOptions = Parts<
  "pressure" | "passkeys" | "passkeyLogin" | "browsers" | "deliveries" | "guard" | "clientOf"
>;

const ofOne = t.Object({ id: t.String() });
/** Binds the challenge of a client that is no browser: nobody can be led to somebody else's page there. */
const noBrowser = "";

const newPasskeyRoutes = ({ passkeys, guard, clientOf }: PasskeyRouteOptions) =>
  new Elysia(grouped("Passkeys"))
    .use(guard)
    .post(
      "/passkeys/register/options",
      async ({ request, session }) => ({
        ok: true as const,
        options: await passkeys.registrationOptions(session, request.headers.get("origin")),
      }),
      {
        requireAuth: "even_without_factor",
        response: answers(RegistrationOptions, "passkey_origin", "reauthentication_required", "passkey_limit"),
        detail: operation("getPasskeyCreationOptions", {
          summary: "What a browser needs in order to make a passkey",
          description: "Its challenge is good for five minutes, in this session, once.",
        }),
      },
    )
    .post(
      "/passkeys/register/offer",
      async ({ request, session }) => ({
        ok: true as const,
        options: await passkeys.offer(session, request.headers.get("origin")),
      }),
      {
        requireAuth: true,
        response: answers(OfferOptions, "passkey_origin"),
        detail: operation("getPasskeyOffer", {
          summary: "What a browser needs in order to make a passkey by itself",
          description:
            "In a session that a password and a second factor have opened minutes ago, unless `AUTH_PASSKEY_OFFER` is off; null in any other. Its challenge is good for five minutes, in this session, once.",
        }),
      },
    )
    .post(
      "/passkeys/register/verify",
      async ({ body, request, session }) => {
        const passkey = await passkeys.register(session, body, clientOf(request));
        return { ok: true as const, passkey: presentPasskey(passkey) };
      },
      {
        requireAuth: "even_without_factor",
        body: RegisterPasskeyBody,
        response: answers(
          OkPasskey,
          "invalid_challenge",
          "reauthentication_required",
          "factor_exists",
          "passkey_limit",
          "rate_limited",
        ),
        detail: operation("addPasskey", {
          summary: "Add the passkey that a browser has made",
          description: "Without a name it is called after where it is kept, or after the browser.",
        }),
      },
    );

const ownPasskeyRoutes = ({ passkeys, guard, clientOf }: PasskeyRouteOptions) =>
  new Elysia(grouped("Passkeys"))
    .use(guard)
    .get("/passkeys/signal", async ({ session }) => ({ ok: true as const, signal: await passkeys.signal(session) }), {
      requireAuth: true,
      response: { 200: PasskeySignal },
      detail: operation("getPasskeySignal", {
        summary: "What devices may know of your passkeys, so that they forget those that were removed",
      }),
    })
    .post(
      "/passkeys/:id/rename",
      async ({ body, params, request, session }) => {
        const passkey = await passkeys.rename(session, params.id, body.name, clientOf(request));
        return { ok: true as const, passkey: presentPasskey(passkey) };
      },
      {
        requireAuth: true,
        params: ofOne,
        body: RenamePasskeyBody,
        response: answers(OkPasskey, "reauthentication_required", "factor_not_found", "rate_limited"),
        detail: operation("renamePasskey", { summary: "Give a passkey another name; takes a fresh proof of identity" }),
      },
    )
    .post(
      "/passkeys/:id/remove",
      async ({ params, request, session }) => {
        await passkeys.remove(session, params.id, clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        params: ofOne,
        response: answers(Ok, "reauthentication_required", "factor_not_found", "last_factor", "rate_limited"),
        detail: operation("removePasskey", { summary: "Remove a passkey: it signs nobody in any more" }),
      },
    );

const passkeyLoginRoutes = ({ passkeyLogin, pressure, browsers, deliveries, clientOf }: PasskeyRouteOptions) =>
  new Elysia(grouped("Passkeys"))
    .post(
      "/passkeys/login/options",
      async ({ body, request, set }) => {
        deliveries.of(set, request, body);
        await pressure.limitAddress("passkey-options", clientOf(request));
        const browser = body.delivery === undefined ? browsers.bind(set, request) : noBrowser;
        return { ok: true as const, options: passkeyLogin.options(browser, request.headers.get("origin")) };
      },
      {
        body: PasskeyLoginOptionsBody,
        response: answers(LoginOptions, "cookies_only", "cross_site_session", "passkey_origin", "rate_limited"),
        detail: operation("getPasskeyRequestOptions", {
          summary: "What a browser needs in order to ask for a passkey",
          description: "Its challenge is good for five minutes, in this browser, once. It names no account.",
          cookies: { 200: cookieWords.passkey },
        }),
      },
    )
    .post(
      "/passkeys/login/verify",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const browser = body.delivery === undefined ? browsers.read(request) : noBrowser;
        const origin = { browser, client: { ...clientOf(request), ...delivery.known } };
        const signedIn = await passkeyLogin.login(body.credential, origin, body.remember ?? false);
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        body: PasskeyLoginBody,
        response: answers(
          SignedInUser,
          "denied_by_hook",
          "invalid_challenge",
          "invalid_credentials",
          "email_not_verified",
          "cookies_only",
          "cross_site_session",
          "account_locked",
          "rate_limited",
        ),
        detail: operation("loginWithPasskey", {
          summary: "Sign in with a passkey",
          description:
            "It counts as two factors: its authenticator has verified its user. Whatever is wrong with a passkey gets the same answer.",
          cookies: { 200: cookieWords.signIn },
        }),
      },
    );

export const passkeyRoutes = (options: PasskeyRouteOptions) =>
  new Elysia().use(newPasskeyRoutes(options)).use(ownPasskeyRoutes(options)).use(passkeyLoginRoutes(options));
