import { Elysia } from "elysia";
import { errorResponses, Ok, operation } from "../../http/index.ts";
import type { ClientOf } from "../client.ts";
import { cookieWords, type AuthCookies } from "./cookies.ts";
import type { Deliveries } from "./delivery.ts";
import type { Guard } from "./guard.ts";
import type { PasswordService } from "../flow/password.service.ts";
import type { Pressure } from "../pressure/pressure.ts";
import {
  ChangePasswordBody,
  passwordRefusals,
  ResetConfirmBody,
  ResetRequestBody,
  ResetRequested,
  SignedInUser,
} from "./schemas.ts";
import { presentUser } from "./user.view.ts";

interface PasswordRouteOptions {
  readonly passwords: PasswordService;
  readonly pressure: Pressure;
  readonly cookies: AuthCookies;
  readonly deliveries: Deliveries;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
}

/** Changing a known password, and resetting a forgotten one by mail. */
export const passwordRoutes = ({ passwords, pressure, cookies, deliveries, guard, clientOf }: PasswordRouteOptions) =>
  new Elysia({ tags: ["Password"] })
    .use(guard)
    .post(
      "/change-password",
      async ({ body, request, set, session }) => {
        const delivery = deliveries.of(set, request, body);
        const signedIn = await passwords.change(session, body.current_password, body.new_password, clientOf(request));
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        requireAuth: true,
        body: ChangePasswordBody,
        response: {
          200: SignedInUser,
          ...errorResponses(
            "weak_password",
            "invalid_credentials",
            "reauthentication_required",
            "cookies_only",
            ...passwordRefusals,
          ),
        },
        detail: operation("changePassword", {
          summary: "Change the password and end the other sessions",
          cookies: { 200: cookieWords.signIn },
        }),
      },
    )
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
        response: { 200: ResetRequested, ...errorResponses("rate_limited") },
        detail: operation("requestPasswordReset", {
          summary: "Ask for a reset mail",
          description: "The answer does not tell whether the account exists.",
        }),
      },
    )
    .post(
      "/password-reset/confirm",
      async ({ body, request, set }) => {
        const client = clientOf(request);
        await pressure.limitAddress("password-reset-confirm", client, { token: body.token });
        await passwords.confirmReset(body.token, body.new_password, client);
        cookies.clear(set, request);
        return { ok: true as const };
      },
      {
        body: ResetConfirmBody,
        response: { 200: Ok, ...errorResponses("weak_password", "invalid_reset_token", "rate_limited", "overloaded") },
        detail: operation("confirmPasswordReset", {
          summary: "Redeem the mailed token, set the password, end all sessions",
          description:
            "A password that is too weak leaves the token usable. The token of the mail about an account's first second factor removes its factors, too.",
          cookies: { 200: cookieWords.clear },
        }),
      },
    );
