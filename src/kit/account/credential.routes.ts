import { Elysia } from "elysia";
import { AppError } from "../../core/errors.ts";
import type { PasswordRules } from "../../core/people/password.rules.ts";
import { accountPath, type AccountContext } from "./context.ts";
import { AddressPage, PasswordPage, RemovePasswordPage } from "./credential.pages.tsx";
import { DeletePage } from "./data.pages.tsx";
import { done, type Desk } from "./desk.ts";
import { orAgain, viewOf, type FormPageProps } from "./form.tsx";

const emailPath = `${accountPath}/email`;
const passwordPath = `${accountPath}/password`;
const deletePath = `${accountPath}/delete`;

/** Refuses a session that no second factor has opened although the account has one: its password proves nothing there. */
async function requireProvable({ factors }: Desk, { viewer }: AccountContext): Promise<void> {
  if (viewer.session.factor !== null) return;
  const { factors: own } = await factors.overview(viewer);
  if (own.length > 0) throw new AppError("reauthentication_required");
}

function addressRoutes(desk: Desk) {
  const { pages, own } = desk;
  const page = (props: FormPageProps) => AddressPage(props);
  return new Elysia({ name: "kit/account/address" })
    .use(
      pages.page(emailPath, {}, async (context) => {
        await requireProvable(desk, context);
        return context.user.passwordHash === null ? { to: accountPath } : page({ context, view: viewOf(context) });
      }),
    )
    .use(
      pages.act(emailPath, { back: emailPath }, (context, form) =>
        orAgain(context, form, page, async () => {
          const { email } = context.speech.account;
          const { pendingEmail: pending } = await own.changeAddress(context.request, context.viewer, form);
          return done(pending === null ? email.unchanged : email.asked({ pending }));
        }),
      ),
    )
    .use(
      pages.act(`${emailPath}/send`, { back: accountPath }, async ({ request, viewer, speech }) => {
        await own.sendVerification(request, viewer);
        return done(speech.account.email.resent);
      }),
    )
    .use(
      pages.act(`${emailPath}/keep`, { back: accountPath }, async ({ request, viewer, speech }) => {
        await own.keepAddress(request, viewer);
        return done(speech.account.email.kept);
      }),
    );
}

function passwordRoutes(desk: Desk, lengths: PasswordRules) {
  const { pages, own } = desk;
  const page = (props: FormPageProps) => PasswordPage({ ...props, lengths });
  return new Elysia({ name: "kit/account/password" })
    .use(
      pages.page(passwordPath, {}, async (context) => {
        await requireProvable(desk, context);
        return context.user.passwordHash === null ? { to: accountPath } : page({ context, view: viewOf(context) });
      }),
    )
    .use(
      pages.act(passwordPath, { back: passwordPath }, (context, form) =>
        orAgain(context, form, page, async () => {
          await own.changePassword(context.request, context.head, context.viewer, form);
          return done(context.speech.account.password.changed);
        }),
      ),
    )
    .use(
      pages.act(`${passwordPath}/mail`, { back: accountPath }, async ({ request, viewer, speech }) =>
        done(speech.account.password.sent({ email: await own.sendFirstPassword(request, viewer) })),
      ),
    )
    .use(
      pages.page(`${passwordPath}/remove`, {}, async (context) =>
        (await own.canRemovePassword(context.user)) ? RemovePasswordPage({ context }) : { to: accountPath },
      ),
    )
    .use(
      pages.act(`${passwordPath}/remove`, { back: accountPath, isDangerous: true }, async (context) => {
        await own.removePassword(context.request, context.viewer);
        return done(context.speech.account.password.removed);
      }),
    );
}

function deletionRoutes(desk: Desk) {
  const { pages, own } = desk;
  const page = (props: FormPageProps) => DeletePage(props);
  return new Elysia({ name: "kit/account/deletion" })
    .use(
      pages.page(deletePath, {}, async (context) => {
        await requireProvable(desk, context);
        // An account without a password is proven by a sign-in that is minutes old.
        if (context.user.passwordHash === null && !context.viewer.isProven)
          throw new AppError("reauthentication_required");
        return page({ context, view: viewOf(context) });
      }),
    )
    .use(
      pages.act(deletePath, { back: deletePath }, (context, form) =>
        orAgain(context, form, page, async () => {
          await own.deleteAccount(context.request, context.head, context.viewer, form);
          return { to: "/login?notice=deleted" };
        }),
      ),
    );
}

/** Serves the pages of what the password answers for: the address, the password itself, and the deletion of the account. */
export const credentialRoutes = (desk: Desk, rules: PasswordRules) =>
  new Elysia({ name: "kit/account/credentials" })
    .use(addressRoutes(desk))
    .use(passwordRoutes(desk, rules))
    .use(deletionRoutes(desk));
