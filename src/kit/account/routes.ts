import { Elysia } from "elysia";
import type { Terms } from "../../account/shared/terms.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import { holdingRoutes } from "../holdings/routes.ts";
import { twoStepRoutes } from "../two.step/routes.ts";
import { accountPath, twoStepPath } from "./context.ts";
import { credentialRoutes } from "./credential.routes.ts";
import { done, type Desk } from "./desk.ts";
import { deviceIn, EndEverywherePage } from "./devices.pages.tsx";
import { orAgain, viewOf } from "./form.tsx";
import { AccountPage } from "./overview.page.tsx";
import { nameField, ProfilePage, UsernamePage } from "./profile.pages.tsx";

const profilePath = `${accountPath}/profile`;
const usernamePath = `${accountPath}/username`;
const devicesPath = `${accountPath}/devices`;

const profileRoutes = ({ pages, own }: Desk) =>
  new Elysia({ name: "kit/account/profile" })
    .use(pages.page(profilePath, {}, (context) => ProfilePage({ context, view: viewOf(context) })))
    .use(
      pages.act(profilePath, { back: profilePath }, (context, form) =>
        orAgain(context, form, ProfilePage, async () => {
          const { locale } = await own.editProfile(context.request, context.viewer, form);
          // The next page is in the language that was just chosen.
          const { words } = context.frame;
          const language = words.pick([...(locale === null ? [] : [locale]), ...context.tags]);
          return done(words.say(language, "account").profile.saved);
        }),
      ),
    )
    .use(pages.page(usernamePath, {}, (context) => UsernamePage({ context, view: viewOf(context) })))
    .use(
      pages.act(usernamePath, { back: usernamePath, isDangerous: true }, (context, form) =>
        orAgain(context, form, UsernamePage, async () => {
          const username = form.get(nameField) ?? "";
          await own.rename(context.request, context.viewer, new URLSearchParams({ username }));
          return done(context.speech.account.profile.saved);
        }),
      ),
    )
    .use(
      pages.act(`${accountPath}/terms`, { back: accountPath }, async ({ request, viewer, speech }, form) => {
        await own.acceptTerms(request, viewer, form);
        return done(speech.words.terms.due.done);
      }),
    );

const deviceRoutes = ({ pages, own }: Desk) =>
  new Elysia({ name: "kit/account/devices" })
    .use(
      pages.page(`${devicesPath}/end`, {}, async (context) =>
        EndEverywherePage({ context, devices: await own.devices(context.viewer) }),
      ),
    )
    .use(
      pages.act(`${devicesPath}/end`, { back: accountPath }, async ({ request, head, viewer }) => {
        await own.endEverywhere(request, head, viewer);
        return { to: "/login?notice=everywhere" };
      }),
    )
    .use(
      pages.act(`${devicesPath}/:id/end`, { back: accountPath }, async (context, _form, id) => {
        const { request, viewer, speech } = context;
        const device = (await own.devices(viewer)).find((each) => each.id === id);
        // A device that has ended meanwhile is gone, as its owner wanted.
        if (device === undefined || device.current) return { to: accountPath };
        await own.endDevice(request, viewer, id);
        return done(speech.account.sessions.ended({ device: deviceIn(context, device) }));
      }),
    );

const dataRoutes = ({ pages, own }: Desk) =>
  new Elysia({ name: "kit/account/data" }).use(
    pages.act(`${accountPath}/data`, { back: accountPath, isDangerous: true }, async ({ viewer }) => {
      const data = await own.exportData(viewer);
      const name = `account-${data.exported_at.slice(0, 10)}.json`;
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "no-store",
      };
      return { file: new Response(JSON.stringify(data, undefined, 2), { headers }) };
    }),
  );

interface AccountRouteOptions {
  readonly desk: Desk;
  readonly passwordRules: PasswordRules;
  readonly terms: Terms;
}

/** Serves the pages on which a person looks after their own account. */
export function accountRoutes({ desk, passwordRules, terms }: AccountRouteOptions) {
  const { pages, own, factors } = desk;
  return new Elysia({ name: "kit/account" })
    .use(
      pages.page(accountPath, {}, async (context) => {
        const { user, viewer } = context;
        const [overview, devices, canRemovePassword, apps, tokens] = await Promise.all([
          factors.overview(viewer),
          own.devices(viewer),
          own.canRemovePassword(user),
          desk.apps?.list(viewer.session.userId),
          desk.hasTokens ? own.tokens(viewer) : undefined,
        ]);
        const termsDue = own.termsDue(user);
        const about = { factors: overview, devices, apps, tokens, canRemovePassword };
        return AccountPage({ context, ...about, termsDue, terms });
      }),
    )
    .use(profileRoutes(desk))
    .use(credentialRoutes(desk, passwordRules))
    .use(twoStepRoutes({ pages, access: { isOpenWithoutFactor: true }, path: twoStepPath, factors }))
    .use(deviceRoutes(desk))
    .use(holdingRoutes(desk))
    .use(dataRoutes(desk));
}
