import { Elysia } from "elysia";
import { password, text } from "../../core/text.ts";
import { errorResponses } from "../../http/index.ts";
import type { ProfileService } from "../flow/profile.service.ts";
import { readRegistration, type RegistrationService } from "../flow/registration.service.ts";
import type { ClientOf } from "../client.ts";
import type { Deliveries } from "./delivery.ts";
import type { Guard } from "./guard.ts";
import type { Pressure } from "../pressure/pressure.ts";
import { imageUrl, languageTag, timeZone } from "../user/profile.fields.ts";
import { OkUser, ProfileBody, RegisterBody, Registered } from "./schemas.ts";
import { presentUser } from "./user.view.ts";

interface AccountRouteOptions {
  readonly registration: RegistrationService;
  readonly profiles: ProfileService;
  readonly pressure: Pressure;
  readonly deliveries: Deliveries;
  readonly guard: Guard;
  readonly clientOf: ClientOf;
}

/** A field given as null or as nothing but spaces is emptied; one not given stays. */
const emptiable = (
  field: string,
  value: string | null | undefined,
  read: (field: string, value: string) => string,
): string | null | undefined => {
  if (value === undefined || value === null) return value;
  const trimmed = text(field, value);
  return trimmed === "" ? null : read(field, trimmed);
};

const optionalText = (field: string, value: string | undefined): string | undefined =>
  value === undefined ? undefined : text(field, value);

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
        const form = readRegistration({ ...body, displayName: body.display_name });
        const signedIn = await registration.register(form, client, body.remember ?? false);
        if (signedIn === undefined) return { ok: true as const, requires_email_verification: true as const };
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        /** Before the body is validated: where registration is closed, nothing else is said. */
        transform: () => registration.requireOpen(),
        body: RegisterBody,
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
          displayName: optionalText("display_name", body.display_name) || undefined,
          username: optionalText("username", body.username) || undefined,
          email: optionalText("email", body.email) || undefined,
          avatarUrl: emptiable("avatar_url", body.avatar_url, imageUrl),
          timezone: emptiable("timezone", body.timezone, timeZone),
          locale: emptiable("locale", body.locale, languageTag),
          currentPassword: body.current_password === undefined ? undefined : password(body.current_password),
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
