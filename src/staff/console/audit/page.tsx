/** @jsxImportSource #html */
import { Notice } from "../../../http/pages/parts/form.tsx";
import { actorInWords, reasonInWords, rowInWords, type AuditPage, type AuditRow } from "../../../audit/index.ts";
import type { AccountName } from "../../../auth/index.ts";
import { hour } from "../../../core/clock.ts";
import { writePosition } from "../../../core/text/position.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Empty, Facets, Pager, Pairs, Table } from "../../../http/pages/parts/list.tsx";
import { around } from "../../../words/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Moment, Until, PersonLink } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { fileBounds } from "./csv.ts";
import { FilterForm } from "./filter.form.tsx";
import { queryOf, type Filter } from "./filter.ts";

interface AuditPageProps {
  readonly context: StaffContext;
  readonly filter: Filter;
  /** Undefined where a fault of the filter prevented the search. */
  readonly page: AuditPage | undefined;
  readonly names: ReadonlyMap<string, AccountName>;
  /** The names of organizations; undefined where people belong to none. */
  readonly organizations: ReadonlyMap<string, { readonly name: string }> | undefined;
}

/** What a row is about: an account, otherwise an organization or a service. */
function Subject({
  context,
  row,
  names,
  organizations,
}: Pick<AuditPageProps, "context" | "names" | "organizations"> & { readonly row: AuditRow }) {
  const { subjectUserId, organizationId, service } = row;
  if (subjectUserId !== null) return <PersonLink context={context} id={subjectUserId} names={names} />;
  const name = organizationId === null ? undefined : organizations?.get(organizationId)?.name;
  if (organizationId === null || name === undefined) return <>{service ?? <span class="soft">–</span>}</>;
  return (
    <a class="somebody" href={context.href(`/organizations/${organizationId}`)} title={name}>
      {name}
    </a>
  );
}

function Actor({ context, row, names }: { context: StaffContext; row: AuditRow; names: AuditPageProps["names"] }) {
  const { actor, actorUserId, subjectUserId, service } = row;
  if (actor === "user" && actorUserId !== null && actorUserId === subjectUserId)
    return <span class="soft briefly">{context.words.audit.themselves}</span>;
  if (actorUserId !== null) return <PersonLink context={context} id={actorUserId} names={names} />;
  if (actor === "service" && service !== null) return <>{context.words.audit.service({ name: service })}</>;
  return <span class="soft briefly">{actorInWords(actor, row.operator, context.words.reasons)}</span>;
}

/** Details of a row that few readers want. */
const More = ({
  context,
  row,
  organizations,
}: Pick<AuditPageProps, "context" | "organizations"> & { readonly row: AuditRow }) => {
  const { more, moreAbout, details } = context.words.audit;
  return (
    <details class="more">
      <summary>
        {more}
        <span class="unseen"> {moreAbout}</span>
      </summary>
      <Pairs
        pairs={[
          [details.action, `${row.action}${row.reason === null ? "" : `, ${row.reason}`}`],
          [details.writtenBy, row.app],
          [
            details.organization,
            row.organizationId !== null && organizations?.has(row.organizationId) === true ? (
              <a href={context.href(`/organizations/${row.organizationId}`)}>
                {organizations.get(row.organizationId)?.name}
              </a>
            ) : (
              row.organizationId
            ),
          ],
          [details.browser, row.userAgent],
          [details.request, row.requestId],
          [details.session, row.sessionId],
          [details.row, row.id],
        ]}
      />
    </details>
  );
};

function cells({ context, names, organizations }: AuditPageProps, row: AuditRow): readonly Children[] {
  const { times, href } = context;
  return [
    <Moment at={row.at} times={times} />,
    <span class={row.outcome === "failure" ? "refused" : undefined}>
      {rowInWords(row, context.words.reasons)}
      <Until at={row.endsAt} context={context} />
    </span>,
    <Subject context={context} row={row} names={names} organizations={organizations} />,
    <Actor context={context} row={row} names={names} />,
    row.address === null ? (
      <span class="soft">–</span>
    ) : (
      <a href={href(`/audit${queryOf({ address: row.address })}`)}>
        <code>{row.address}</code>
      </a>
    ),
    <More context={context} row={row} organizations={organizations} />,
  ];
}

/** Spans in hours. */
const spans = [
  ["hour", 1],
  ["day", 24],
  ["week", 7 * 24],
] as const;

/** Links to the current search over spans that end now. */
function Spans({ context, filter }: Pick<AuditPageProps, "context" | "filter">) {
  const { until: _until, from, ...typed } = filter.typed;
  const { times, words } = context;
  const wall = (ms: number): string =>
    new Intl.DateTimeFormat("sv-SE", { timeZone: times.zone, dateStyle: "short", timeStyle: "short" })
      .format(times.now - ms)
      .replace(" ", "T");
  const facets = spans.map(([name, hours]) => {
    const start = wall(hours * hour);
    return {
      label: words.audit[name],
      href: context.href(`/audit${queryOf({ ...typed, from: start })}`),
      isCurrent: from === start,
    };
  });
  return <Facets write={context.count} label={words.audit.span} facets={facets} />;
}

function Found(props: AuditPageProps & { readonly page: AuditPage }) {
  const { context, filter, page } = props;
  const { rows, next, gaveUp } = page;
  const { columns, empty, emptyOlder, gaveUp: ended, log } = context.words.audit;
  const at = (more: Readonly<Record<string, string>>): string => context.href(`/audit${queryOf(filter.typed, more)}`);
  return (
    <>
      <Table
        labelledBy="audit"
        columns={Object.values(columns)}
        actions={context.words.frame.actions}
        rows={rows.map((row) => cells(props, row))}
        empty={!gaveUp && <Empty>{filter.before === undefined ? empty : emptyOlder}</Empty>}
      />
      {gaveUp && next !== undefined && (
        <Notice>
          <p>
            {around(rows.length === 0 ? ended.nothing : ended.nothingMore, {
              moment: <Moment at={next.at} times={context.times} />,
            })}{" "}
            <a href={at({ before: writePosition(next) })}>{ended.further}</a>
          </p>
        </Notice>
      )}
      <Pager
        words={context.words.frame}
        label={log}
        first={filter.before === undefined ? undefined : at({})}
        next={next === undefined || gaveUp ? undefined : at({ before: writePosition(next) })}
      />
    </>
  );
}

export function AuditLogPage(props: AuditPageProps) {
  const { context, filter, page } = props;
  const { reason } = filter.typed;
  const { title, onlyReason, anyReason, download, file } = context.words.audit;
  return (
    <StaffPage context={context} title={title} at="/audit">
      <div class="head">
        <h1 id="audit">{title}</h1>
        <Spans context={context} filter={filter} />
      </div>
      <FilterForm context={context} filter={filter} hasOrganizations={props.organizations !== undefined} />
      {reason !== undefined && (
        <p>
          {onlyReason({ reason: reasonInWords(reason, context.words.reasons) })}{" "}
          <a href={context.href(`/audit${queryOf({ ...filter.typed, reason: "" })}`)}>{anyReason}</a>
        </p>
      )}
      {page !== undefined && <Found {...props} page={page} />}
      {page !== undefined && context.may("audit.export") && (
        <p class="hint">
          {around(({ download: link }) => file({ download: link, count: fileBounds.rows }), {
            download: (
              <a href={context.href(`/audit.csv${queryOf(filter.typed)}`)} download="audit.csv">
                {download}
              </a>
            ),
          })}
        </p>
      )}
    </StaffPage>
  );
}
