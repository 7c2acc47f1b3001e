import { Elysia, t } from "elysia";
import { timestamp } from "../../core/clock.ts";
import { answers, Ok, operation, grouped, Timestamp } from "../../http/index.ts";
import { cookieWords } from "./session/cookies.ts";
import {
  ChangePasswordBody,
  OkUser,
  passwordRefusals,
  ResetConfirmBody,
  ResetRequestBody,
  ResetRequested,
  SignedInUser,
  TokenBody,
} from "./schemas.ts";
import { presentUser } from "./user.view.ts";
import type { Parts } from "./parts.ts";

const InspectedReset = t.Object({
  ok: t.Literal(true),
  sign_in: t.Boolean({ description: "Whether the link came with the mail about a sign-in from a new device" }),
  has_password: t.Boolean({ description: "False where the link chooses the account's first password" }),
  added: t.Array(
    t.Object({
      kind: t.Union([t.Literal("identity"), t.Literal("totp"), t.Literal("passkey")]),
      id: t.String(),
      name: t.String({ description: "The account at a provider, or the name of a passkey" }),
      at: Timestamp,
    }),
  ),
});

type PasswordRouteOptions = Parts<
  "passwords" | "passwordless" | "pressure" | "cookies" | "deliveries" | "guard" | "clientOf"
>;

const removeRoutes = ({ passwordless, guard, clientOf }: PasswordRouteOptions) =>
  new Elysia(grouped("Password")).use(guard).post(
    "/password/remove",
    async ({ request, session }) => ({
      ok: true as const,
      user: presentUser(await passwordless.remove(session, clientOf(request))),
    }),
    {
      requireAuth: true,
      response: answers(OkUser, "forbidden", "reauthentication_required", "last_auth_method"),
      detail: operation("removePassword", {
        summary: "Take the password off your account, and end the other sessions",
        description: "Where `AUTH_PASSWORDLESS` allows it, for people with two passkeys or more.",
      }),
    },
  );

const changeRoutes = ({ passwords, deliveries, guard, clientOf }: PasswordRouteOptions) =>
  new Elysia(grouped("Password")).use(guard).post(
    "/change-password",
    async ({ body, request, set, session }) => {
      const delivery = deliveries.of(set, request, body);
      const signedIn = await passwords.change(session, body.current_password, body.new_password, clientOf(request));
      return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
    },
    {
      requireAuth: true,
      body: ChangePasswordBody,
      response: answers(
        SignedInUser,
        "weak_password",
        "invalid_credentials",
        "reauthentication_required",
        "cookies_only",
        "cross_site_session",
        ...passwordRefusals,
      ),
      detail: operation("changePassword", {
        summary: "Change the password and end the other sessions",
        cookies: { 200: cookieWords.signIn },
      }),
    },
  );

const resetRoutes = ({ passwords, pressure, cookies, clientOf }: PasswordRouteOptions) =>
  new Elysia(grouped("Password"))
    .post(
      "/password-reset/request",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("password-reset", client);
        const token = await passwords.requestReset(body.login, client);
        return { ok: true as const, ...(token === undefined ? {} : { reset_token: token }) };
      },
      {
        body: ResetRequestBody,
        response: answers(ResetRequested, "rate_limited"),
        detail: operation("requestPasswordReset", {
          summary: "Ask for a reset mail",
          description: "The answer does not tell whether the account exists.",
        }),
      },
    )
    .post(
      "/password-reset/inspect",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("password-reset-confirm", client, { token: body.token });
        const { added, hasPassword, isOfSignIn } = await passwords.inspectReset(body.token, client);
        const listed = added.map((each) => ({ ...each, at: timestamp(each.at) }));
        return { ok: true as const, sign_in: isOfSignIn, has_password: hasPassword, added: listed };
      },
      {
        body: TokenBody,
        response: answers(InspectedReset, "invalid_reset_token", "rate_limited"),
        detail: operation("inspectPasswordReset", {
          summary: "What a reset by the mailed token removes",
          description:
            "`has_password` is false where the link chooses the account's first password. Lists the identities that were linked and the second factors that were set up in the last seven days, which a thief may have added. Redeems nothing.",
        }),
      },
    )
    .post(
      "/password-reset/reject",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("password-reset-confirm", client, { token: body.token });
        await passwords.rejectSignIn(body.token, client);
        return { ok: true as const };
      },
      {
        body: TokenBody,
        response: answers(Ok, "invalid_reset_token", "rate_limited"),
        detail: operation("rejectSignIn", {
          summary: "End the session that the mail about a sign-in from a new device tells of",
          description: "The token stays good for a new password, which ends every other session as well.",
        }),
      },
    )
    .post(
      "/password-reset/confirm",
      async ({ body, request, set }) => {
        const client = clientOf(request);
        await pressure.limitAddress("password-reset-confirm", client, { token: body.token });
        await passwords.confirmReset(body.token, body.new_password, client, body.keep);
        cookies.clear(set, request);
        return { ok: true as const };
      },
      {
        body: ResetConfirmBody,
        response: answers(Ok, "weak_password", "invalid_reset_token", "rate_limited", "overloaded"),
        detail: operation("confirmPasswordReset", {
          summary: "Redeem the mailed token, set the password, end all sessions",
          description:
            "A password that is too weak leaves the token usable. What `POST /password-reset/inspect` lists is removed, but for the ids in `keep`; older identities and second factors stay. The token of the mail about an account's first second factor removes its factors, too.",
          cookies: { 200: cookieWords.clear },
        }),
      },
    );

export const passwordRoutes = (options: PasswordRouteOptions) =>
  new Elysia().use(changeRoutes(options)).use(removeRoutes(options)).use(resetRoutes(options));
