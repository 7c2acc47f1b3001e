/** @jsxImportSource #html */
import { actorInWords, rowInWords, type AuditPage, type AuditRow } from "../../audit/index.ts";
import type { AccountName } from "../../auth/index.ts";
import { writePosition } from "../../core/text/position.ts";
import { Pager, Table, withQuery } from "../../http/pages/parts/list.tsx";
import { Moment, PersonLink } from "../frame/parts.tsx";
import type { AboutOrganization } from "./parts.tsx";
import { pathOf } from "./paths.ts";

export interface OrganizationEvents {
  readonly page: AuditPage;
  /** The names of the people in it. */
  readonly names: ReadonlyMap<string, AccountName>;
  readonly isFirst: boolean;
}

interface EventsProps extends AboutOrganization {
  readonly events: OrganizationEvents;
}

const By = ({
  context,
  row,
  names,
}: Pick<EventsProps, "context"> & Pick<OrganizationEvents, "names"> & { readonly row: AuditRow }) => {
  const { actor, actorUserId, subjectUserId, service } = row;
  const words = context.words.organizations.events;
  if (actorUserId !== null && actorUserId === subjectUserId)
    return <span class="soft briefly">{words.themselves}</span>;
  if (actor === "service" && service !== null) return <>{words.service({ service })}</>;
  return actorUserId === null ? (
    <span class="soft briefly">{actorInWords(actor, row.operator, context.words.reasons)}</span>
  ) : (
    <PersonLink context={context} id={actorUserId} names={names} />
  );
};

/** What the audit log has of an organization. */
export const Events = ({ context, organization: { id }, events: { page, names, isFirst } }: EventsProps) => {
  const { href, times } = context;
  const words = context.words.organizations.events;
  const { rows, next } = page;
  return (
    <section>
      <h2 id="events">{words.title}</h2>
      <Table
        labelledBy="events"
        columns={[words.when, words.what, words.account, words.by]}
        rows={rows.map((row) => [
          <Moment at={row.at} times={times} />,
          <span class="unbroken">{rowInWords(row, context.words.reasons)}</span>,
          row.subjectUserId === null ? (
            <span class="soft">–</span>
          ) : (
            <PersonLink context={context} id={row.subjectUserId} names={names} />
          ),
          <By context={context} row={row} names={names} />,
        ])}
        empty={<p class="soft">{isFirst ? words.empty : words.end}</p>}
      />
      <Pager
        words={context.words.frame}
        label={words.pages}
        first={isFirst ? undefined : href(`${pathOf(id)}#events`)}
        next={next && href(`${withQuery(pathOf(id), { before: writePosition(next) })}#events`)}
      />
      {rows.length > 0 && context.may("audit.see") && (
        <p class="hint">
          <a href={href(withQuery("/audit", { organization: id }))}>{words.search}</a>
        </p>
      )}
    </section>
  );
};
