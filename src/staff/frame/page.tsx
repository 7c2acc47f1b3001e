/** @jsxImportSource #html */
import { Aside, Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import { Frame } from "../../http/pages/frame.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "./context.ts";

interface StaffPageProps {
  readonly context: StaffContext;
  readonly title: string;
  /** The path of the navigation entry that the page belongs to. */
  readonly at?: string | undefined;
  readonly children: Children;
}

const Said = ({ context: { notice, token, href } }: { readonly context: StaffContext }) =>
  notice === undefined ? null : (
    <Notice kind={notice.kind}>
      <div class="said">
        <p>{notice.text}</p>
        {notice.undo !== undefined && (
          <Form action={href(notice.undo.action)} token={token}>
            <Hidden fields={Object.entries(notice.undo.fields ?? {})} />
            <button>{notice.undo.label}</button>
          </Form>
        )}
      </div>
    </Notice>
  );

/** A page for staff: the common header, the result of the previous act, and the zone of the times. */
export const StaffPage = ({ context, title, at, children }: StaffPageProps) => {
  const { frame, href, viewer, token, times } = context;
  return (
    <Frame
      title={`${title} · ${frame.mark.product}`}
      style={frame.style}
      schemes={frame.schemes}
      script={frame.script}
      icon={frame.mark.icon}
      brand={{ name: frame.mark.product, href: href("/"), place: frame.place }}
      navigation={{
        links: frame.navigation.map(({ path, label }) => ({ href: href(path), label, isCurrent: path === at })),
        signOut: href("/logout"),
        token,
        who: { name: viewer.session.displayName, href: href("/account") },
      }}
      footer={
        times.isOwn
          ? `Times are in ${times.zone}, as your profile says.`
          : "Times are in UTC: your profile names no time zone."
      }
    >
      <Said context={context} />
      {children}
    </Frame>
  );
};

interface CardPageProps extends StaffPageProps {
  /** Continues the title in smaller letters. */
  readonly subtitle?: string;
  /** A class of the card, besides its own. */
  readonly class?: string;
  /** The page that a reader goes back to who wants nothing else. */
  readonly cancel?: string;
}

/** A page with one thing to do. */
export const CardPage = ({ title, subtitle, class: name, cancel, children, ...page }: CardPageProps) => (
  <StaffPage {...page} title={title}>
    <div class={name === undefined ? "card sign-in" : `card sign-in ${name}`}>
      {subtitle === undefined ? (
        <h1>{title}</h1>
      ) : (
        <hgroup>
          <h1>{title}</h1>
          <p class="soft">{subtitle}</p>
        </hgroup>
      )}
      {children}
      {cancel !== undefined && <Aside href={page.context.href(cancel)}>Cancel</Aside>}
    </div>
  </StaffPage>
);
