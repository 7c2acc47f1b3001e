import { Elysia } from "elysia";
import type { FactorOverview, PageFactors, StoredFactor } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import type { PersonContext } from "../frame/context.ts";
import type { Outcome, PersonPages } from "../pages.ts";
import { PasskeyPage, RemoveAppPage, RenewCodesPage } from "./manage.pages.tsx";
import { TwoStepPage } from "./page.tsx";
import { AppPage, CodesPage, NewPasskeyPage } from "./set.up.pages.tsx";

interface TwoStepOptions<Context extends PersonContext, Access> {
  readonly pages: PersonPages<Context, Access>;
  /** The access to pages and acts that are open even to a person who has to set up a second factor first. */
  readonly access: Access;
  readonly path: string;
  readonly factors: PageFactors;
}

/** What a page and an act of a second step are made of. A change takes a fresh proof. */
const doorsOf = <Context extends PersonContext, Access>({ access, path }: TwoStepOptions<Context, Access>) => ({
  open: access,
  change: { ...access, back: path, isDangerous: true },
  done: (text: string): Outcome => ({ to: path, notice: { kind: "good", text } }),
});

/** Whether a person can mend the refusal on the page itself. */
const isMistyped = (error: unknown): error is AppError =>
  error instanceof AppError && (error.reason === "invalid_code" || error.fields?.["code"] !== undefined);

const isLast = ({ factors: all }: FactorOverview): boolean => all.length === 1;

/** The authenticator app, and the recovery codes. */
function appRoutes<Context extends PersonContext, Access>(options: TwoStepOptions<Context, Access>) {
  const { pages, path, factors } = options;
  const { open, change, done } = doorsOf(options);
  return new Elysia({ name: "kit/two-step/app" })
    .use(
      pages.act(`${path}/app`, change, async (context) => {
        const { secret, qrSvg } = await factors.beginTotp(context.viewer);
        return { page: AppPage({ context, secret, qrSvg }) };
      }),
    )
    .use(
      pages.act(`${path}/app/confirm`, change, async (context, form) => {
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
      pages.page(`${path}/app/remove`, open, async (context) =>
        RemoveAppPage({ context, isLast: isLast(await factors.overview(context.viewer)) }),
      ),
    )
    .use(
      pages.act(`${path}/app/remove`, change, async ({ request, viewer, speech }) => {
        await factors.removeTotp(request, viewer);
        return done(speech.words.factors.section.app.removed);
      }),
    )
    .use(pages.page(`${path}/codes`, open, (context) => RenewCodesPage({ context })))
    .use(
      pages.act(`${path}/codes`, change, async (context) => ({
        page: CodesPage({ context, list: await factors.remakeCodes(context.request, context.viewer) }),
      })),
    );
}

function passkeyRoutes<Context extends PersonContext, Access>(options: TwoStepOptions<Context, Access>) {
  const { pages, path, factors } = options;
  const { open, change, done } = doorsOf(options);
  async function passkeyOf(context: PersonContext, id: string): Promise<{ passkey: StoredFactor; isLast: boolean }> {
    const overview = await factors.overview(context.viewer);
    const passkey = overview.factors.find((each) => each.method === "passkey" && each.id === id);
    if (passkey === undefined) throw new AppError("not_found");
    return { passkey, isLast: isLast(overview) };
  }

  return new Elysia({ name: "kit/two-step/passkeys" })
    .use(
      pages.act(`${path}/passkeys`, change, async (context) => ({
        page: NewPasskeyPage({ context, options: await factors.creationOptions(context.viewer) }),
      })),
    )
    .use(
      pages.act(`${path}/passkeys/add`, change, async ({ request, viewer, speech }, form) => {
        const { name } = await factors.addPasskey(request, viewer, form);
        const { recoveryCodesLeft } = await factors.overview(viewer);
        const { added, addedFirst } = speech.kit.twoStep;
        // No page asks for a name now: the form did so before the passkey was made.
        return done(recoveryCodesLeft === 0 ? addedFirst({ name }) : added({ name }));
      }),
    )
    .use(
      pages.page(`${path}/passkeys/:id`, open, async (context, id) =>
        PasskeyPage({ context, ...(await passkeyOf(context, id)) }),
      ),
    )
    .use(
      pages.act(`${path}/passkeys/:id/rename`, change, async ({ request, viewer, speech }, form, id) => {
        const { name } = await factors.renamePasskey(request, viewer, id, form);
        return done(speech.words.factors.section.passkeys.renamed({ name }));
      }),
    )
    .use(
      pages.act(`${path}/passkeys/:id/remove`, change, async (context, _form, id) => {
        const { passkey } = await passkeyOf(context, id);
        await factors.removePasskey(context.request, context.viewer, id);
        const { removed, title } = context.speech.words.factors.section.passkeys;
        return done(removed({ name: passkey.name ?? title }));
      }),
    );
}

/** The pages of the second step of the viewer's own sign-in. They are open where one has to be set up before anything else. */
export const twoStepRoutes = <Context extends PersonContext, Access>(options: TwoStepOptions<Context, Access>) =>
  new Elysia({ name: "kit/two-step" })
    .use(
      options.pages.page(options.path, options.access, async (context) =>
        TwoStepPage({ context, overview: await options.factors.overview(context.viewer) }),
      ),
    )
    .use(appRoutes(options))
    .use(passkeyRoutes(options));
