/** @jsxImportSource #html */
import { factorBits } from "../../../auth/index.ts";
import { dayOf, type Millis } from "../../../core/clock.ts";
import { lastMonth, type DayCount, type Figures } from "../../../figures/index.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import type { Times } from "../../../kit/index.ts";
import { count, percent, plainly } from "./axis.ts";
import { Chart } from "./chart.tsx";
import { labelsOf } from "./labels.ts";

interface PeopleProps {
  readonly people: Figures["people"];
  readonly times: Times;
}

const sumSince = (days: readonly DayCount[], since: Millis): number =>
  days.reduce((sum, { at, accounts }) => (at >= since ? sum + accounts : sum), 0);

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly children: Children;
}

const Figure = ({ name, value, children }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span class="value">{value}</span>
      <span class="hint">{children}</span>
    </dd>
  </div>
);

/** Says of which kind the second factors are. */
function kindsOf(factors: Figures["people"]["factors"]): string {
  const withBit = (bit: number): number =>
    factors.reduce((sum, { bits, accounts }) => (bits % (2 * bit) >= bit ? sum + accounts : sum), 0);
  const [passkeys, apps] = [withBit(factorBits.passkey), withBit(factorBits.totp)];
  const kinds = [
    passkeys > 0 && `${plainly(passkeys)} with a passkey`,
    apps > 0 && `${plainly(apps)} with an authenticator app`,
  ];
  return kinds.filter((kind) => kind !== false).join(", ");
}

const Numbers = ({ people, times }: PeopleProps) => {
  const { accounts, factors, made, lastSeen, since } = people;
  const today = dayOf(times.now);
  const month = sumSince(lastSeen, since);
  const proven = factors.reduce((sum, each) => (each.bits === 0 ? sum : sum + each.accounts), 0);
  return (
    <dl class="numbers">
      <Figure name="Accounts" value={plainly(accounts)}>
        {plainly(sumSince(made, today))} made today, {plainly(sumSince(made, since))} in the last 30 days
      </Figure>
      <Figure name="People active today" value={plainly(sumSince(lastSeen, today))}>
        since midnight in UTC
      </Figure>
      <Figure name="People active in the last 30 days" value={plainly(month)}>
        {percent(month, accounts)} of all accounts
      </Figure>
      <Figure name="Accounts with a second factor" value={percent(proven, accounts)}>
        {proven === 0 ? "no account has one yet" : `${count(proven, "account")}: ${kindsOf(factors)}`}
      </Figure>
    </dl>
  );
};

/** What each number means, for those who want to know. */
const Meanings = () => (
  <details class="more">
    <summary>What is counted</summary>
    <dl>
      <div>
        <dt>Accounts</dt>
        <dd>All that exist, disabled ones too. Deleted accounts do not count.</dd>
      </div>
      <div>
        <dt>Active</dt>
        <dd>
          Different people who signed in, or whose browser or app used their session, in the app or here. Who comes
          twenty times a day is one, and who comes on ten days of a month is one of that month. Programs and scripts
          that call in somebody's name do not count.
        </dd>
      </div>
      <div>
        <dt>New</dt>
        <dd>Accounts by the day on which they were made, by whoever. An imported account brings its own day.</dd>
      </div>
      <div>
        <dt>Second factor</dt>
        <dd>A passkey or an authenticator app. A passkey counts also where somebody signs in with nothing else.</dd>
      </div>
    </dl>
  </details>
);

/** How many accounts there are, and how many people come, over the last month. */
export function PeopleSection({ people, times }: PeopleProps) {
  const { since, active, made, countedSince } = people;
  const starts = Array.from({ length: lastMonth.bars }, (_, index) => since + index * lastMonth.widthMs);
  const labels = labelsOf(starts, lastMonth, times.zone);
  const barsOf = (days: readonly DayCount[]): readonly number[] =>
    starts.map((start) => days.find(({ at }) => at === start)?.accounts ?? 0);
  const [comers, newcomers] = [barsOf(active), barsOf(made)];
  return (
    <section aria-labelledby="people-title">
      <h2 id="people-title">People</h2>
      <div class="charts">
        <div class="card">
          <Numbers people={people} times={times} />
          <Meanings />
        </div>
        <Chart
          id="active"
          title="Active people by day"
          sum={`at most ${plainly(Math.max(...comers))} on one day`}
          labels={labels}
          series={[{ name: "Active people", tone: "accent", values: comers }]}
          empty="Nobody came in the last 30 days. Here will be how many do on each day."
        >
          {countedSince !== undefined && (
            <p class="hint">
              Counted since {labelsOf([countedSince], lastMonth, times.zone)}. Of earlier days only people show who have
              not come since.
            </p>
          )}
        </Chart>
        <Chart
          id="new"
          title="New accounts by day"
          sum={count(sumSince(made, since), "new account")}
          labels={labels}
          series={[{ name: "New accounts", tone: "accent", values: newcomers }]}
          empty="No account was made in the last 30 days. Here will be how many are on each day."
        />
      </div>
    </section>
  );
}
