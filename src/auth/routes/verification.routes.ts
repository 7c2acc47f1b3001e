import { Elysia } from "elysia";
import { errorResponses } from "../../http/index.ts";
import type { ProfileService } from "../flow/profile.service.ts";
import type { ClientOf } from "../client.ts";
import type { AuthCookies } from "./cookies.ts";
import { signedInUserOf, type Guard } from "./guard.ts";
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
  new Elysia({ prefix: "/email-verification", tags: ["Email verification"] })
    .use(guard)
    .post(
      "/request",
      async ({ request, session }) => {
        await pressure.limitAddress("email-verification", clientOf(request).bucket);
        const token = await verification.request(await profiles.find(session.userId));
        return { ok: true as const, ...(token === undefined ? {} : { verification_token: token }) };
      },
      {
        requireAuth: true,
        response: { 200: VerificationRequested, ...errorResponses(401, 429) },
        detail: { summary: "Ask for a verification mail" },
      },
    )
    .post(
      "/confirm",
      async ({ body, request }) => {
        const client = clientOf(request);
        await pressure.limitAddress("email-verification-confirm", client.bucket);
        const signedIn = await signedInUserOf(sessions, cookies, request);
        return { ok: true as const, user: presentUser(await verification.confirm(body.token, client, signedIn)) };
      },
      {
        body: TokenBody,
        response: { 200: OkUser, ...errorResponses(400, 401, 429) },
        detail: { summary: "Redeem the mailed token" },
      },
    );
