import { count } from "./findings.ts";
import type { Cost } from "./ground.loads.ts";
import type { Table } from "./ground.ts";

/** What an operator would have to know of the people, and here is assumed. */
const assumed = {
  /** The share of all who are there at once when most are. */
  atOnce: 0.01,
  secondsBetweenChecks: 10,
  secondsBetweenVisits: 60,
  secondsBetweenRefreshes: 900,
  daysBetweenSignIns: 14,
  mailsOfASignIn: 0.2,
  entriesOfASignIn: 1.3,
  /** How often what is on average is reached when most are there. */
  peak: 3,
  peakOfSignIns: 5,
} as const;
const secondsOfADay = 86_400;
const gigabyte = 1e9;
const about = (value: number): string => count(Number(value.toPrecision(3)));

type Costs = Readonly<Record<"login" | "refresh" | "check" | "visit" | "mail", Cost>>;

/** Reckons from measured costs what `people` people take of machines. Returns lines of two tables, with the assumptions between. */
export function onPaper(people: number, costs: Costs, bytes: Readonly<Record<Table, number>>): string[] {
  const atOnce = people * assumed.atOnce;
  const signIns = people / (assumed.daysBetweenSignIns * secondsOfADay);
  const visits = atOnce / assumed.secondsBetweenVisits;
  const kinds = [
    { kind: "check", words: "checks", busiest: atOnce / assumed.secondsBetweenChecks - visits, peak: assumed.peak },
    { kind: "visit", words: "checks that keep the time of the visit", busiest: visits, peak: assumed.peak },
    {
      kind: "refresh",
      words: "refreshes",
      busiest: atOnce / assumed.secondsBetweenRefreshes,
      peak: assumed.peak,
    },
    { kind: "login", words: "sign-ins", busiest: signIns * assumed.peakOfSignIns, peak: assumed.peakOfSignIns },
    {
      kind: "mail",
      words: "mails",
      busiest: signIns * assumed.peakOfSignIns * assumed.mailsOfASignIn,
      peak: assumed.peakOfSignIns,
    },
  ] as const;
  const cores = (part: "serviceMicros" | "databaseMicros", of: readonly (typeof kinds)[number][]): string =>
    of.reduce((sum, { kind, busiest }) => sum + (busiest * costs[kind][part]) / 1e6, 0).toFixed(1);
  const aDay = (figure: "writtenBytes" | "transactions"): number =>
    kinds.reduce((sum, { kind, busiest, peak }) => sum + (busiest / peak) * costs[kind][figure] * secondsOfADay, 0);
  const entries = signIns * assumed.entriesOfASignIn * secondsOfADay;
  const kept = (words: string, rows: number, each: number): string =>
    `| ${words} | ${about(rows)} | ${count(each)} | ${about((rows * each) / gigabyte)} GB |`;
  return [
    `| of ${count(people)} people | a second on average | at the busiest | cores of the service | cores of the database |`,
    "|---|---|---|---|---|",
    ...kinds.map((of) =>
      [
        `| ${of.words}`,
        about(of.busiest / of.peak),
        about(of.busiest),
        cores("serviceMicros", [of]),
        `${cores("databaseMicros", [of])} |`,
      ].join(" | "),
    ),
    `| together | | | ${cores("serviceMicros", kinds)} | ${cores("databaseMicros", kinds)} |`,
    "",
    `Assumed: ${count(atOnce)} people at once at the busiest, ${assumed.peak} times the average, each of whom asks every ${assumed.secondsBetweenChecks} seconds; everybody signs in every ${assumed.daysBetweenSignIns} days, ${assumed.peakOfSignIns} times as often at the busiest; a mail for every ${1 / assumed.mailsOfASignIn} sign-ins, and ${assumed.entriesOfASignIn} rows of the audit log for each.`,
    "",
    "| kept | rows | bytes | together |",
    "|---|---|---|---|",
    kept("people", people, bytes.users),
    kept("sessions, one each", people, bytes.auth_sessions),
    kept("the audit log, a day of it", entries, bytes.audit_events),
    kept("the audit log, a year (`AUDIT_RETENTION=8760h`)", entries * 365, bytes.audit_events),
    kept("the audit log, 90 days (`AUDIT_RETENTION=2160h`)", entries * 90, bytes.audit_events),
    "",
    `What is written ahead of it makes ${about(aDay("writtenBytes") / gigabyte)} GB a day, and uses up ${about(aDay("transactions") / 1e6)} million transaction ids.`,
  ];
}
