import { Elysia, t } from "elysia";
import type { FederatedAuth } from "../../auth/index.ts";
import { errorResponses, nullable, Ok, operation, Timestamp, grouped } from "../../http/index.ts";
import type { IdentityService } from "./identity.service.ts";

const Identity = t.Object(
  {
    id: t.String({ documented: { format: "uuid" } }),
    provider: t.String(),
    label: nullable(
      t.String({
        description:
          "What people call the provider, such as the name of the organization that it belongs to. Null where it signs nobody in any more",
      }),
    ),
    email: nullable(t.String()),
    username: nullable(t.String()),
    linked_at: Timestamp,
    last_login_at: nullable(Timestamp),
  },
  { title: "Identity", description: "A provider's account, by which an account here signs in" },
);
const IdentityList = t.Object({ ok: t.Literal(true), identities: t.Array(Identity) });

export const identityRoutes = (identities: IdentityService, auth: Pick<FederatedAuth, "guard" | "clientOf">) =>
  new Elysia({ prefix: "/api/v1/auth", ...grouped("Identities") })
    .use(auth.guard)
    .get(
      "/identities",
      async ({ session }) => ({ ok: true as const, identities: await identities.list(session.userId) }),
      {
        requireAuth: true,
        response: { 200: IdentityList },
        detail: operation("listIdentities", { summary: "The linked providers, newest first" }),
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
        response: { 200: Ok, ...errorResponses("reauthentication_required", "identity_not_found", "last_auth_method") },
        detail: operation("unlinkIdentity", { summary: "Unlink a provider; the last way to sign in stays" }),
      },
    );
