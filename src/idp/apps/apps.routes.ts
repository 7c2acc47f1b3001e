import { Elysia, t } from "elysia";
import { ClientName, type ProviderAuth } from "../../auth/index.ts";
import { timestamp } from "../../core/clock.ts";
import type { Module } from "../../core/module.ts";
import type { Database } from "../../drivers/database/index.ts";
import { answers, grouped, nullable, Ok, operation, Timestamp } from "../../http/index.ts";
import { createApps, type Apps } from "./apps.ts";

const ConnectedApp = t.Object(
  {
    client: ClientName,
    scopes: t.Array(t.String(), { description: "What it may see and do: `openid`, `profile`, `email`, …" }),
    resources: t.Array(t.String(), {
      description: "The resource servers that it may call in the person's name (RFC 8707)",
    }),
    third_party: t.Boolean({ description: "Whether people are asked before it sees anything of them" }),
    granted_at: Timestamp,
    last_used_at: nullable(Timestamp),
    sessions: t.Number({ description: "How many sessions it holds" }),
  },
  { title: "ConnectedApp", description: "A program that the person has let in by the account" },
);
const AppList = t.Object({ ok: t.Literal(true), apps: t.Array(ConnectedApp) });

const present = (app: Awaited<ReturnType<Apps["list"]>>[number]): typeof ConnectedApp.static => ({
  client: { id: app.id, name: app.name },
  scopes: [...app.scopes],
  resources: [...app.resources],
  third_party: app.isThirdParty,
  granted_at: timestamp(app.grantedAt),
  last_used_at: timestamp(app.lastUsedAt),
  sessions: app.sessions,
});

/** Where people see what programs hold for them, and end it. */
const appRoutes = (apps: Apps, { guard, clientOf }: Pick<ProviderAuth, "guard" | "clientOf">) =>
  new Elysia({ prefix: "/api/v1/auth", ...grouped("Apps") })
    .use(guard)
    .get(
      "/apps",
      async ({ session }) => ({ ok: true as const, apps: (await apps.list(session.userId)).map(present) }),
      {
        requireAuth: true,
        response: { 200: AppList },
        detail: operation("listApps", {
          summary: "The programs that you have signed in to by this account, the last used first",
        }),
      },
    )
    .post(
      "/apps/revoke",
      async ({ body, request, session }) => {
        await apps.revoke(session, body.client_id, clientOf(request));
        return { ok: true as const };
      },
      {
        requireAuth: true,
        // In a path the address that some ids are would be refused by proxies that want no encoded slash there.
        body: t.Object({ client_id: t.String({ maxLength: 2_048, description: "The id of the app's `client`" }) }),
        response: answers(Ok, "client_not_found"),
        detail: operation("revokeApp", {
          summary: "Take back what you have let a program have, and end every session that it holds for you",
        }),
      },
    );

interface AppsModuleOptions {
  readonly database: Database;
  readonly auth: Pick<ProviderAuth, "guard" | "clientOf" | "delegations" | "journal">;
  readonly isEnabled: boolean;
}

/** The routes of apps, or where no program signs people in here, what they would be. */
export function appsModule({ database, auth, isEnabled }: AppsModuleOptions) {
  const routes = appRoutes(createApps({ database, auth }), auth);
  const module: Module<typeof routes> = isEnabled ? { routes } : { described: routes.routes };
  return module;
}
