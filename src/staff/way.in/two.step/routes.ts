import { Elysia } from "elysia";
import type { FactorOverview, PageFactors, StoredFactor } from "../../../auth/index.ts";
import { inEnglish } from "../../frame/words.ts";
import { AppError } from "../../../core/errors.ts";
import { twoStepPath as path, type StaffContext } from "../../frame/context.ts";
import type { Notice } from "../../frame/notices.ts";
import type { StaffPages } from "../../pages.ts";
import { PasskeyPage, RemoveAppPage, RenewCodesPage } from "./manage.pages.tsx";
import { TwoStepPage } from "./page.tsx";
import { AppPage, CodesPage, NewPasskeyPage } from "./set.up.pages.tsx";

interface TwoStepOptions {
  readonly staff: StaffPages;
  readonly factors: PageFactors;
}

const { app, passkeys } = inEnglish.factors.section;

const open = { may: "own.manage", isOpenWithoutFactor: true } as const;
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
    .use(
      staff.act(`${path}/app`, change, async (context) => {
        const { secret, qrSvg } = await factors.beginTotp(context.viewer);
        return { page: AppPage({ context, secret, qrSvg }) };
      }),
    )
    .use(
      staff.act(`${path}/app/confirm`, change, async (context, form) => {
        const { request, viewer } = context;
        try {
          return { page: CodesPage({ context, list: await factors.confirmTotp(request, viewer, form) }) };
        } catch (refusal) {
          if (!isMistyped(refusal)) throw refusal;
          const shown = await factors.shownTotp(viewer, form);
          return { page: AppPage({ context, ...(shown ?? { secret: "" }), refusal }), refusal };
        }
      }),
    )
    .use(
      staff.page(`${path}/app/remove`, open, async (context) =>
        RemoveAppPage({ context, isLast: isLast(await factors.overview(context.viewer)) }),
      ),
    )
    .use(
      staff.act(`${path}/app/remove`, change, async ({ request, viewer }) => {
        await factors.removeTotp(request, viewer);
        return done(app.removed);
      }),
    )
    .use(staff.page(`${path}/codes`, open, (context) => RenewCodesPage({ context })))
    .use(
      staff.act(`${path}/codes`, change, async (context) => ({
        page: CodesPage({ context, list: await factors.remakeCodes(context.request, context.viewer) }),
      })),
    );

function passkeyRoutes({ staff, factors }: TwoStepOptions) {
  async function passkeyOf(context: StaffContext, id: string): Promise<{ passkey: StoredFactor; isLast: boolean }> {
    const overview = await factors.overview(context.viewer);
    const passkey = overview.factors.find((each) => each.method === "passkey" && each.id === id);
    if (passkey === undefined) throw new AppError("not_found");
    return { passkey, isLast: isLast(overview) };
  }

  return new Elysia({ name: "staff/two-step/passkeys" })
    .use(
      staff.act(`${path}/passkeys`, change, async (context) => ({
        page: NewPasskeyPage({ context, options: await factors.creationOptions(context.viewer) }),
      })),
    )
    .use(
      staff.act(`${path}/passkeys/add`, change, async ({ request, viewer }, form) => {
        const { name } = await factors.addPasskey(request, viewer, form);
        const { recoveryCodesLeft } = await factors.overview(viewer);
        // No page asks for a name now: the form did so before the passkey was made.
        return done(
          `${name} is added.${recoveryCodesLeft === 0 ? " Make recovery codes now, for when it is lost." : ""}`,
        );
      }),
    )
    .use(
      staff.page(`${path}/passkeys/:id`, open, async (context, id) =>
        PasskeyPage({ context, ...(await passkeyOf(context, id)) }),
      ),
    )
    .use(
      staff.act(`${path}/passkeys/:id/rename`, change, async ({ request, viewer }, form, id) => {
        const { name } = await factors.renamePasskey(request, viewer, id, form);
        return done(passkeys.renamed({ name }));
      }),
    )
    .use(
      staff.act(`${path}/passkeys/:id/remove`, change, async (context, _form, id) => {
        const { passkey } = await passkeyOf(context, id);
        await factors.removePasskey(context.request, context.viewer, id);
        return done(passkeys.removed({ name: passkey.name ?? passkeys.title }));
      }),
    );
}

/** The pages of the second step of the viewer's own sign-in. They are open where one has to be set up before anything else. */
export const twoStepRoutes = (options: TwoStepOptions) =>
  new Elysia({ name: "staff/two-step" })
    .use(
      options.staff.page(path, open, async (context) =>
        TwoStepPage({ context, overview: await options.factors.overview(context.viewer) }),
      ),
    )
    .use(appRoutes(options))
    .use(passkeyRoutes(options));
