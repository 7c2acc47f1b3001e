import { Elysia } from "elysia";
import type { FactorOverview, PageFactors, StoredFactor } from "../../../auth/index.ts";
import { languages } from "../../../account/shared/words/index.ts";
import { AppError } from "../../../core/errors.ts";
import { hidden } from "../../../http/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import type { Notice } from "../../frame/notices.ts";
import type { StaffPages } from "../../pages.ts";
import { PasskeyPage, RemoveAppPage, RenewCodesPage } from "./manage.pages.tsx";
import { TwoStepPage } from "./page.tsx";
import { path } from "./path.ts";
import { AppPage, CodesPage, NewPasskeyPage } from "./set.up.pages.tsx";

interface TwoStepOptions {
  readonly staff: StaffPages;
  readonly factors: PageFactors;
}

const { app, passkeys } = languages.en.factors.section;

const open = { isOpenWithoutFactor: true } as const;
/** Options of every change of a factor, which needs a fresh proof. */
const change = { back: path, isDangerous: true, ...open } as const;
const done = (text: string): { to: string; notice: Notice } => ({ to: path, notice: { kind: "good", text } });

/** Whether a person can mend the refusal on the page itself. */
const isMistyped = (error: unknown): error is AppError =>
  error instanceof AppError && (error.reason === "invalid_code" || error.fields?.["code"] !== undefined);

const isLast = ({ factors: all }: FactorOverview): boolean => all.length === 1;

/** The authenticator app, and the recovery codes. */
const appRoutes = ({ staff, factors }: TwoStepOptions) =>
  new Elysia({ name: "staff/two-step/app" })
    .post(
      `${path}/app`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async (context) => {
          const { secret, qrSvg } = await factors.beginTotp(context.viewer);
          return { page: AppPage({ context, secret, qrSvg }) };
        }),
      hidden,
    )
    .post(
      `${path}/app/confirm`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async (context, form) => {
          try {
            return { page: CodesPage({ context, list: await factors.confirmTotp(request, context.viewer, form) }) };
          } catch (refusal) {
            if (!isMistyped(refusal)) throw refusal;
            const shown = await factors.shownTotp(context.viewer, form);
            return { page: AppPage({ context, ...(shown ?? { secret: "" }), refusal }), refusal };
          }
        }),
      hidden,
    )
    .get(
      `${path}/app/remove`,
      ({ request, set }) =>
        staff.page(
          request,
          set,
          async (context) => RemoveAppPage({ context, isLast: isLast(await factors.overview(context.viewer)) }),
          open,
        ),
      hidden,
    )
    .post(
      `${path}/app/remove`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async ({ viewer }) => {
          await factors.removeTotp(request, viewer);
          return done(app.removed);
        }),
      hidden,
    )
    .get(
      `${path}/codes`,
      ({ request, set }) => staff.page(request, set, (context) => RenewCodesPage({ context }), open),
      hidden,
    )
    .post(
      `${path}/codes`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async (context) => ({
          page: CodesPage({ context, list: await factors.remakeCodes(request, context.viewer) }),
        })),
      hidden,
    );

function passkeyRoutes({ staff, factors }: TwoStepOptions) {
  async function passkeyOf(context: StaffContext, id: string): Promise<{ passkey: StoredFactor; isLast: boolean }> {
    const overview = await factors.overview(context.viewer);
    const passkey = overview.factors.find((each) => each.method === "passkey" && each.id === id);
    if (passkey === undefined) throw new AppError("not_found");
    return { passkey, isLast: isLast(overview) };
  }

  return new Elysia({ name: "staff/two-step/passkeys" })
    .post(
      `${path}/passkeys`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async (context) => ({
          page: NewPasskeyPage({ context, options: await factors.creationOptions(context.viewer) }),
        })),
      hidden,
    )
    .post(
      `${path}/passkeys/add`,
      ({ request, set, body }) =>
        staff.act(request, set, body, change, async ({ viewer }, form) => {
          const { name } = await factors.addPasskey(request, viewer, form);
          const { recoveryCodesLeft } = await factors.overview(viewer);
          // No page asks for a name now: the form did so before the passkey was made.
          return done(
            `${name} is added.${recoveryCodesLeft === 0 ? " Make recovery codes now, for when it is lost." : ""}`,
          );
        }),
      hidden,
    )
    .get(
      `${path}/passkeys/:id`,
      ({ request, set, params }) =>
        staff.page(
          request,
          set,
          async (context) => PasskeyPage({ context, ...(await passkeyOf(context, params.id)) }),
          open,
        ),
      hidden,
    )
    .post(
      `${path}/passkeys/:id/rename`,
      ({ request, set, params, body }) =>
        staff.act(request, set, body, change, async ({ viewer }, form) => {
          const { name } = await factors.renamePasskey(request, viewer, params.id, form);
          return done(passkeys.renamed(name));
        }),
      hidden,
    )
    .post(
      `${path}/passkeys/:id/remove`,
      ({ request, set, params, body }) =>
        staff.act(request, set, body, change, async (context) => {
          const { passkey } = await passkeyOf(context, params.id);
          await factors.removePasskey(request, context.viewer, params.id);
          return done(passkeys.removed(passkey.name ?? passkeys.title));
        }),
      hidden,
    );
}

/** The pages of the second step of the viewer's own sign-in. They are open where one has to be set up before anything else. */
export const twoStepRoutes = (options: TwoStepOptions) =>
  new Elysia({ name: "staff/two-step" })
    .get(
      path,
      ({ request, set }) =>
        options.staff.page(
          request,
          set,
          async (context) => TwoStepPage({ context, overview: await options.factors.overview(context.viewer) }),
          open,
        ),
      hidden,
    )
    .use(appRoutes(options))
    .use(passkeyRoutes(options));
