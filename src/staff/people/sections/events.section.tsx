/** @jsxImportSource #html */
import { Pager, Table } from "../../../http/pages/parts/list.tsx";
import { actionInWords, actorInWords, detailsInWords, type AuditRow } from "../../../audit/index.ts";
import type { AccountName } from "../../../auth/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Moment, Until, PersonLink } from "../../frame/parts.tsx";
import { deviceIn, Tag } from "../parts.tsx";

/** One page of the audit log of a person. */
export interface EventsPage {
  readonly rows: readonly AuditRow[];
  /** Names of the staff, and of other people, who caused events on the page. */
  readonly names: ReadonlyMap<string, AccountName>;
  /** Whether the page has the newest events. */
  readonly isFirst: boolean;
  /** The cursor of the next page, with older events; undefined on the last page. */
  readonly next: string | undefined;
}

interface EventsProps {
  readonly context: StaffContext;
  readonly id: string;
  readonly events: EventsPage;
}

interface RowProps {
  readonly context: StaffContext;
  readonly row: AuditRow;
}

const What = ({ context, row }: RowProps) => {
  const { action, outcome, count, endsAt } = row;
  const { reasons } = context.words;
  const details = detailsInWords(row, reasons);
  const done = actionInWords(action, reasons);
  return (
    <>
      {outcome === "failure" ? <Tag tone="warning">{done}</Tag> : done}
      {details !== undefined && (
        <span class="soft">
          {outcome === "failure" ? " " : ": "}
          {details}
        </span>
      )}
      {count > 1 && <span class="soft"> ×{count}</span>}
      <Until at={endsAt} context={context} />
    </>
  );
};

const Who = ({
  context,
  names,
  row: { actor, actorUserId, subjectUserId, service, operator },
}: RowProps & Pick<EventsPage, "names">) => {
  if (actor === "service") return <>{context.words.people.events.service({ service: service ?? "" })}</>;
  const isOther = actor === "staff" || (actor === "user" && actorUserId !== subjectUserId);
  if (!isOther || actorUserId === null) return <>{actorInWords(actor, operator, context.words.reasons)}</>;
  if (actorUserId === context.viewer.session.userId)
    return <a href={context.href(`/people/${actorUserId}`)}>{context.words.people.events.you}</a>;
  return <PersonLink context={context} id={actorUserId} names={names} />;
};

const Where = ({ context, row: { address, userAgent } }: RowProps) => (
  <>
    {address}
    {userAgent !== null && userAgent !== "" && (
      <span class="soft" title={userAgent}>
        {" "}
        {deviceIn(context, userAgent)}
      </span>
    )}
  </>
);

export function Events({ context, id, events: { rows, names, isFirst, next } }: EventsProps) {
  const words = context.words.people.events;
  return (
    <section>
      <h2 id="events">{words.title}</h2>
      <Table
        labelledBy="events"
        columns={Object.values(words.columns)}
        rows={rows.map((row) => [
          <Moment at={row.at} times={context.times} />,
          <What context={context} row={row} />,
          <span class="actor">
            <Who context={context} names={names} row={row} />
          </span>,
          <Where context={context} row={row} />,
        ])}
        empty={<p class="soft">{isFirst ? words.none : words.noneOlder}</p>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={isFirst ? undefined : context.href(`/people/${id}#events`)}
        next={next && context.href(`/people/${id}?before=${next}#events`)}
      />
    </section>
  );
}
