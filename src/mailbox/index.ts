import { Elysia, t } from "elysia";
import { isLoopback } from "../core/address/address.ts";
import type { Module } from "../core/module.ts";
import { hidden, isForwarded, type RequestFacts } from "../http/index.ts";
import { showPage, type PageHead } from "../http/pages/answer.ts";
import type { Brand } from "../http/pages/brand/brand.ts";
import { mailAsPage } from "../http/pages/mail.page.ts";
import { pagePolicy } from "../http/pages/policy.ts";
import { assetRoutes } from "../http/pages/style/assets.ts";
import type { KeptMail, Mailbox } from "./mailbox.ts";
import { mailsPage, scriptAsset, styleAsset } from "./pages/pages.tsx";

export { createMailbox } from "./mailbox.ts";

interface MailboxOptions {
  readonly mailbox: Mailbox;
  readonly appUrl: URL;
  readonly brand: Pick<Brand, "mark" | "look">;
  readonly facts: RequestFacts;
}

const root = "/mails";
const withId = { ...hidden, params: t.Object({ id: t.String() }) };

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

const absent = (): Response => new Response(null, { status: 404 });

/**
 * The content security policy of a mail in its frame: the mail keeps its look, and its links may open another tab. It runs no script, which
 * is why it may have an origin, by which the page around it knows how high it is.
 */
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox allow-same-origin";

/** The mail as a page: its links open in another tab, since what they lead to can't be framed, and its pictures stand in it. */
const pageOf = (mail: KeptMail): string => mailAsPage(mail).replace("<head>", '<head>\n<base target="_blank">');

/**
 * Shows a developer the mails that were not sent. Their links open accounts, so only a browser on the same machine may read them, under a
 * name of that machine. A page of another site can make its own name resolve to this address, but does not have such a name.
 */
export function mailboxPages({ facts, ...options }: MailboxOptions): Module<ReturnType<typeof routesOf>> {
  const isLocal = (request: Request): boolean =>
    !isForwarded(request) &&
    loopbackHost.test(request.headers.get("host") ?? "") &&
    isLoopback(facts.clientAddress(request));
  return { routes: routesOf(options, isLocal) };
}

function routesOf({ mailbox, appUrl, brand }: Omit<MailboxOptions, "facts">, isLocal: (request: Request) => boolean) {
  const policy = pagePolicy({ ...brand.look.sources, script: "'self'", image: "'self' data:", frame: "'self'" });
  async function show(set: PageHead, open?: KeptMail): Promise<string> {
    return showPage(set, mailsPage({ brand, appUrl, mails: await mailbox.list(), open }), policy);
  }
  return new Elysia({ name: "mailbox" })
    .onBeforeHandle(({ request }) => (isLocal(request) ? undefined : absent()))
    .use(assetRoutes("mailbox-assets", [styleAsset, scriptAsset]))
    .get(root, ({ set }) => show(set), hidden)
    .get(
      `${root}/:id`,
      async ({ params, set }) => {
        const mail = await mailbox.find(params.id);
        return mail === undefined ? absent() : show(set, mail);
      },
      withId,
    )
    .get(
      `${root}/:id/html`,
      async ({ params }) => {
        const mail = await mailbox.find(params.id);
        if (mail === undefined) return absent();
        return new Response(pageOf(mail), {
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
