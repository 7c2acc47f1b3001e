import { Elysia, t } from "elysia";
import { timestamp } from "../../../core/clock.ts";
import { FieldFault, wrongType } from "../../../core/fields.ts";
import { answers, bodyOf, field, grouped, nullable, Ok, operation, Timestamp } from "../../../http/index.ts";
import { tokenLifetime } from "../../flow/account/token.service.ts";
import type { PersonalToken } from "../../token/token.repository.ts";
import type { Parts } from "../parts.ts";

const { least, most, usual } = tokenLifetime;

const CreateTokenBody = bodyOf(
  {
    name: field.text({ most: 64, schema: { description: "What the token is for" } }),
    expires_in: {
      schema: {
        type: "integer",
        minimum: least,
        maximum: most,
        description: "Seconds until it ends; 90 days where it is left out, a year at most",
      },
      isOptional: true,
      read(value: unknown) {
        if (value === undefined) return usual;
        if (typeof value !== "number" || !Number.isInteger(value)) return wrongType("a whole number of seconds");
        return value >= least && value <= most
          ? value
          : new FieldFault("invalid_value", `must be ${least} to ${most} seconds`);
      },
    },
  },
  { example: { name: "backup script", expires_in: usual } },
);

const Token = t.Object(
  {
    id: t.String(),
    name: t.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: nullable(Timestamp),
  },
  { title: "PersonalToken", description: "A token that a person has made for their own scripts" },
);
const MadeToken = t.Object({
  ok: t.Literal(true),
  token: t.String({ description: "Shown this once" }),
  personal_token: Token,
});
const TokenList = t.Object({ ok: t.Literal(true), tokens: t.Array(Token) });
const TokenId = t.Object({ id: t.String({ documented: { format: "uuid" } }) });

export const presentToken = (token: PersonalToken): typeof Token.static => ({
  id: token.id,
  name: token.name,
  created_at: timestamp(token.createdAt),
  expires_at: timestamp(token.expiresAt),
  last_used_at: timestamp(token.lastUsedAt),
});

/** What people do with the tokens for their own scripts. No token opens these routes. */
export const tokenRoutes = ({ tokens, guard, clientOf }: Parts<"tokens" | "guard" | "clientOf">) =>
  new Elysia({ prefix: "/api/v1/auth", ...grouped("Personal tokens") })
    .use(guard)
    .post(
      "/tokens",
      async ({ body, request, session }) => {
        const { name, expires_in: expiresInSeconds } = body;
        const { token, made } = await tokens.create(session, { name, expiresInSeconds }, clientOf(request));
        return { ok: true as const, token, personal_token: presentToken(made) };
      },
      {
        requireAuth: true,
        body: CreateTokenBody,
        response: answers(MadeToken, "reauthentication_required", "personal_token_limit", "rate_limited"),
        detail: operation("createPersonalToken", {
          summary: "Make a token for a script of your own; takes a fresh proof of identity",
          description:
            "Good as bearer where other programs ask who is calling, and at no route of accounts. It is told by mail. An account has 50 at most.",
        }),
      },
    )
    .get(
      "/tokens",
      async ({ session }) => ({ ok: true as const, tokens: (await tokens.list(session.userId)).map(presentToken) }),
      {
        requireAuth: true,
        response: { 200: TokenList },
        detail: operation("listPersonalTokens", { summary: "Your tokens that are good, the newest first" }),
      },
    )
    .post(
      "/tokens/:id/revoke",
      async ({ params: { id }, request, session }) => {
        await tokens.revoke(session, id, clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        params: TokenId,
        response: answers(Ok, "personal_token_not_found"),
        detail: operation("revokePersonalToken", { summary: "End one of your tokens at once" }),
      },
    );
