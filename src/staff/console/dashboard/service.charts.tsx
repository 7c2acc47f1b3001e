/** @jsxImportSource #html */
import { reasonInWords } from "../../../audit/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { around } from "../../../words/index.ts";
import type { ChartProps, Series } from "./chart.tsx";
import { shares, sumOf, type Counted } from "./series.ts";
import { RowsLink, Ways } from "./ways.tsx";

export type ChartOf = Omit<ChartProps, "labels">;

interface ReasonsProps {
  readonly context: StaffContext;
  readonly reasons: readonly { readonly reason: string; readonly events: number }[];
}

const Reasons = ({ context, reasons }: ReasonsProps) =>
  reasons.length === 0 ? null : (
    <ul class="reasons">
      {reasons.slice(0, 6).map(({ reason, events }) => (
        <li key={reason}>
          <RowsLink context={context} action="auth.login-failed" reason={reason}>
            {reasonInWords(reason, context.words.reasons)}
          </RowsLink>{" "}
          <span class="count">{context.count(events)}</span>
        </li>
      ))}
    </ul>
  );

/** Returns the charts of how people come in, and how they do not. */
export function signInCharts(
  counted: Counted,
  context: StaffContext,
  providerName: (provider: string) => string,
): readonly ChartOf[] {
  const { signIns, refused, locks } = context.words.dashboard;
  const { events, reasons } = counted;
  const [signedIn, registered, failed] = [
    events("auth.logged-in"),
    events("auth.registered"),
    events("auth.login-failed"),
  ];
  const [locked, blocked] = [events("auth.locked"), events("auth.logins-blocked")];
  return [
    {
      context,
      id: "sign-ins",
      title: signIns.title,
      sum: signIns.sum({
        signIns: signIns.signIns({ count: sumOf(signedIn) }),
        registrations: signIns.registrations({ count: sumOf(registered) }),
      }),
      series: [
        { name: signIns.signedIn, tone: "accent", values: signedIn },
        { name: signIns.registered, tone: "soft", values: registered },
      ],
      children: <Ways context={context} ways={reasons("auth.logged-in")} providerName={providerName} />,
      empty: signIns.empty,
    },
    {
      context,
      id: "refused",
      title: refused.title,
      sum: refused.sum({ count: sumOf(failed) }),
      series: [{ name: refused.name, tone: "warning", values: failed }],
      children: <Reasons context={context} reasons={reasons("auth.login-failed")} />,
      empty: refused.empty,
    },
    {
      context,
      id: "locks",
      title: locks.title,
      sum: locks.sum({ count: sumOf(locked, blocked) }),
      series: [
        { name: locks.locked, tone: "warning", values: locked },
        { name: locks.blocked, tone: "danger", values: blocked },
      ],
      empty: locks.empty,
    },
  ];
}

function mails(counted: Counted, context: StaffContext): ChartOf {
  const { title, names, sums, empty } = context.words.dashboard.mails;
  const kinds = [
    { state: "sent", tone: "good" },
    { state: "withheld", tone: "soft" },
    { state: "refused", tone: "warning" },
    { state: "gave_up", tone: "danger" },
  ] as const;
  const series = kinds.map(({ state, tone }) => ({ state, name: names[state], tone, values: counted.mails(state) }));
  const parts = series.flatMap(({ state, values }) => {
    const sum = sumOf(values);
    return state === "sent" || sum > 0 ? [sums[state]({ count: sum })] : [];
  });
  const sum = new Intl.ListFormat(context.speech.language, { type: "unit" }).format(parts);
  return { context, id: "mails", title, sum, series, empty };
}

function jobs(counted: Counted, context: StaffContext): ChartOf {
  const said = context.words.dashboard.jobs;
  const [waiting, dead] = [counted.mostWaiting(), counted.mostDead()];
  const count = Math.max(0, ...dead);
  const kept = count === 0 ? said.noneFailed : said.failed({ count });
  const due = said.due({ count: Math.max(0, ...waiting) });
  return {
    context,
    id: "jobs",
    title: said.title,
    sum: (
      <>
        {around(({ failed }) => said.sum({ due, failed }), {
          failed: context.may("jobs.see") ? <a href={context.href("/jobs#failed")}>{kept}</a> : kept,
        })}
      </>
    ),
    series: [
      { name: said.waiting, tone: "accent", values: waiting },
      { name: said.dead, tone: "danger", values: dead },
    ],
    empty: said.empty,
  };
}

function readiness(counted: Counted, context: StaffContext, failed: readonly string[]): ChartOf {
  const said = context.words.dashboard.readiness;
  const looks: readonly Series[] = [
    { name: said.ready, tone: "good", values: counted.ready() },
    { name: said.notReady, tone: "danger", values: counted.notReady() },
    { name: said.unseen, tone: "soft", values: counted.unseen() },
  ];
  const [ready = 0, notReady = 0] = looks.map(({ values }) => sumOf(values));
  return {
    context,
    id: "readiness",
    title: said.title,
    sum: notReady === 0 ? said.always : said.partly({ number: ready, count: ready + notReady }),
    series: shares(looks),
    top: 1,
    write: (share) => `${Math.round(share * 100)} %`,
    children: (
      <p class="hint">
        {said.hint}
        {failed.length > 0 && ` ${said.failed({ checks: failed.join("; ") })}`}
      </p>
    ),
    empty: said.empty,
  };
}

/** Returns the charts of how the service itself does. */
export const serviceCharts = (
  counted: Counted,
  context: StaffContext,
  failed: readonly string[],
): readonly ChartOf[] => [mails(counted, context), jobs(counted, context), readiness(counted, context, failed)];
