import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { framedMailPolicy } from "../../../http/pages/policy.ts";
import type { StaffContext } from "../../frame/context.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { MailPage, mailsPath, MailsPage } from "./page.tsx";

interface MailRouteOptions extends Pick<ConsoleParts, "mails"> {
  readonly staff: StaffPages;
}

/** The pages that show what people are mailed. */
export function mailRoutes({ staff, mails: { languages, names, show } }: MailRouteOptions) {
  /** Returns the language that the query names. Any other chooses that of the reader, or the first one. */
  const languageIn = ({ search, speech }: StaffContext): string =>
    [search.get("language"), speech.language].find((each) => each !== null && languages.includes(each)) ??
    languages[0] ??
    "en";
  function mailIn(context: StaffContext, name: string) {
    const mail = show(name, languageIn(context));
    if (mail === undefined) throw new AppError("not_found");
    return mail;
  }
  return new Elysia({ name: "staff/mails" })
    .use(
      staff.page(mailsPath, "mails.see", (context) => {
        const language = languageIn(context);
        const mails = names.map((name) => ({ name, subject: mailIn(context, name).subject }));
        return MailsPage({ context, languages, language, mails });
      }),
    )
    .use(
      staff.page(`${mailsPath}/:name`, "mails.see", (context, name) =>
        MailPage({ context, languages, language: languageIn(context), name, mail: mailIn(context, name) }),
      ),
    )
    .use(
      staff.page(
        `${mailsPath}/:name/html`,
        "mails.see",
        (context, name) =>
          new Response(mailIn(context, name).html, {
            headers: {
              "content-type": "text/html; charset=utf-8",
              "content-security-policy": framedMailPolicy,
              "cache-control": "no-store",
              "referrer-policy": "no-referrer",
            },
          }),
      ),
    );
}
