import { Elysia, t } from "elysia";
import { errorResponses, operation, grouped } from "../http/index.ts";
import type { ServiceGuard } from "./guard.ts";

/** Resolves to the claims of an access token; undefined for a token that is not active. Implemented by `auth`. */
export type Introspect = (token: string) => Promise<Omit<typeof Active.static, "active"> | undefined>;

export const introspectPath = "/api/v1/auth/introspect";

const Body = t.Object(
  { token: t.String({ maxLength: 4_096 }) },
  { description: "As JSON or as a form. The further parameters of RFC 7662 are ignored." },
);

const Active = t.Object(
  {
    active: t.Literal(true),
    sub: t.String(),
    username: t.String(),
    email: t.String(),
    email_verified: t.Boolean(),
    roles: t.Array(t.String()),
    name: t.Optional(t.String()),
    external_id: t.Optional(t.String()),
    app_metadata: t.Optional(t.Record(t.String(), t.Unknown())),
    sid: t.Optional(t.String({ description: "The session; a personal token has none" })),
    jti: t.Optional(t.String({ description: "The id of a personal token" })),
    amr: t.Optional(t.Array(t.String(), { description: "How the session was proven (RFC 8176)" })),
    aud: t.String(),
    iss: t.String(),
    iat: t.Number(),
    exp: t.Number(),
  },
  {
    title: "ActiveToken",
    additionalProperties: true,
    description: "Name, external id and members of `app_metadata` are there where `AUTH_TOKEN_CLAIMS` asks for them",
  },
);

/** The route of token introspection (RFC 7662) for backends. */
export const introspectRoutes = (guard: ServiceGuard, introspect: Introspect) =>
  new Elysia(grouped("For your own apps")).use(guard).post(
    introspectPath,
    async ({ body }) => {
      const found = await introspect(body.token);
      return found === undefined ? { active: false as const } : { active: true as const, ...found };
    },
    {
      requireService: "introspect",
      body: Body,
      response: {
        200: t.Union([Active, t.Object({ active: t.Literal(false) }, { title: "InactiveToken" })]),
        ...errorResponses("forbidden", "rate_limited"),
      },
      detail: operation("introspect", {
        summary: "Whose access token it is, for services",
        requestBody: { content: { "application/x-www-form-urlencoded": {} } },
      }),
    },
  );
