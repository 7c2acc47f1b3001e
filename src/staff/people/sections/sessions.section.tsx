/** @jsxImportSource #html */
import { deviceLabel, holderOf, impersonatorOf, type Person } from "../../../auth/index.ts";
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Table } from "../../../http/pages/parts/list.tsx";
import { Ago } from "../../frame/parts.tsx";
import { Tag, type AboutPerson } from "../parts.tsx";

type Session = Person["sessions"][number];

const columns = ["Device or app", "Address", "Last used", "Signed in"] as const;
/** How many sessions the page shows at first. Further ones unfold on demand. */
const shownAtFirst = 10;

function rowOf(
  session: Session,
  { context: { href, token, times, viewer, mayTo }, person }: AboutPerson,
): readonly Children[] {
  const holder = holderOf(session);
  const impersonator = impersonatorOf(session);
  const device = holder?.name ?? (impersonator ? `Support: ${impersonator.name}` : deviceLabel(session.userAgent));
  return [
    <>
      <span title={session.userAgent}>{device}</span>
      {holder !== null && <span class="soft"> as an app</span>}
      {session.id === viewer.session.id && [" ", <Tag tone="good">this one</Tag>]}
      {session.app === "admin" && session.id !== viewer.session.id && <span class="soft"> on these pages</span>}
    </>,
    session.ipAddress,
    <Ago at={session.lastSeenAt} times={times} />,
    <Ago at={session.createdAt} times={times} />,
    mayTo("people.end-sessions", person.roles) && (
      <Form action={href(`/people/${person.id}/end-sessions`)} token={token}>
        <Hidden fields={[["session", session.id]]} />
        <button aria-label={`End the session on ${device}, ${session.ipAddress}`}>End</button>
      </Form>
    ),
  ];
}

/** The sessions in which the person is signed in, in both apps, the last used first. */
export const Sessions = (props: AboutPerson) => {
  const sessions = props.person.sessions.filter(({ isLive }) => isLive).toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
  const rows = sessions.map((session) => rowOf(session, props));
  const rest = rows.slice(shownAtFirst);
  return (
    <section>
      <h2 id="sessions">Sessions {rows.length > 0 && <span class="count">{rows.length}</span>}</h2>
      <Table
        labelledBy="sessions"
        columns={columns}
        actions={props.context.words.frame.actions}
        rows={rows.slice(0, shownAtFirst)}
        empty={<p class="soft">Signed in nowhere.</p>}
      />
      {rest.length > 0 && (
        <details>
          <summary id="older-sessions">{rest.length} more, used longer ago</summary>
          <Table
            labelledBy="older-sessions"
            columns={columns}
            actions={props.context.words.frame.actions}
            rows={rest}
          />
        </details>
      )}
    </section>
  );
};
