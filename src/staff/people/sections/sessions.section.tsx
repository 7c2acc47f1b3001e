/** @jsxImportSource #html */
import { deviceLabel, type Person } from "../../../auth/index.ts";
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Table } from "../../../http/pages/parts/table.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { Ago } from "../../frame/moment.tsx";

interface SessionsProps {
  readonly context: StaffContext;
  readonly person: Person;
}

type Session = Person["sessions"][number];

const columns = ["Device", "Address", "Last used", "Signed in", ""] as const;
/** How many sessions the page shows at first. Further ones unfold on demand. */
const shownAtFirst = 10;

function rowOf(
  session: Session,
  { context: { href, token, times, viewer }, person }: SessionsProps,
): readonly Children[] {
  const device = deviceLabel(session.userAgent);
  return [
    <>
      <span title={session.userAgent}>{device}</span>
      {session.id === viewer.session.id && (
        <>
          {" "}
          <span class="tag good">this one</span>
        </>
      )}
      {session.app === "admin" && session.id !== viewer.session.id && <span class="soft"> on these pages</span>}
    </>,
    session.ipAddress,
    <Ago at={session.lastSeenAt} times={times} />,
    <Ago at={session.createdAt} times={times} />,
    <Form action={href(`/people/${person.id}/end-sessions`)} token={token}>
      <Hidden fields={[["session", session.id]]} />
      <button aria-label={`End the session on ${device}, ${session.ipAddress}`}>End</button>
    </Form>,
  ];
}

/** The sessions in which the person is signed in, in both apps, the last used first. */
export const Sessions = (props: SessionsProps) => {
  const sessions = props.person.sessions.filter(({ isLive }) => isLive).toSorted((a, b) => b.lastSeenAt - a.lastSeenAt);
  const [first, rest] = [sessions.slice(0, shownAtFirst), sessions.slice(shownAtFirst)].map((some) =>
    some.map((session) => rowOf(session, props)),
  );
  return (
    <section>
      <h2 id="sessions">Sessions {sessions.length > 0 && <span class="count">{sessions.length}</span>}</h2>
      {first === undefined || first.length === 0 ? (
        <p class="soft">Signed in nowhere.</p>
      ) : (
        <Table labelledBy="sessions" columns={columns} rows={first} />
      )}
      {rest !== undefined && rest.length > 0 && (
        <details>
          <summary id="older-sessions">{rest.length} more, used longer ago</summary>
          <Table labelledBy="older-sessions" columns={columns} rows={rest} />
        </details>
      )}
    </section>
  );
};
