import { Elysia } from "elysia";
import { bodyOf, errorResponses } from "../../http/index.ts";
import type { ProfileService } from "../flow/profile.service.ts";
import type { RegistrationService } from "../flow/registration.service.ts";
import type { ClientOf } from "../client.ts";
import type { Deliveries } from "./delivery.ts";
import type { Guard } from "./guard.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { OkUser, ProfileBody, RegisterFields, Registered } from "./schemas.ts";
import { presentUser } from "./user.view.ts";

interface AccountRouteOptions {
  readonly registration: RegistrationService;
  readonly profiles: ProfileService;
  readonly pressure: Pressure;
  readonly deliveries: Deliveries;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
}

/** Registering, and the account's own data. */
export const accountRoutes = ({ registration, profiles, pressure, deliveries, guard, clientOf }: AccountRouteOptions) =>
  new Elysia({ tags: ["Account"] })
    .use(guard)
    .post(
      "/register",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const client = clientOf(request);
        await pressure.limitAddress("register", client.bucket);
        const form = { ...body, displayName: body.display_name };
        const signedIn = await registration.register(form, client, body.remember ?? false);
        if (signedIn === undefined) return { ok: true as const, requires_email_verification: true as const };
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        /** Before the body is validated: where registration is closed, nothing else is said. */
        transform: () => registration.requireOpen(),
        body: bodyOf(RegisterFields, {}, registration.faults),
        response: { 200: Registered, ...errorResponses(400, 403, 409, 429, 503) },
        detail: { summary: "Register an account" },
      },
    )
    .get(
      "/me",
      async ({ session }) => ({ ok: true as const, user: presentUser(await profiles.find(session.userId)) }),
      {
        requireAuth: true,
        response: { 200: OkUser, ...errorResponses(401) },
        detail: { summary: "The signed-in user" },
      },
    )
    .post(
      "/profile",
      async ({ body, request, session }) => {
        const edit = {
          ...body,
          displayName: body.display_name,
          avatarUrl: body.avatar_url,
          currentPassword: body.current_password,
        };
        const user = await profiles.edit(session, edit, clientOf(request));
        return { ok: true as const, user: presentUser(user) };
      },
      {
        requireAuth: true,
        body: ProfileBody,
        response: { 200: OkUser, ...errorResponses(400, 401, 403, 409, 423, 429) },
        detail: { summary: "Change your profile; a new address takes the current password" },
      },
    );
