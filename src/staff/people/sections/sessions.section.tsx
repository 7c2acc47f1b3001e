/** @jsxImportSource #html */
import { holderOf, impersonatorOf, type Person } from "../../../auth/index.ts";
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Table } from "../../../http/pages/parts/list.tsx";
import { Ago } from "../../frame/parts.tsx";
import { deviceIn, Tag, type AboutPerson } from "../parts.tsx";

type Session = Person["sessions"][number];

/** How many sessions the page shows at first. Further ones unfold on demand. */
const shownAtFirst = 10;

function rowOf(session: Session, { context, person }: AboutPerson): readonly Children[] {
  const { href, token, times, viewer, mayTo, speech } = context;
  const words = context.words.people.sessions;
  const holder = holderOf(session);
  const impersonator = impersonatorOf(session);
  const support = impersonator && speech.account.sessions.support({ name: impersonator.name });
  const device = holder?.name ?? support ?? deviceIn(context, session.userAgent);
  return [
    <>
      <span title={session.userAgent}>{device}</span>
      {holder !== null && <span class="soft"> {words.asApp}</span>}
      {session.id === viewer.session.id && [" ", <Tag tone="good">{words.current}</Tag>]}
      {session.app === "admin" && session.id !== viewer.session.id && <span class="soft"> {words.here}</span>}
    </>,
    session.ipAddress,
    <Ago at={session.lastSeenAt} times={times} />,
    <Ago at={session.createdAt} times={times} />,
    mayTo("people.end-sessions", person.roles) && (
      <Form action={href(`/people/${person.id}/end-sessions`)} token={token}>
        <Hidden fields={[["session", session.id]]} />
        <button aria-label={words.endOf({ device, address: session.ipAddress })}>{words.end}</button>
      </Form>
    ),
  ];
}

/** The sessions in which the person is signed in, in both apps, the last used first. */
export const Sessions = (props: AboutPerson) => {
  const { count } = props.context;
  const words = props.context.words.people.sessions;
  const columns = Object.values(words.columns);
  const sessions = props.person.sessions.filter(({ isLive }) => isLive).toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
  const rows = sessions.map((session) => rowOf(session, props));
  const rest = rows.slice(shownAtFirst);
  return (
    <section>
      <h2 id="sessions">
        {words.title} {rows.length > 0 && <span class="count">{count(rows.length)}</span>}
      </h2>
      <Table
        labelledBy="sessions"
        columns={columns}
        actions={props.context.words.frame.actions}
        rows={rows.slice(0, shownAtFirst)}
        empty={<p class="soft">{words.none}</p>}
      />
      {rest.length > 0 && (
        <details>
          <summary id="older-sessions">{words.more({ count: rest.length })}</summary>
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
