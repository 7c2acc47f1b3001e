import { Elysia } from "elysia";
import { accountPath, type AccountContext } from "../account/context.ts";
import { done, type Desk } from "../account/desk.ts";
import { urlOf } from "../pages.ts";
import { appEndPath, EndAppPage, type ConnectedApp, type ConnectedApps } from "./apps.pages.tsx";
import { RevokePage, tokensPath, type PersonalToken } from "./token.pages.tsx";

/** What has ended meanwhile is gone, as its owner wanted. */
const gone = { to: accountPath } as const;

function appRoutes({ pages, auth }: Desk, apps: ConnectedApps) {
  const held = async ({ viewer }: AccountContext, id: string | null): Promise<ConnectedApp | undefined> =>
    (await apps.list(viewer.session.userId)).find((app) => app.id === id);
  return new Elysia({ name: "kit/holdings/apps" })
    .use(
      pages.page(appEndPath, {}, async (context) => {
        const app = await held(context, urlOf(context.request).searchParams.get("app"));
        return app === undefined ? gone : EndAppPage({ context, app });
      }),
    )
    .use(
      pages.act(appEndPath, { back: accountPath }, async (context, form) => {
        const app = await held(context, form.get("app"));
        if (app === undefined) return gone;
        await apps.revoke(context.viewer.session, app.id, auth.clientOf(context.request));
        return done(context.speech.account.apps.ended(app));
      }),
    );
}

function tokenRoutes({ pages, own }: Desk) {
  const held = async ({ viewer }: AccountContext, id: string): Promise<PersonalToken | undefined> =>
    (await own.tokens(viewer)).find((token) => token.id === id);
  const path = `${tokensPath}/:id/revoke`;
  return new Elysia({ name: "kit/holdings/tokens" })
    .use(
      pages.page(path, {}, async (context, id) => {
        const token = await held(context, id);
        return token === undefined ? gone : RevokePage({ context, token });
      }),
    )
    .use(
      pages.act(path, { back: accountPath }, async (context, _form, id) => {
        const token = await held(context, id);
        if (token === undefined) return gone;
        await own.revokeToken(context.request, context.viewer, id);
        return done(context.speech.account.tokens.revoked(token));
      }),
    );
}

/** Serves the pages on which a person ends what programs and scripts hold for them. */
export function holdingRoutes(desk: Desk) {
  const { apps, hasTokens } = desk;
  return new Elysia({ name: "kit/holdings" })
    .use(apps === undefined ? new Elysia() : appRoutes(desk, apps))
    .use(hasTokens ? tokenRoutes(desk) : new Elysia());
}
