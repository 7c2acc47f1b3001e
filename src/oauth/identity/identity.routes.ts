import { Elysia, t } from "elysia";
import type { FederatedAuth } from "../../auth/index.ts";
import { errorResponses } from "../../http/index.ts";
import type { IdentityService } from "./identity.service.ts";

const Ok = t.Object({ ok: t.Literal(true) });
const nullableText = t.Union([t.String(), t.Null()]);
const IdentityList = t.Object({
  ok: t.Literal(true),
  identities: t.Array(
    t.Object({
      id: t.String(),
      provider: t.String(),
      email: nullableText,
      username: nullableText,
      linked_at: t.String(),
      last_login_at: nullableText,
    }),
  ),
});

interface IdentityRouteOptions {
  readonly identities: IdentityService;
  readonly auth: FederatedAuth;
}

/** The providers by which the signed-in user can sign in. */
export const identityRoutes = ({ identities, auth }: IdentityRouteOptions) =>
  new Elysia({ prefix: "/api/v1/auth", tags: ["Identities"] })
    .onAfterHandle(({ set }) => {
      set.headers["cache-control"] = "no-store";
    })
    .use(auth.guard)
    .get(
      "/identities",
      async ({ session }) => ({ ok: true as const, identities: await identities.list(session.userId) }),
      {
        requireAuth: true,
        response: { 200: IdentityList, ...errorResponses(401) },
        detail: { summary: "The linked providers, newest first" },
      },
    )
    .post(
      "/identities/:id/unlink",
      async ({ params, request, session }) => {
        await identities.unlink(params.id, session, auth.clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        params: t.Object({ id: t.String() }),
        response: { 200: Ok, ...errorResponses(401, 404, 409) },
        detail: { summary: "Unlink a provider; the last way to sign in stays" },
      },
    );
