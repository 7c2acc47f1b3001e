import { Elysia } from "elysia";
import { answers, Ok, operation, grouped } from "../../http/index.ts";
import { signedInUserOf } from "./session/guard.ts";
import { OkUser, TokenBody, VerificationRequested } from "./schemas.ts";
import { presentUser } from "./user.view.ts";
import type { Client } from "../client.ts";
import type { Parts } from "./parts.ts";

export const verificationRoutes = (
  parts: Parts<"verification" | "sessions" | "profiles" | "pressure" | "cookies" | "guard" | "clientOf">,
) => {
  const { verification, sessions, profiles, pressure, cookies, guard, clientOf } = parts;

  /** Charges the bearer of a mailed token, and returns who that is. */
  async function bearerOf(request: Request, token: string): Promise<Client> {
    const client = clientOf(request);
    await pressure.limitAddress("email-verification-confirm", client, { token });
    return client;
  }

  return new Elysia(grouped("Email verification"))
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
        response: answers(VerificationRequested, "rate_limited"),
        detail: operation("requestEmailVerification", {
          summary: "Ask for a verification mail",
          description: "An address that is verified already gets the same answer and no mail.",
        }),
      },
    )
    .post(
      "/email-verification/confirm",
      async ({ body, request }) => {
        const client = await bearerOf(request, body.token);
        const signedIn = await signedInUserOf(sessions, cookies, request);
        return { ok: true as const, user: presentUser(await verification.confirm(body.token, client, signedIn)) };
      },
      {
        body: TokenBody,
        response: answers(OkUser, "domain_not_allowed", "invalid_verification_token", "email_taken", "rate_limited"),
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
        await verification.reject(body.token, await bearerOf(request, body.token));
        return { ok: true as const };
      },
      {
        body: TokenBody,
        response: answers(Ok, "invalid_verification_token", "rate_limited"),
        detail: operation("rejectEmailVerification", {
          summary: "Say by the mailed token that the account is not yours: it loses every way in",
        }),
      },
    )
    .post(
      "/email-change/undo",
      async ({ body, request }) => {
        await verification.takeBack(body.token, await bearerOf(request, body.token));
        return { ok: true as const };
      },
      {
        body: TokenBody,
        response: answers(Ok, "invalid_verification_token", "email_taken", "rate_limited"),
        detail: operation("undoEmailChange", {
          summary: "Put the old address back by the token that was mailed to it; ends all sessions",
        }),
      },
    );
};
