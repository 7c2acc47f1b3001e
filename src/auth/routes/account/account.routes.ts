import { Elysia } from "elysia";
import { bodyOf, answers, operation, grouped } from "../../../http/index.ts";
import { cookieWords } from "../session/cookies.ts";
import {
  Me,
  OkOwnUser,
  passwordRefusals,
  ProfileBody,
  registerExample,
  RegisterFields,
  Registered,
} from "../schemas.ts";
import { presentOwnUser, presentUser } from "../user.view.ts";
import type { ProfileEdit } from "../../flow/account/profile.service.ts";
import type { Parts } from "../parts.ts";

type AccountRouteOptions = Parts<
  "registration" | "profiles" | "sessions" | "impersonations" | "pressure" | "deliveries" | "guard" | "clientOf"
> & {
  /** Whether a registration signs in: where addresses are verified first, it does not. */
  readonly registeringSignsIn: boolean;
};

const registerRoutes = ({ registration, pressure, deliveries, clientOf, registeringSignsIn }: AccountRouteOptions) =>
  new Elysia(grouped("Account")).post(
    "/register",
    async ({ body, request, set }) => {
      const delivery = deliveries.of(set, request, body, registeringSignsIn);
      const client = clientOf(request);
      await pressure.limitAddress("register", client);
      const form = { ...body, displayName: body.display_name, acceptedTerms: body.accepted_terms };
      const signedIn = await registration.register(form, client, body.remember ?? false);
      if (signedIn === undefined) return { ok: true as const, requires_email_verification: true as const };
      return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
    },
    {
      /** Before the body is validated: where registration is closed, nothing else is said. */
      transform: () => registration.requireOpen(),
      body: bodyOf(RegisterFields, { example: registerExample }, registration.faults),
      response: answers(
        Registered,
        "denied_by_hook",
        "domain_not_allowed",
        "terms_required",
        "weak_password",
        "registration_closed",
        "cookies_only",
        "cross_site_session",
        "email_taken",
        "username_taken",
        "rate_limited",
        "overloaded",
      ),
      detail: operation("register", {
        summary: "Register an account",
        description:
          "Where addresses must be verified first, nobody is signed in, and an address that is taken gets the same answer.",
        cookies: { 200: cookieWords.signIn },
      }),
    },
  );

const profileRoutes = ({ profiles, sessions, impersonations, guard, clientOf }: AccountRouteOptions) =>
  new Elysia(grouped("Account"))
    .use(guard)
    .get(
      "/me",
      async ({ session }) => {
        const user = await profiles.find(session.userId);
        return {
          ok: true as const,
          user: presentOwnUser(user, await profiles.metadataOf(user.id)),
          mfa_setup_required: sessions.isFactorMissing(session),
          impersonator: await impersonations.behind(session),
          terms_due: profiles.termsDue(user),
        };
      },
      {
        requireAuth: "even_without_factor",
        response: { 200: Me },
        detail: operation("getMe", { summary: "The signed-in user" }),
      },
    )
    .post(
      "/profile",
      async ({ body, request, session }) => {
        const { username, email, timezone, locale, ...others } = body;
        const { display_name: displayName, avatar_url: avatarUrl, current_password: currentPassword } = others;
        const { user_metadata: userMetadata, accepted_terms: terms } = others;
        const free = { displayName, avatarUrl, timezone, locale, userMetadata };
        const edit: ProfileEdit = { username, email, ...free, acceptedTerms: terms, currentPassword };
        const user = await profiles.edit(session, edit, clientOf(request));
        return { ok: true as const, user: presentOwnUser(user, await profiles.metadataOf(user.id)) };
      },
      {
        requireAuth: true,
        body: ProfileBody,
        response: answers(
          OkOwnUser,
          "domain_not_allowed",
          "terms_required",
          "reauthentication_required",
          "email_taken",
          "username_taken",
          ...passwordRefusals,
        ),
        detail: operation("updateProfile", {
          summary: "Change your profile",
          description:
            "What is left out stays. A new address takes `current_password`, and is `pending_email` until its mailbox has confirmed it.",
        }),
      },
    );

export const accountRoutes = (options: AccountRouteOptions) =>
  new Elysia().use(registerRoutes(options)).use(profileRoutes(options));
