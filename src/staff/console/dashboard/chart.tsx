/** @jsxImportSource #html */
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import type { StaffContext } from "../../frame/context.ts";
import { niceTop, ticksBelow } from "./axis.ts";

/** The meaning of a colour; a word beside it says the same. */
type Tone = "accent" | "good" | "warning" | "danger" | "soft";

export interface Series {
  readonly name: string;
  readonly tone: Tone;
  /** One value for each bar, in the order of time. */
  readonly values: readonly number[];
}

export interface ChartProps {
  readonly context: Pick<StaffContext, "count" | "speech" | "words">;
  /** The end of the ids of the chart's elements. */
  readonly id: string;
  readonly title: string;
  /** The total of the whole span, in words. */
  readonly sum: Children;
  /** When each bar begins, in words. */
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** The highest value of the axis. Default: a round number no lower than the highest bar. */
  readonly top?: number;
  /** Writes a value. Default: as a whole number. */
  readonly write?: (value: number) => string;
  /** Stands below the chart. */
  readonly children?: Children;
  /** Stands in place of a chart without any bar: what is not there, and what will be. */
  readonly empty: string;
}

/** Close to the size of a chart on the page, so that its letters are as large as the text around it. */
const width = 352;
const height = 136;
const left = 48;
const bottom = 24;
const plot = { width: width - left, height: height - bottom - 8 };

interface BarProps {
  readonly series: readonly Series[];
  readonly at: number;
  readonly bars: number;
  readonly top: number;
}

function Bar({ series, at, bars, top }: BarProps) {
  const step = plot.width / bars;
  const bar = Math.max(2, step - Math.min(4, step / 4));
  let floor = height - bottom;
  return (
    <>
      {series.map(({ name, tone, values }) => {
        const value = values[at] ?? 0;
        if (value <= 0) return null;
        // A small value stays visible beside high ones.
        const tall = Math.max(1.5, (value / top) * plot.height);
        floor -= tall;
        const [x, y] = [left + at * step + (step - bar) / 2, floor];
        return (
          <rect
            key={name}
            class={`tone-${tone}`}
            x={x.toFixed(1)}
            y={y.toFixed(1)}
            width={bar.toFixed(1)}
            height={tall.toFixed(1)}
          />
        );
      })}
    </>
  );
}

const Axes = ({ top, labels, write }: { top: number; labels: readonly string[]; write: (value: number) => string }) => (
  <>
    {[0, 0.5, 1].map((part) => {
      const y = height - bottom - part * plot.height;
      return (
        <g key={part}>
          <line class="grid" x1={left} x2={width} y1={y} y2={y} />
          <text x={left - 6} y={y + 4} text-anchor="end">
            {write(top * part)}
          </text>
        </g>
      );
    })}
    {[0, Math.floor(labels.length / 2), labels.length - 1].map((at, index) => (
      <text
        key={at}
        x={[left, left + plot.width * ((at + 0.5) / labels.length), width][index]?.toFixed(1)}
        y={height - 6}
        text-anchor={index === 0 ? "start" : index === 1 ? "middle" : "end"}
      >
        {labels[at]}
      </text>
    ))}
  </>
);

/** The colours that occur. */
const Legend = ({ series }: Pick<ChartProps, "series">) => (
  <ul class="legend">
    {series.filter(hasBars).map(({ name, tone }) => (
      <li key={name}>
        <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`tone-${tone}`} width="10" height="10" rx="2" />
        </svg>
        {name}
      </li>
    ))}
  </ul>
);

interface FiguresProps extends Pick<ChartProps, "context" | "id" | "title" | "labels" | "series"> {
  readonly write: (value: number) => string;
}

const AsTable = ({ context: { words }, id, title, labels, series, write }: FiguresProps) => (
  <details class="figures">
    <summary id={`${id}-figures`}>
      {words.dashboard.chart.table}
      <span class="unseen">: {title}</span>
    </summary>
    <div class="table" tabindex={0} role="region" aria-labelledby={`${id}-figures`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.dashboard.chart.from}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, at) => (
            <tr key={at}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => (
                <td key={name} class="number">
                  {write(values[at] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </details>
);

const hasBars = ({ values }: Series): boolean => values.some((value) => value > 0);
export const isEmpty = ({ series }: Pick<ChartProps, "series">): boolean => !series.some(hasBars);

/** Bars over time, drawn by the server, with the numbers in a table for those who can't see the bars. */
export function Chart({ empty, ...props }: ChartProps) {
  const { id, title } = props;
  return (
    <section class="card chart" aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      {isEmpty(props) ? <p class="soft">{empty}</p> : <Bars {...props} />}
    </section>
  );
}

function Bars({
  context,
  id,
  title,
  sum,
  labels,
  series,
  top,
  write = context.count,
  children,
}: Omit<ChartProps, "empty">) {
  const { speech, words } = context;
  const highest = Math.max(
    ...labels.map((_, at) => series.reduce((total, { values }) => total + (values[at] ?? 0), 0)),
  );
  const axisTop = top ?? niceTop(highest);
  return (
    <>
      <p class="sum">{sum}</p>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words.dashboard.chart.alone({ title })}>
        <Axes top={axisTop} labels={labels} write={top === undefined ? ticksBelow(axisTop, speech.language) : write} />
        {labels.map((_, at) => (
          <Bar key={at} series={series} at={at} bars={labels.length} top={axisTop} />
        ))}
      </svg>
      {series.length > 1 && <Legend series={series} />}
      {children}
      <AsTable context={context} id={id} title={title} labels={labels} series={series} write={write} />
    </>
  );
}
