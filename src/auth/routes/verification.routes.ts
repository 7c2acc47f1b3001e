import { Elysia } from "elysia";
import { errorResponses, Ok, operation, grouped } from "../../http/index.ts";
import type { ProfileService } from "../flow/account/profile.service.ts";
import type { ClientOf } from "../client.ts";
import type { AuthCookies } from "./session/cookies.ts";
import { signedInUserOf, type Guard } from "./session/guard.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { OkUser, TokenBody, VerificationRequested } from "./schemas.ts";
import { presentUser } from "./user.view.ts";
import type { VerificationService } from "../flow/verification.service.ts";
import type { SessionService } from "../session/session.service.ts";

interface VerificationRouteOptions {
  readonly verification: VerificationService;
  readonly sessions: SessionService;
  readonly profiles: ProfileService;
  readonly pressure: Pressure;
  readonly cookies: AuthCookies;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
}

export const verificationRoutes = ({
  verification,
  sessions,
  profiles,
  pressure,
  cookies,
  guard,
  clientOf,
}: VerificationRouteOptions) =>
  new Elysia(grouped("Email verification"))
    .use(guard)
    .post(
      "/email-verification/request",
      async ({ request, session }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-verification", client, { isProven: true });
        const token = await verification.request(await profiles.find(session.userId), client);
        return { ok: true as const, ...(token === undefined ? {} : { verification_token: token }) };
      },
      {
        requireAuth: true,
        response: { 200: VerificationRequested, ...errorResponses("rate_limited") },
        detail: operation("requestEmailVerification", {
          summary: "Ask for a verification mail",
          description: "An address that is verified already gets the same answer and no mail.",
        }),
      },
    )
    .post(
      "/email-verification/confirm",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-verification-confirm", client, { token: body.token });
        const signedIn = await signedInUserOf(sessions, cookies, request);
        return { ok: true as const, user: presentUser(await verification.confirm(body.token, client, signedIn)) };
      },
      {
        body: TokenBody,
        response: { 200: OkUser, ...errorResponses("invalid_verification_token", "email_taken", "rate_limited") },
        detail: operation("confirmEmailVerification", {
          summary: "Redeem the mailed token: verifies the address, or moves the account to a new one",
          description:
            "In a browser that is not signed in to the account the first proof of its address ends its sessions and links.",
        }),
      },
    )
    .post(
      "/email-verification/reject",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-verification-confirm", client, { token: body.token });
        await verification.reject(body.token, client);
        return { ok: true as const };
      },
      {
        body: TokenBody,
        response: { 200: Ok, ...errorResponses("invalid_verification_token", "rate_limited") },
        detail: operation("rejectEmailVerification", {
          summary: "Say by the mailed token that the account is not yours: it loses every way in",
        }),
      },
    )
    .post(
      "/email-change/undo",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-verification-confirm", client, { token: body.token });
        await verification.takeBack(body.token, client);
        return { ok: true as const };
      },
      {
        body: TokenBody,
        response: { 200: Ok, ...errorResponses("invalid_verification_token", "email_taken", "rate_limited") },
        detail: operation("undoEmailChange", {
          summary: "Put the old address back by the token that was mailed to it; ends all sessions",
        }),
      },
    );
