/** @jsxImportSource #html */
import { Document } from "../../http/pages/document.tsx";
import { Form, Notice } from "../../http/pages/parts/form.tsx";
import { Product } from "../../http/pages/parts/product.tsx";
import type { PageContent } from "../frame/context.ts";
import type { AccountContext } from "./context.ts";

/** Says above the page that it is not the person who looks at their account, and ends that. */
const ImpersonationBar = ({ context }: { readonly context: AccountContext }) => {
  const { impersonator, user, href, token, speech } = context;
  if (impersonator === null) return null;
  const { acting, end } = speech.words.impersonation;
  return (
    <div class="impersonation" role="status">
      <p>
        <bdi>{acting({ staff: impersonator.name, person: user.displayName })}</bdi>
      </p>
      <Form action={href("/logout")} token={token}>
        <button>{end}</button>
      </Form>
    </div>
  );
};

/** A page of one's own account: the product, the way out, the result of the previous act, and the zone of the times. */
export const AccountFrame = ({ context, title, children }: PageContent & { readonly context: AccountContext }) => {
  const { frame, href, token, speech, times, notice } = context;
  const { words, kit, language } = speech;
  return (
    <Document
      language={language}
      title={`${title} · ${frame.mark.product}`}
      icon={frame.mark.icon}
      style={frame.style}
      schemes={frame.schemes}
      script={frame.script}
    >
      <ImpersonationBar context={context} />
      <a class="skip" href="#main">
        {kit.skip}
      </a>
      <header class="page-head account-head">
        <Product mark={frame.mark} />
        <Form action={href("/logout")} token={token}>
          <button>{words.acts.signOut}</button>
        </Form>
      </header>
      <main class="account" id="main" tabindex={-1}>
        {notice !== undefined && <Notice kind={notice.kind}>{notice.text}</Notice>}
        {children}
      </main>
      <footer class="page-foot">
        {times.isOwn ? kit.times.own({ zone: times.zone.replaceAll("_", " ") }) : kit.times.utc}
      </footer>
    </Document>
  );
};
