import { Elysia, t } from "elysia";
import { answers, operation, grouped } from "../../../http/index.ts";
import { requiredAnswerOf } from "../answer.fields.ts";
import { cookieWords } from "../session/cookies.ts";
import { invitationRefusals, Methods, passwordRefusals, PasskeyOptions, SignedInUser, VerifyBody } from "../schemas.ts";
import { presentUser } from "../user.view.ts";
import type { Parts } from "../parts.ts";

type ChallengeParts = Parts<"challenge" | "deliveries" | "clientOf" | "clock">;

const Challenge = t.Object(
  {
    ok: t.Literal(true),
    methods: Methods,
    expires_in: t.Number({ description: "Seconds" }),
    passkey_options: PasskeyOptions,
  },
  { title: "Challenge" },
);

export const challengeRoutes = ({ challenge, deliveries, clientOf, clock }: ChallengeParts) =>
  new Elysia(grouped("Sessions"))
    .get(
      "/login/challenge",
      async ({ query, request }) => {
        const { methods, expiresAt, passkeyOptions } = await challenge.describe(
          deliveries.shownByCookie(request, query.id),
        );
        return {
          ok: true as const,
          methods: [...methods],
          expires_in: Math.max(0, Math.floor((expiresAt - clock.now()) / 1000)),
          ...(passkeyOptions !== undefined && { passkey_options: passkeyOptions }),
        };
      },
      {
        query: t.Object({ id: t.String({ maxLength: 128 }) }),
        response: answers(Challenge, "invalid_payload", "invalid_challenge"),
        detail: operation("getLoginChallenge", {
          summary: "What a sign-in that waits for a second factor can be finished by",
          description: "Only the browser that began the sign-in gets an answer: it sends the cookie of the challenge.",
        }),
      },
    )
    .post(
      "/login/verify",
      async ({ body, request, set }) => {
        const delivery = deliveries.of(set, request, body);
        const answer = requiredAnswerOf(body);
        const client = { ...clientOf(request), ...delivery.known };
        const signedIn = await challenge.verify(delivery.shown(body.challenge), answer, client);
        return { ok: true as const, user: presentUser(signedIn.user), ...delivery.signIn(signedIn) };
      },
      {
        body: VerifyBody,
        response: answers(
          SignedInUser,
          "denied_by_hook",
          "invalid_code",
          "invalid_challenge",
          "cookies_only",
          "cross_site_session",
          // Errors of a sign-in with a provider that was to accept an invitation.
          ...invitationRefusals,
          "identity_already_linked",
          ...passwordRefusals,
        ),
        detail: operation("verifyLogin", {
          summary: "Finish a sign-in with a second factor",
          description:
            "A challenge takes ten wrong answers, and an account a hundred wrong codes of an authenticator app a day. A new sign-in makes a new challenge.",
          cookies: { 200: cookieWords.signIn },
        }),
      },
    );
