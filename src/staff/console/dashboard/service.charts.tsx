/** @jsxImportSource #html */
import { reasonInWords } from "../../../audit/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { count, plainly } from "./axis.ts";
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
            {reasonInWords(reason)}
          </RowsLink>{" "}
          <span class="count">{plainly(events)}</span>
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
  const { events, reasons } = counted;
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
      children: <Ways context={context} ways={reasons("auth.logged-in")} providerName={providerName} />,
      empty: "Nobody signed in or registered. Here will be how many do, and by which ways they come.",
    },
    {
      id: "refused",
      title: "Refused sign-ins",
      sum: count(sumOf(failed), "attempt"),
      series: [{ name: "Refused", tone: "warning", values: failed }],
      children: <Reasons context={context} reasons={reasons("auth.login-failed")} />,
      empty: "None was refused. Here will be how many are, and why.",
    },
    {
      id: "locks",
      title: "Locks",
      sum: count(sumOf(locked, blocked), "lock"),
      series: [
        { name: "Locked for a while", tone: "warning", values: locked },
        { name: "Blocked for unknown browsers", tone: "danger", values: blocked },
      ],
      empty: "Nobody was locked out. Here will be how often wrong passwords lock an account.",
    },
  ];
}

function mails(counted: Counted): ChartOf {
  const kinds = [
    { state: "sent", name: "Sent", tone: "good", words: "sent" },
    { state: "withheld", name: "Held back", tone: "soft", words: "held back" },
    { state: "refused", name: "Refused by the relay", tone: "warning", words: "refused by the relay" },
    { state: "gave_up", name: "Given up", tone: "danger", words: "given up" },
  ] as const;
  const series = kinds.map(({ state, ...kind }) => ({ ...kind, values: counted.mails(state) }));
  const [sent = 0, ...rest] = series.map(({ values }) => sumOf(values));
  const unsent = series.slice(1).flatMap(({ words }, at) => (rest[at] ? [`${plainly(rest[at])} ${words}`] : []));
  return {
    id: "mails",
    title: "Mails",
    sum: [`${count(sent, "mail")} sent`, ...unsent].join(", "),
    series,
    empty: "No mail was sent. Here will be how many are, and how many could not be.",
  };
}

function jobs(counted: Counted, context: StaffContext): ChartOf {
  const [waiting, dead] = [counted.mostWaiting(), counted.mostDead()];
  const failed = Math.max(0, ...dead);
  const kept = failed === 0 ? "no failed job" : count(failed, "failed job");
  return {
    id: "jobs",
    title: "Jobs",
    sum: (
      <>
        at most {count(Math.max(0, ...waiting), "job")} due at once,{" "}
        {context.may("jobs.see") ? <a href={context.href("/jobs#failed")}>{kept}</a> : kept}
      </>
    ),
    series: [
      { name: "Due, most at once", tone: "accent", values: waiting },
      { name: "Failed, kept", tone: "danger", values: dead },
    ],
    empty: "None waited, and none failed. Here will be how many do.",
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
    sum: `ready ${notReady === 0 ? "each time" : `${plainly(ready)} of ${count(seen, "time")}`} that it was looked at`,
    series: shares(looks),
    top: 1,
    write: (share) => `${Math.round(share * 100)} %`,
    children: (
      <p class="hint">
        The app is looked at every five minutes by the process that runs the schedules. A look that is missing says that
        this process was not up, or had no database.{failed.length > 0 && ` Failed last: ${failed.join("; ")}.`}
      </p>
    ),
    empty:
      "Nobody has looked yet. The process that runs the schedules looks every five minutes whether the app is ready. Here will be how often it was.",
  };
}

/** Returns the charts of how the service itself does. */
export const serviceCharts = (
  counted: Counted,
  context: StaffContext,
  failed: readonly string[],
): readonly ChartOf[] => [mails(counted), jobs(counted, context), readiness(counted, failed)];
