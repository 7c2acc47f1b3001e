import { Elysia, t } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { answers, Ok, operation, grouped } from "../../../http/index.ts";
import { credentialsOf, signedInBy } from "./guard.ts";
import { everythingKept, cookieWords } from "./cookies.ts";
import { byUser } from "../../journal.ts";
import {
  LoginBody,
  passwordRefusals,
  ReauthenticateBody,
  ReauthenticationOptions,
  RefreshBody,
  RefreshedUser,
  SignedInUser,
} from "../schemas.ts";
import { SessionList } from "./session.schemas.ts";
import { proofOf } from "../answer.fields.ts";
import { presentUser } from "../user.view.ts";
import type { Parts } from "../parts.ts";

type SessionRouteOptions = Parts<
  "login" | "reauthentication" | "sessions" | "cookies" | "deliveries" | "guard" | "clientOf"
>;

const signInRoutes = ({ login, sessions, cookies, deliveries, clientOf }: SessionRouteOptions) =>
  new Elysia(grouped("Sessions"))
    .post(
      "/login",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const client = { ...clientOf(request), ...delivery.known };
        const signIn = await login.login(body.login, body.password, client, body.remember ?? false);
        const signedIn = delivery.orChallenge(signIn);
        const delivered = delivery.signIn(signedIn);
        return { ok: true as const, user: presentUser(signedIn.user), ...delivered };
      },
      {
        body: LoginBody,
        response: answers(
          SignedInUser,
          "denied_by_hook",
          "invalid_credentials",
          "mfa_required",
          "email_not_verified",
          "cookies_only",
          "cross_site_session",
          ...passwordRefusals,
        ),
        detail: operation("login", {
          summary: "Log in with a user name or an address",
          description:
            "An unknown login, a wrong password and an account that is switched off get the same answer. Where the account has a second factor, a right password gets `mfa_required` with a `challenge` for `/login/verify`.",
          cookies: { 200: cookieWords.signIn, 401: cookieWords.challenge },
        }),
      },
    )
    .post(
      "/refresh",
      async ({ body, request, set }) => {
        const client = clientOf(request);
        const { refresh_token: given } = body;
        if (given !== undefined) deliveries.requireCookieless(request);
        const token = given ?? (await sessions.refreshTokenOf(credentialsOf(request, cookies)));
        const { user, issued } = await sessions.rotate(token, client);
        const answer = { ok: true as const, user: presentUser(user) };
        if (given !== undefined) return { ...answer, tokens: deliveries.tokensOf(issued) };
        cookies.set(set, request, issued);
        return answer;
      },
      {
        body: RefreshBody,
        response: answers(RefreshedUser, "denied_by_hook", "unauthorized", "cookies_only"),
        detail: operation("refresh", {
          summary: "Rotate the refresh token",
          description: "A token that was swapped out before ends its session: it may be in two hands.",
          cookies: { 200: cookieWords.renew },
          security: [{ refresh: [] }, {}],
        }),
      },
    );

const proofRoutes = ({ reauthentication, guard, clientOf }: SessionRouteOptions) =>
  new Elysia(grouped("Sessions"))
    .use(guard)
    .post(
      "/reauthenticate",
      async ({ body, request, session }) => {
        const client = clientOf(request);
        const proof = proofOf(body);
        if ("password" in proof) await reauthentication.confirm(session, proof.password, client, "invalid_credentials");
        else await reauthentication.confirmByFactor(session, proof, client);
        return { ok: true as const };
      },
      {
        requireAuth: "even_without_factor",
        body: ReauthenticateBody,
        response: answers(Ok, "invalid_credentials", "invalid_code", "reauthentication_required", ...passwordRefusals),
        detail: operation("reauthenticate", {
          summary: "Give the password or a second factor again, for what asks for a fresh proof of identity",
          description:
            "The proof is good for ten minutes. A wrong password counts against this session alone. A session from before the account had a second factor is proven by that one alone: `reauthentication_required`.",
        }),
      },
    )
    .post(
      "/reauthenticate/options",
      async ({ session }) => {
        const { methods, passkeyOptions } = await reauthentication.prepare(session);
        const passkey = passkeyOptions === undefined ? {} : { passkey_options: passkeyOptions };
        return { ok: true as const, methods: [...methods], ...passkey };
      },
      {
        requireAuth: "even_without_factor",
        response: { 200: ReauthenticationOptions },
        detail: operation("getReauthenticationOptions", {
          summary: "The second factors by which you can prove yourself again",
        }),
      },
    );

const openSessionRoutes = ({ sessions, cookies, guard, clientOf }: SessionRouteOptions) =>
  new Elysia(grouped("Sessions"))
    .use(guard)
    .get("/sessions", async ({ session }) => ({ ok: true as const, sessions: await sessions.list(session) }), {
      requireAuth: true,
      response: { 200: SessionList },
      detail: operation("listSessions", { summary: "List your active sessions, newest first" }),
    })
    .post(
      "/sessions/:id/revoke",
      async ({ params, request, set, session }) => {
        await sessions.revoke(params.id, session.userId, clientOf(request));
        if (params.id === session.id) cookies.clear(set, request);
        return { ok: true as const };
      },
      {
        requireAuth: true,
        params: t.Object({ id: t.String() }),
        response: answers(Ok, "session_not_found"),
        detail: operation("revokeSession", {
          summary: "End one of your sessions",
          description: "Ending the current one clears its cookies.",
        }),
      },
    )
    .post(
      "/logout",
      async ({ request, set }) => {
        const client = clientOf(request);
        const credentials = credentialsOf(request, cookies);
        const recognized = await sessions.recognize(credentials);
        const open = await sessions.allServing(credentials, recognized);
        // The cookies are cleared only after the sessions have ended: a person who can't be logged out now must be able to try again.
        await sessions.end(open, client);
        cookies.clear(set, request);
        if (open.length === 0)
          throw new AppError("unauthorized", "refused" in recognized ? { flaw: recognized.refused } : {});
        return { ok: true as const };
      },
      {
        response: { 200: Ok },
        detail: operation("logout", {
          summary: "End the current session, and any other whose cookie was sent",
          cookies: { 200: cookieWords.clear, 401: cookieWords.clear },
          ...signedInBy,
        }),
      },
    )
    .post(
      "/logout-all",
      async ({ request, set, session }) => {
        await sessions.endAll(session.userId, byUser(clientOf(request)));
        cookies.clear(set, request);
        set.headers["clear-site-data"] = everythingKept;
        return { ok: true as const };
      },
      {
        requireAuth: "even_without_factor",
        response: { 200: Ok },
        detail: operation("logoutAll", {
          summary: "End all of your sessions",
          description:
            "`Clear-Site-Data` has the browser forget what it keeps of this site, the account's proof of it included.",
          cookies: { 200: cookieWords.clear },
        }),
      },
    );

export const sessionRoutes = (options: SessionRouteOptions) =>
  new Elysia().use(signInRoutes(options)).use(proofRoutes(options)).use(openSessionRoutes(options));
