/** @jsxImportSource #html */
import { Notice } from "../../../http/pages/parts/form.tsx";
import { reasonInWords } from "../../../audit/index.ts";
import { hour, type Millis } from "../../../core/clock.ts";
import { lastDay, lastMonth, type Figures } from "../../../figures/index.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Facets } from "../../../http/pages/parts/list.tsx";
import type { MaintenanceView } from "../../../maintenance/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Moment } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { Chart, type ChartProps, type Series } from "./chart.tsx";
import { createSeries, shares, sumOf } from "./series.ts";

interface DashboardProps {
  readonly context: StaffContext;
  readonly figures: Figures;
  readonly maintenance: readonly MaintenanceView[];
}

const count = (value: number, one: string): string => `${value.toLocaleString("en")} ${one}${value === 1 ? "" : "s"}`;

/** Writes hours in the reader's zone, but days in UTC, by which they are counted. */
function labelsOf(starts: readonly Millis[], isDays: boolean, zone: string): readonly string[] {
  const format = new Intl.DateTimeFormat(
    "en-GB",
    isDays
      ? { timeZone: "UTC", day: "numeric", month: "short" }
      : { timeZone: zone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  );
  return starts.map((start) => format.format(start));
}

interface ReasonsProps {
  readonly context: StaffContext;
  readonly reasons: readonly { readonly reason: string; readonly events: number }[];
}

const Reasons = ({ context, reasons }: ReasonsProps) =>
  reasons.length === 0 ? null : (
    <ul class="reasons">
      {reasons.slice(0, 6).map(({ reason, events }) => (
        <li key={reason}>
          {context.may("audit.see") ? (
            <a href={context.href(`/audit?action=auth.login-failed&reason=${encodeURIComponent(reason)}`)}>
              {reasonInWords(reason)}
            </a>
          ) : (
            reasonInWords(reason)
          )}{" "}
          <span class="count">{events.toLocaleString("en")}</span>
        </li>
      ))}
    </ul>
  );

type Counted = ReturnType<typeof createSeries>;
type ChartOf = Omit<ChartProps, "labels">;

function signIns(counted: Counted, context: StaffContext): readonly ChartOf[] {
  const { events } = counted;
  const [signedIn, registered, failed] = [
    events("auth.logged-in"),
    events("auth.registered"),
    events("auth.login-failed"),
  ];
  const [locked, blocked] = [events("auth.locked"), events("auth.logins-blocked")];
  return [
    {
      id: "sign-ins",
      title: "Sign-ins",
      sum: `${count(sumOf(signedIn), "sign-in")}, ${count(sumOf(registered), "registration")}`,
      series: [
        { name: "Signed in", tone: "accent", values: signedIn },
        { name: "Registered", tone: "soft", values: registered },
      ],
    },
    {
      id: "refused",
      title: "Refused sign-ins",
      sum: count(sumOf(failed), "attempt"),
      series: [{ name: "Refused", tone: "warning", values: failed }],
      children: <Reasons context={context} reasons={counted.reasons("auth.login-failed")} />,
    },
    {
      id: "locks",
      title: "Locks",
      sum: count(sumOf(locked, blocked), "lock"),
      series: [
        { name: "Locked for a while", tone: "warning", values: locked },
        { name: "Blocked for unknown browsers", tone: "danger", values: blocked },
      ],
    },
  ];
}

function mails(counted: Counted): ChartOf {
  const series: readonly Series[] = [
    { name: "Sent", tone: "good", values: counted.mails("sent") },
    { name: "Held back", tone: "soft", values: counted.mails("withheld") },
    { name: "Refused by the relay", tone: "warning", values: counted.mails("refused") },
    { name: "Given up", tone: "danger", values: counted.mails("gave_up") },
  ];
  const [sent = 0, ...rest] = series.map(({ values }) => sumOf(values));
  return { id: "mails", title: "Mails", sum: `${count(sent, "mail")} sent, ${count(sumOf(rest), "mail")} not`, series };
}

function jobs(counted: Counted, context: StaffContext): ChartOf {
  const [waiting, dead] = [counted.mostWaiting(), counted.mostDead()];
  const failed = count(Math.max(0, ...dead), "failed job");
  return {
    id: "jobs",
    title: "Jobs",
    sum: (
      <>
        at most {count(Math.max(0, ...waiting), "job")} due at once,{" "}
        {context.may("jobs.see") ? <a href={context.href("/jobs#failed")}>{failed}</a> : failed}
      </>
    ),
    series: [
      { name: "Due, most at once", tone: "accent", values: waiting },
      { name: "Failed, kept", tone: "danger", values: dead },
    ],
  };
}

function readiness(counted: Counted, failed: readonly string[]): ChartOf {
  const looks: readonly Series[] = [
    { name: "Ready", tone: "good", values: counted.ready() },
    { name: "Not ready", tone: "danger", values: counted.notReady() },
    { name: "Not looked at", tone: "soft", values: counted.unseen() },
  ];
  const [ready = 0, notReady = 0] = looks.map(({ values }) => sumOf(values));
  const seen = ready + notReady;
  return {
    id: "readiness",
    title: "Readiness",
    sum:
      seen === 0
        ? "not looked at yet"
        : `ready ${notReady === 0 ? "each time" : `${ready.toLocaleString("en")} of ${count(seen, "time")}`} that it was looked at`,
    series: shares(looks),
    top: 1,
    write: (share) => `${Math.round(share * 100)} %`,
    children: (
      <p class="hint">
        The app is looked at every five minutes by the process that runs the schedules. A look that is missing says that
        this process was not up, or had no database.{failed.length > 0 && ` Failed last: ${failed.join("; ")}.`}
      </p>
    ),
  };
}

const Maintained = ({ context, maintenance }: Pick<DashboardProps, "context" | "maintenance">) => (
  <>
    {maintenance
      .filter(({ on }) => on === true)
      .map(({ app }) => (
        <Notice key={app} kind="warning">
          <p>
            <strong>{app}</strong> is in maintenance: it answers every request with 503.{" "}
            <a href={context.href("/maintenance")}>See why</a>
          </p>
        </Notice>
      ))}
  </>
);

const spans = (context: StaffContext, isDays: boolean): Children => (
  <Facets
    label="Span"
    facets={[
      { label: "Last 24 hours", href: context.href("/"), isCurrent: !isDays },
      { label: "Last 30 days", href: context.href("/?span=30d"), isCurrent: isDays },
    ]}
  />
);

/** The state of the service now, and over the last day or month. */
export function DashboardPage({ context, figures, maintenance }: DashboardProps) {
  const { times } = context;
  const isDays = figures.span.widthMs > hour;
  const series = createSeries(figures, times.now);
  const labels = labelsOf(series.starts, isDays, times.zone);
  const failed = [...new Set(figures.health.flatMap((each) => each.failed ?? []))];
  return (
    <StaffPage context={context} title="Dashboard" at="/">
      <div class="head">
        <h1>Dashboard</h1>
        {spans(context, isDays)}
      </div>
      <Maintained context={context} maintenance={maintenance} />
      {figures.countedFrom > figures.since && (
        <Notice>
          <p>
            What the audit log held before it was counted is being counted:{" "}
            {figures.countedFrom > times.now ? (
              "it begins within five minutes."
            ) : (
              <>
                done back to <Moment at={figures.countedFrom} times={times} />.
              </>
            )}
          </p>
        </Notice>
      )}
      <div class="charts">
        {[...signIns(series, context), mails(series), jobs(series, context), readiness(series, failed)].map((chart) => (
          <Chart key={chart.id} {...chart} labels={labels} />
        ))}
      </div>
      {isDays && <p class="hint">A bar is a day in UTC. The last one has only begun.</p>}
    </StaffPage>
  );
}

/** Returns the span in the address. Default: the last day. */
export const spanOf = (search: URLSearchParams) => (search.get("span") === "30d" ? lastMonth : lastDay);
