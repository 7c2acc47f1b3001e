import { Elysia } from "elysia";
import type { Added } from "../../../auth/index.ts";
import { hidden } from "../../../http/index.ts";
import { BrokenLinkPage, DeadLinkPage } from "./link.pages.tsx";
import { ForgotPage, ResetAskedPage, ResetDonePage, ResetPage } from "./password.pages.tsx";
import type { SignInOptions } from "./options.ts";
import { isReject, mailTokenOf, searchOf, type EntryView } from "./view.ts";

/** Serves the pages on which a person chooses a new password by the link of a mail. */
export function passwordRoutes({ config, auth, frame, entry, passwordRules }: SignInOptions) {
  const linkMs = config.auth.passwordResetTtlMs;
  const forgot = (view: EntryView) => ForgotPage({ view });
  const inspect = async (request: Request, fields: URLSearchParams): Promise<readonly Added[]> => {
    const token = fields.get("token") ?? "";
    return token === "" ? [] : auth.inspectReset(request, token);
  };
  const reset = (added: readonly Added[]) => (view: EntryView) => {
    const resetToken = mailTokenOf(view);
    const way = { href: frame.href("/forgot-password"), label: view.words.link.resetAgain };
    const isDead = view.refusal?.reason === "invalid_reset_token";
    const isUndo = isReject(view);
    if (isDead) return DeadLinkPage({ view, reason: isUndo ? view.words.link.undo : view.words.link.reset, way });
    return resetToken === ""
      ? BrokenLinkPage({ view, way })
      : ResetPage({ view, resetToken, isUndo, added, passwordLengths: passwordRules });
  };
  return new Elysia({ name: "staff/password" })
    .get("/forgot-password", ({ request, set }) => entry.show(request, set, forgot), hidden)
    .post(
      "/forgot-password",
      ({ request, set, body }) =>
        entry.submit(request, set, body, forgot, async (form) => {
          const resetToken = await auth.requestReset(request, form);
          return { make: (view) => ResetAskedPage({ view, linkMs, resetToken }) };
        }),
      hidden,
    )
    .get(
      "/reset-password",
      ({ request, set }) =>
        entry.attempt(request, set, async () =>
          entry.show(request, set, reset(await inspect(request, searchOf(request)))),
        ),
      hidden,
    )
    .post(
      "/reset-password",
      ({ request, set, body }) =>
        entry.attempt(request, set, async () => {
          const shown = reset(await inspect(request, body instanceof URLSearchParams ? body : searchOf(request)));
          return entry.submit(request, set, body, shown, async (form) => {
            await auth.confirmReset(request, set, form);
            return { make: (view) => ResetDonePage({ view }) };
          });
        }),
      hidden,
    );
}
