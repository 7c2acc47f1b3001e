import { Elysia, t } from "elysia";
import { bodyOf, answers, field, Ok, operation, grouped } from "../../../http/index.ts";
import type { FactorOverview } from "../../flow/factor/factor.service.ts";
import type { PasskeyRow } from "../../factor/passkey/passkey.repository.ts";
import { Passkey, presentPasskey } from "./passkey.schemas.ts";
import type { Parts } from "../parts.ts";

type MfaRouteOptions = Parts<"factors" | "passkeys" | "guard" | "clientOf">;

const ShownFactors = t.Object({
  ok: t.Literal(true),
  totp: t.Boolean({ description: "Whether an authenticator app is set up" }),
  passkeys: t.Array(Passkey),
  recovery_codes_left: t.Number({ description: "Of the last 10 that were made" }),
});

const StartedTotp = t.Object({
  ok: t.Literal(true),
  secret: t.String({ description: "In base32, for whoever can't scan the QR code" }),
  otpauth_uri: t.String({ description: "What the QR code says" }),
  qr_svg: t.String({ description: "The QR code as an SVG document with a white ground, without inline style" }),
});

const MadeCodes = t.Object(
  {
    ok: t.Literal(true),
    recovery_codes: t.Array(t.String(), { description: "Shown this once. Case, hyphens and spaces don't matter." }),
  },
  { title: "RecoveryCodes" },
);

export const ConfirmTotpBody = bodyOf(
  { code: field.text({ most: 64, schema: { description: "The six digits that the app shows" } }) },
  { example: { code: "492039" } },
);

const present = ({ factors, recoveryCodesLeft }: FactorOverview, passkeys: readonly PasskeyRow[]) => ({
  totp: factors.some(({ method }) => method === "totp"),
  passkeys: passkeys.map(presentPasskey),
  recovery_codes_left: recoveryCodesLeft,
});

const refusals = ["reauthentication_required", "rate_limited"] as const;

const totpRoutes = ({ factors, guard, clientOf }: MfaRouteOptions) =>
  new Elysia(grouped("Second factors"))
    .use(guard)
    .post(
      "/mfa/totp/setup",
      async ({ session }) => {
        const { secret, otpauthUri, qrSvg } = await factors.beginTotp(session);
        return { ok: true as const, secret, otpauth_uri: otpauthUri, qr_svg: qrSvg };
      },
      {
        requireAuth: "even_without_factor",
        response: answers(StartedTotp, "factor_exists", ...refusals),
        detail: operation("setUpTotp", {
          summary: "Begin the set-up of an authenticator app; takes a fresh proof of identity",
          description: "Nothing is asked for at sign-in before a first code has confirmed it, within ten minutes.",
        }),
      },
    )
    .post(
      "/mfa/totp/confirm",
      async ({ body, request, session }) => ({
        ok: true as const,
        recovery_codes: [...(await factors.confirmTotp(session, body.code, clientOf(request)))],
      }),
      {
        requireAuth: "even_without_factor",
        body: ConfirmTotpBody,
        response: answers(MadeCodes, "invalid_code", "factor_not_found", "factor_exists", ...refusals),
        detail: operation("confirmTotp", {
          summary: "Confirm the authenticator app by a first code, and get recovery codes",
          description: "`factor_not_found` where no set-up waits for a code: begin anew.",
        }),
      },
    )
    .post(
      "/mfa/totp/remove",
      async ({ request, session }) => {
        await factors.removeTotp(session, clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        response: answers(Ok, "factor_not_found", "last_factor", ...refusals),
        detail: operation("removeTotp", {
          summary: "Remove the authenticator app; takes a fresh proof of identity",
          description: "With the last second factor go the recovery codes.",
        }),
      },
    );

/** What all second factors have in common: how many there are, and what stands in for a lost one. */
const commonRoutes = ({ factors, passkeys, guard, clientOf }: MfaRouteOptions) =>
  new Elysia(grouped("Second factors"))
    .use(guard)
    .get(
      "/mfa",
      async ({ session }) => {
        const [overview, own] = await Promise.all([factors.overview(session), passkeys.list(session.userId)]);
        return { ok: true as const, ...present(overview, own) };
      },
      {
        requireAuth: "even_without_factor",
        response: { 200: ShownFactors },
        detail: operation("getMfa", { summary: "Which second factors your account has" }),
      },
    )
    .post(
      "/mfa/take-back/void",
      async ({ request, session }) => {
        await factors.endTakeBack(session, clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        response: answers(Ok, "factor_not_found", ...refusals),
        detail: operation("endTakeBack", {
          summary: "End the mailed link that takes the second factor back; takes a fresh proof by a second factor",
          description:
            "For a week a reset of the password by mail goes on removing what was set up, unless it is kept.",
        }),
      },
    )
    .post(
      "/mfa/recovery-codes",
      async ({ request, session }) => ({
        ok: true as const,
        recovery_codes: [...(await factors.remakeCodes(session, clientOf(request)))],
      }),
      {
        requireAuth: true,
        response: answers(MadeCodes, "factor_not_found", ...refusals),
        detail: operation("renewRecoveryCodes", {
          summary: "Make new recovery codes, which voids those before; takes a fresh proof of identity",
        }),
      },
    );

/** The second factors of one's own account: an authenticator app, and recovery codes. Passkeys have routes of their own. */
export const mfaRoutes = (options: MfaRouteOptions) => new Elysia().use(totpRoutes(options)).use(commonRoutes(options));
