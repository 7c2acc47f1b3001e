/** @jsxImportSource #html */
import { Form, Hidden, Notice } from "../../http/pages/parts/form.tsx";
import { Frame } from "../../http/pages/frame.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "./context.ts";

export { CardPage, ConfirmPage } from "../../kit/index.ts";

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
  const { frame, href, viewer, token, times, speech } = context;
  const { navigation, timesOwn, timesUtc, ...words } = context.words.frame;
  return (
    <Frame
      language={speech.language}
      words={words}
      title={`${title} · ${frame.mark.product}`}
      style={frame.style}
      schemes={frame.schemes}
      script={frame.script}
      icon={frame.mark.icon}
      brand={{ name: frame.mark.product, href: href("/"), place: frame.place }}
      navigation={{
        links: frame.navigation.map(({ path, label }) => ({
          href: href(path),
          label: navigation[label],
          isCurrent: path === at,
        })),
        signOut: href("/logout"),
        token,
        who: { name: viewer.session.displayName, href: href("/account") },
      }}
      footer={times.isOwn ? timesOwn({ zone: times.zone }) : timesUtc}
    >
      <Said context={context} />
      {children}
    </Frame>
  );
};
