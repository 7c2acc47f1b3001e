/** @jsxImportSource #html */
import { Notice } from "../../../http/pages/parts/form.tsx";
import { hour } from "../../../core/clock.ts";
import { lastDay, lastMonth, type Figures } from "../../../figures/index.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Facets } from "../../../http/pages/parts/list.tsx";
import type { MaintenanceView } from "../../../maintenance/index.ts";
import { around } from "../../../words/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Moment } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { SearchForm } from "../../frame/search.form.tsx";
import { Chart, isEmpty } from "./chart.tsx";
import { labelsOf } from "./labels.ts";
import { PeopleSection } from "./people.section.tsx";
import { createSeries } from "./series.ts";
import { serviceCharts, signInCharts, type ChartOf } from "./service.charts.tsx";

interface DashboardProps {
  readonly context: StaffContext;
  readonly figures: Figures;
  readonly maintenance: readonly MaintenanceView[];
  /** Returns what people call a provider. */
  readonly providerName: (provider: string) => string;
}

const Maintained = ({ context, maintenance }: Pick<DashboardProps, "context" | "maintenance">) => (
  <>
    {maintenance
      .filter(({ on }) => on === true)
      .map(({ app }) => (
        <Notice key={app} kind="warning">
          <p>
            {around(context.words.dashboard.maintained, {
              app: <strong>{app}</strong>,
              link: <a href={context.href("/maintenance")}>{context.words.dashboard.seeWhy}</a>,
            })}
          </p>
        </Notice>
      ))}
  </>
);

const spans = (context: StaffContext, isDays: boolean): Children => (
  <Facets
    write={context.count}
    label={context.words.dashboard.span}
    facets={[
      { label: context.words.dashboard.day, href: context.href("/"), isCurrent: !isDays },
      { label: context.words.dashboard.month, href: context.href("/?span=30d"), isCurrent: isDays },
    ]}
  />
);

/** How many charts stand side by side where there is room. */
const columns = 3;

interface NothingProps extends Pick<DashboardProps, "context"> {
  readonly charts: readonly ChartOf[];
  /** How many charts stand before it. */
  readonly beside: number;
}

/** Names what has not happened in the span, and says what will be shown of it: charts without a bar would be a wall of nothing. */
const Nothing = ({ context, charts, beside }: NothingProps) =>
  charts.length === 0 ? null : (
    <section class={`card nothing over-${columns - (beside % columns)}`} aria-labelledby="nothing-title">
      <h3 id="nothing-title">{context.words.dashboard.nothing}</h3>
      <dl>
        {charts.map(({ id, title, empty }) => (
          <div key={id}>
            <dt>{title}</dt>
            <dd>{empty}</dd>
          </div>
        ))}
      </dl>
    </section>
  );

const Backlog = ({ context: { times, words }, figures }: Pick<DashboardProps, "context" | "figures">) =>
  figures.countedFrom <= figures.since ? null : (
    <Notice>
      <p>
        {figures.countedFrom > times.now
          ? words.dashboard.backlog.begins
          : around(words.dashboard.backlog.back, { moment: <Moment at={figures.countedFrom} times={times} /> })}
      </p>
    </Notice>
  );

/** The people, and the state of the service now and over the last day or month. */
export function DashboardPage({ context, figures, maintenance, providerName }: DashboardProps) {
  const { times, words } = context;
  const { title, find, service, bars, daysAlone } = words.dashboard;
  const isDays = figures.span.widthMs > hour;
  const series = createSeries(figures, times.now);
  const labels = labelsOf(series.starts, figures.span, times);
  const failed = [...new Set(figures.health.flatMap((each) => each.failed ?? []))];
  const charts = [...signInCharts(series, context, providerName), ...serviceCharts(series, context, failed)];
  const shown = charts.filter((chart) => !isEmpty(chart));
  return (
    <StaffPage context={context} title={title} at="/">
      <div class="head">
        <h1>{title}</h1>
        <SearchForm context={context} action={context.href("/people")} {...find} search={undefined} isBeside />
      </div>
      <Maintained context={context} maintenance={maintenance} />
      <Backlog context={context} figures={figures} />
      <PeopleSection people={figures.people} context={context} />
      <section aria-labelledby="service-title">
        <div class="head">
          <h2 id="service-title">{service}</h2>
          {spans(context, isDays)}
        </div>
        <div class="charts">
          {shown.map((chart) => (
            <Chart key={chart.id} {...chart} labels={labels} />
          ))}
          <Nothing context={context} charts={charts.filter(isEmpty)} beside={shown.length} />
        </div>
      </section>
      <p class="hint">{isDays ? bars : daysAlone}</p>
    </StaffPage>
  );
}

/** Returns the span in the address. Default: the last day. */
export const spanOf = (search: URLSearchParams) => (search.get("span") === "30d" ? lastMonth : lastDay);
