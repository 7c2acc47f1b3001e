import { Elysia, t } from "elysia";
import { errorResponses, operation, grouped } from "../http/index.ts";
import type { ServiceGuard } from "./guard.ts";

/** Resolves to the claims of an access token; undefined for a token that is not active. Implemented by `auth`. */
export type Introspect = (
  token: string,
) => Promise<Omit<typeof Active.static, "active"> | Omit<typeof OfProgram.static, "active"> | undefined>;

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
    sid: t.Optional(
      t.String({ description: "The session; a personal token has none, and staff in somebody's name have none" }),
    ),
    jti: t.Optional(t.String({ description: "The id of a personal token" })),
    amr: t.Optional(t.Array(t.String(), { description: "How the session was proven (RFC 8176)" })),
    acr: t.Optional(
      t.UnionEnum(["aal1", "aal2"], {
        description: "How strongly; a personal token has none, and staff in somebody's name have none",
      }),
    ),
    auth_time: t.Optional(t.Number({ description: "When its user was last proven" })),
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

const OfProgram = t.Object(
  {
    active: t.Literal(true),
    client_id: t.String({ description: "The program that holds the token" }),
    scope: t.String({ description: "What the program was granted" }),
    aud: t.Union([t.String(), t.Array(t.String())]),
    iss: t.String(),
    sub: t.String(),
    sid: t.Optional(t.String({ description: "The session of the program; one that acts for itself has none" })),
    username: t.Optional(t.String()),
    email: t.Optional(t.String({ description: "Where the scope `email` was granted" })),
    email_verified: t.Optional(t.Boolean()),
    roles: t.Optional(t.Array(t.String(), { description: "Where the scope `roles` was granted" })),
    cnf: t.Optional(t.Object({ jkt: t.String() }, { description: "The key that the token is bound to (RFC 9449)" })),
    token_type: t.String(),
    jti: t.String(),
    iat: t.Number(),
    exp: t.Number(),
  },
  {
    title: "ActiveTokenOfProgram",
    additionalProperties: true,
    description: "The token of a program that signs people in here, or calls for itself",
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
        200: t.Union([Active, OfProgram, t.Object({ active: t.Literal(false) }, { title: "InactiveToken" })]),
        ...errorResponses("forbidden", "rate_limited"),
      },
      detail: operation("introspect", {
        summary: "Whose access token it is, for services",
        requestBody: { content: { "application/x-www-form-urlencoded": {} } },
      }),
    },
  );
