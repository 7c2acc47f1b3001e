import { Elysia, t } from "elysia";
import { isLoopback } from "../core/address/address.ts";
import type { Module } from "../core/module.ts";
import { hidden, isForwarded, type RequestFacts } from "../http/index.ts";
import { showPage } from "../http/pages/answer.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import type { Mailbox } from "./mailbox.ts";
import { mailboxPolicy, mailPage, mailsPage, styleAsset } from "./pages/pages.tsx";

export { createMailbox } from "./mailbox.ts";

interface MailboxOptions {
  readonly mailbox: Mailbox;
  readonly appUrl: URL;
  readonly facts: RequestFacts;
}

const root = "/mails";
const withId = { ...hidden, params: t.Object({ id: t.String() }) };

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const absent = (): Response => new Response(null, { status: 404 });

/** The content security policy of a mail in its frame: the mail keeps its look, and its links may open another tab. */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Opens the links of a mail in another tab: the pages that they lead to can't be framed. */
const linksElsewhere = (html: string): string => html.replace("<head>", '<head>\n<base target="_blank">');

/**
 * Shows a developer the mails that were not sent. Their links open accounts, so only a browser on the same machine may read them, under a
 * name of that machine. A page of another site can make its own name resolve to this address, but does not have such a name.
 */
export function mailboxPages({ mailbox, appUrl, facts }: MailboxOptions): Module<ReturnType<typeof routesOf>> {
  const isLocal = (request: Request): boolean =>
    !isForwarded(request) &&
    loopbackHost.test(request.headers.get("host") ?? "") &&
    isLoopback(facts.clientAddress(request));
  return { routes: routesOf(mailbox, appUrl, isLocal) };
}

function routesOf(mailbox: Mailbox, appUrl: URL, isLocal: (request: Request) => boolean) {
  return new Elysia({ name: "mailbox" })
    .onBeforeHandle(({ request }) => (isLocal(request) ? undefined : absent()))
    .use(assetRoutes("mailbox-assets", [styleAsset]))
    .get(root, async ({ set }) => showPage(set, mailsPage(await mailbox.list()), mailboxPolicy), hidden)
    .get(
      `${root}/:id`,
      async ({ params, set }) => {
        const mail = await mailbox.find(params.id);
        return mail === undefined ? absent() : showPage(set, mailPage(mail, appUrl), mailboxPolicy);
      },
      withId,
    )
    .get(
      `${root}/:id/html`,
      async ({ params }) => {
        const mail = await mailbox.find(params.id);
        if (mail === undefined) return absent();
        return new Response(linksElsewhere(mail.html), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": mailPolicy,
            "cache-control": "no-store",
            "referrer-policy": "no-referrer",
          },
        });
      },
      withId,
    );
}
