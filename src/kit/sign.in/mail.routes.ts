import { Elysia } from "elysia";
import type { PageWays } from "../../auth/index.ts";
import type { PageHead } from "../../http/pages/answer.ts";
import type { Arrive } from "./arrive.ts";
import type { EntryPages, Make } from "./entry.ts";
import { BrokenLinkPage, DeadLinkPage } from "./link.pages.tsx";
import { codePath, MailedCodePage, MailLinkPage, MailPage, mailPath } from "./mail.pages.tsx";
import type { Next } from "./next.ts";
import { mailTokenOf, namedNext } from "./view.ts";

export interface MailSignIn {
  readonly mails: Pick<PageWays, "requestMail" | "signInByMail" | "isGoodMail">;
  /** How long a mail works. */
  readonly ttlMs: number;
}

interface MailRouteOptions extends MailSignIn {
  readonly entry: EntryPages;
  readonly next: Next;
  readonly arrive: Arrive;
  readonly href: (path: string) => string;
}

/** Serves the sign-in by a mail: where it is asked for, its code, and its link. */
export function mailRoutes({ mails, ttlMs, entry, next, arrive, href }: MailRouteOptions) {
  const ask = (): Make => (view) => MailPage({ view, next: next.of(namedNext(view)) });
  const sent = (): Make => (view) => MailedCodePage({ view, next: next.of(namedNext(view)), ttlMs });

  async function link(request: Request, _head: PageHead, named: URLSearchParams): Promise<Make> {
    const token = named.get("token") ?? "";
    const isGood = token !== "" && (await mails.isGoodMail(request, token));
    return (view) => {
      const way = { href: href("/login"), label: view.words.signIn.back };
      if (mailTokenOf(view) === "") return BrokenLinkPage({ view, way });
      if (!isGood || view.refusal?.reason === "invalid_code")
        return DeadLinkPage({ view, reason: view.words.factors.byMail.link.dead, way });
      return MailLinkPage({ view });
    };
  }

  return new Elysia({ name: "kit/mail" })
    .use(entry.page(mailPath, ask))
    .use(
      entry.form(mailPath, ask, async (request, head, form) => {
        await mails.requestMail(request, head, form);
        return { make: sent() };
      }),
    )
    .use(
      entry.form(codePath, sent, async (request, head, form) =>
        arrive(await mails.signInByMail(request, head, form), form.get("next")),
      ),
    )
    .use(entry.page("/email-login", link))
    .use(
      entry.form("/email-login", link, async (request, head, form) => {
        const onlyLink = new URLSearchParams({ token: form.get("token") ?? "" });
        return arrive(await mails.signInByMail(request, head, onlyLink), null);
      }),
    );
}
