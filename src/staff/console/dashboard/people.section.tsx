/** @jsxImportSource #html */
import { factorBits } from "../../../auth/index.ts";
import { dayOf, type Millis } from "../../../core/clock.ts";
import { lastMonth, type DayCount, type Figures } from "../../../figures/index.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "../../frame/context.ts";
import { percent } from "./axis.ts";
import { Chart } from "./chart.tsx";
import { labelsOf } from "./labels.ts";

interface PeopleProps {
  readonly people: Figures["people"];
  readonly context: StaffContext;
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
function kindsOf(factors: Figures["people"]["factors"], { words, speech }: StaffContext): string {
  const withBit = (bit: number): number =>
    factors.reduce((sum, { bits, accounts }) => (bits % (2 * bit) >= bit ? sum + accounts : sum), 0);
  const { withPasskey, withApp } = words.dashboard.people;
  const [passkeys, apps] = [withBit(factorBits.passkey), withBit(factorBits.totp)];
  const kinds = [
    ...(passkeys > 0 ? [withPasskey({ number: passkeys })] : []),
    ...(apps > 0 ? [withApp({ number: apps })] : []),
  ];
  return new Intl.ListFormat(speech.language, { type: "unit" }).format(kinds);
}

const Numbers = ({ people, context }: PeopleProps) => {
  const { times, words, count } = context;
  const said = words.dashboard.people;
  const { accounts, factors, made, lastSeen, since } = people;
  const today = dayOf(times.now);
  const month = sumSince(lastSeen, since);
  const proven = factors.reduce((sum, each) => (each.bits === 0 ? sum : sum + each.accounts), 0);
  return (
    <dl class="numbers">
      <Figure name={said.accounts} value={count(accounts)}>
        {said.made({ today: sumSince(made, today), month: sumSince(made, since) })}
      </Figure>
      <Figure name={said.activeToday} value={count(sumSince(lastSeen, today))}>
        {said.sinceMidnight}
      </Figure>
      <Figure name={said.activeMonth} value={count(month)}>
        {said.ofAll({ share: percent(month, accounts) })}
      </Figure>
      <Figure name={said.factors} value={percent(proven, accounts)}>
        {proven === 0 ? said.noFactors : said.withFactors({ count: proven, kinds: kindsOf(factors, context) })}
      </Figure>
    </dl>
  );
};

/** What each number means, for those who want to know. */
const Meanings = ({ context: { words } }: Pick<PeopleProps, "context">) => (
  <details class="more">
    <summary>{words.dashboard.people.counted}</summary>
    <dl>
      {Object.values(words.dashboard.people.meanings).map(({ name, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </details>
);

/** How many accounts there are, and how many people come, over the last month. */
export function PeopleSection({ people, context }: PeopleProps) {
  const { times, words, count } = context;
  const said = words.dashboard.people;
  const { since, active, made, countedSince } = people;
  const starts = Array.from({ length: lastMonth.bars }, (_, index) => since + index * lastMonth.widthMs);
  const labels = labelsOf(starts, lastMonth, times);
  const barsOf = (days: readonly DayCount[]): readonly number[] =>
    starts.map((start) => days.find(({ at }) => at === start)?.accounts ?? 0);
  const [comers, newcomers] = [barsOf(active), barsOf(made)];
  return (
    <section aria-labelledby="people-title">
      <h2 id="people-title">{said.title}</h2>
      <div class="charts">
        <div class="card">
          <Numbers people={people} context={context} />
          <Meanings context={context} />
        </div>
        <Chart
          context={context}
          id="active"
          title={said.active.title}
          sum={said.active.sum({ number: count(Math.max(...comers)) })}
          labels={labels}
          series={[{ name: said.active.name, tone: "accent", values: comers }]}
          empty={said.active.empty}
        >
          {countedSince !== undefined && (
            <p class="hint">{said.active.since({ day: labelsOf([countedSince], lastMonth, times).join("") })}</p>
          )}
        </Chart>
        <Chart
          context={context}
          id="new"
          title={said.newcomers.title}
          sum={said.newcomers.sum({ count: sumSince(made, since) })}
          labels={labels}
          series={[{ name: said.newcomers.name, tone: "accent", values: newcomers }]}
          empty={said.newcomers.empty}
        />
      </div>
    </section>
  );
}
