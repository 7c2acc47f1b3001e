/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Pairs } from "../../http/pages/parts/list.tsx";
import type { InspectSummary } from "../record/inspect.ts";
import { inWords } from "./reasons.ts";

/** Writes a duration: `940 µs`, `12.3 ms`, `4.20 s`. */
export function duration(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} µs`;
  if (ms < 100) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(2)} s`;
}

/** Writes a lifetime as it was configured: `15 min`, `720 h`. */
export function span(ms: number): string {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : duration(ms);
}

export function bytes(count: number): string {
  if (count < 1024) return `${count} B`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

/** A value with more characters than this gets the room of two. */
const longestText = 40;

/** Facts about one thing, each with its name. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [label: string, value: Children])[] }) => (
  <Pairs
    class="facts"
    pairs={facts.map(([label, value]) => [
      label,
      value,
      typeof value === "string" && value.length > longestText ? "long" : undefined,
    ])}
  />
);

const dayOf = (at: string): string => at.slice(0, 10);

/** The time of a day, in UTC. */
const Time = ({ at }: { readonly at: string }) => (
  <time datetime={at} title={at}>
    {at.slice(11, 23)}
  </time>
);

/** Day and time to the second, in UTC. */
export const Moment = ({ at }: { readonly at: string }) => (
  <time datetime={at} title={at}>{`${dayOf(at)} ${at.slice(11, 19)} UTC`}</time>
);

type Tone = "good" | "warning" | "danger";

/** Red marks what somebody has to look at. A refusal gets another colour: it is the service at work. */
const toneOf = ({ failed, source, status }: InspectSummary): Tone =>
  !failed ? "good" : source === "http" && status.startsWith("4") ? "warning" : "danger";

export const Status = ({ inspect }: { readonly inspect: InspectSummary }) => (
  <span class={`tag ${toneOf(inspect)}`}>{inspect.status}</span>
);

export const Source = ({ source }: Pick<InspectSummary, "source">) => <span class="tag plain">{source}</span>;

const Why = ({ reason }: { readonly reason: string | null }) =>
  reason === null ? null : (
    <span class="why">
      <code>{reason}</code> {inWords(reason)}
    </span>
  );

/** The path of a request, where its name holds only the route's pattern. */
function Path({ inspect: { name, labels } }: { readonly inspect: InspectSummary }) {
  const path = labels["path"];
  return typeof path !== "string" || name.endsWith(` ${path}`) ? null : <code class="path">{path}</code>;
}

interface RecordsProps {
  readonly inspects: readonly InspectSummary[];
  /** The apps that the inspects may belong to. Where there is more than one, each inspect names its app. */
  readonly apps: readonly string[];
  readonly caption: string;
  /** The id of the inspect that the page shows. */
  readonly current?: string;
}

export const Records = ({ inspects, apps, caption, current }: RecordsProps) => (
  <div class="table">
    <table class="cards records">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          {apps.length > 1 && <th scope="col">App</th>}
          <th scope="col">Source</th>
          <th scope="col">Status</th>
          <th scope="col">Name</th>
          <th scope="col" class="number">
            Duration
          </th>
          <th scope="col" class="number">
            Events
          </th>
        </tr>
      </thead>
      <tbody>
        {inspects.map((inspect, index) => (
          <tr key={inspect.id} class={inspect.id === current ? "current" : undefined}>
            <td class="when">
              {dayOf(inspects[index - 1]?.started_at ?? "") !== dayOf(inspect.started_at) && (
                <span class="day">{dayOf(inspect.started_at)}</span>
              )}{" "}
              <Time at={inspect.started_at} />
            </td>
            {apps.length > 1 && (
              <td>
                <span class="tag plain">{inspect.app}</span>
              </td>
            )}
            <td>
              <Source source={inspect.source} />
            </td>
            <td>
              <Status inspect={inspect} />
            </td>
            <td class="what">
              <a href={`/lighthouse/inspects/${inspect.id}`} aria-current={inspect.id === current ? "true" : undefined}>
                {inspect.name}
              </a>
              <Path inspect={inspect} />
              <Why reason={inspect.reason} />
            </td>
            <td class="number">{duration(inspect.duration_ms)}</td>
            <td class="number">{inspect.event_count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
