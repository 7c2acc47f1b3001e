/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { Inspect, InspectEvent, InspectSummary } from "../record/inspect.ts";
import { inWords } from "./reasons.ts";
import { Page, type PageContext } from "./page.tsx";
import { duration, Facts, Moment, Records, Source, span, Status } from "./parts.tsx";

interface InspectProps {
  readonly context: PageContext;
  readonly inspect: Inspect;
  /** All inspects of the same trace, including this one. */
  readonly trace: readonly InspectSummary[];
  /** The apps whose inspects are shown. */
  readonly apps: readonly string[];
}

const chartWidth = 1_000;
/** The width of an event that took no time, which still has to be visible. */
const narrowestBar = 4;
const longestStatement = 160;

/** Draws an event on a line as long as the whole inspect. An inline style in place of the picture would need a laxer policy. */
function Bar({ event, totalMs }: { readonly event: InspectEvent; readonly totalMs: number }) {
  const scale = chartWidth / Math.max(totalMs, 0.001);
  const x = Math.min(event.offset_ms * scale, chartWidth - narrowestBar);
  const width = Math.min(Math.max((event.duration_ms ?? 0) * scale, narrowestBar), chartWidth - x);
  return (
    <svg class="bar" viewBox={`0 0 ${chartWidth} 10`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="track" x="0" y="4.5" width={chartWidth} height="1" />
      <rect class="span" x={x.toFixed(1)} y="1" width={width.toFixed(1)} height="8" rx="2" />
    </svg>
  );
}

function textOf(key: string, value: unknown): string {
  if (typeof value === "number" && key.endsWith("_ms") && value >= 1_000) return `${value} (${span(value)})`;
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

const shortened = (text: string): string =>
  text.length > longestStatement ? `${text.slice(0, longestStatement)}…` : text;

/** Returns the program's words about an event, and the meaning of its reason. */
function messageOf({ kind, message, attributes }: InspectEvent) {
  const sql = attributes["sql"];
  if (kind === "query")
    return (
      <>
        {message} <code class="sql">{shortened([sql].flat().join("; "))}</code>
      </>
    );
  const outcome = attributes["auth_outcome"];
  const reason = attributes["auth_reason"];
  if (kind !== "auth" || typeof outcome !== "string" || typeof reason !== "string") return message;
  return (
    <>
      <code>{outcome}</code> <code>{reason}</code> {inWords(reason)}
    </>
  );
}

const Event = ({ event, totalMs }: { readonly event: InspectEvent; readonly totalMs: number }) => (
  <li class={`step kind-${event.kind} level-${event.level}`}>
    <span class="offset">{`+${duration(event.offset_ms)}`}</span>
    <span class="kind">{event.kind}</span>
    <div class="said">
      <strong>{event.name}</strong> <span>{messageOf(event)}</span>
      {Object.keys(event.attributes).length > 0 && (
        <details>
          <summary>Attributes</summary>
          <dl class="attributes">
            {Object.entries(event.attributes).map(([key, value]) => (
              <div key={key}>
                <dt>{key}</dt>
                <dd>
                  <pre>{textOf(key, value)}</pre>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </div>
    <span class="took">{event.duration_ms === null ? "" : duration(event.duration_ms)}</span>
    <Bar event={event} totalMs={totalMs} />
  </li>
);

/** Links to all inspects of an account. */
const Account = ({ userId }: { readonly userId: string }) => (
  <a href={`/lighthouse?user=${encodeURIComponent(userId)}`}>{userId}</a>
);

const factsOf = ({ trace_id, parent_id, instance, app, user_ids, labels, id }: Inspect): [string, Children][] => [
  ...Object.entries(labels).flatMap(([key, value]): [string, string | number][] =>
    value === null || value === "" ? [] : [[key.replaceAll("_", " "), value]],
  ),
  ...user_ids.map((userId): [string, Children] => ["account", <Account key={userId} userId={userId} />]),
  ["app", app],
  ["instance", instance],
  ["trace", trace_id],
  ...(parent_id === null ? [] : [["caused by span", parent_id] satisfies [string, string]]),
  ["id", id],
];

/** Shows the recorded reason in plain words, and the client's error code where that differs. */
function Reason({ reason, code }: { readonly reason: string; readonly code: unknown }) {
  return (
    <p class="reason notice warning" role="status">
      <code>{reason}</code> {inWords(reason) ?? "A reason of another release."}
      {typeof code === "string" && code !== reason && (
        <span class="soft">
          {" The client was told "}
          <code>{code}</code>.
        </span>
      )}
    </p>
  );
}

const Waterfall = ({ events, events_dropped: dropped, duration_ms: totalMs }: Inspect) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    {events.length === 0 ? (
      <p class="soft">Nothing happened on the way.</p>
    ) : (
      <ol class="waterfall">
        {events.map((event) => (
          <Event key={event.seq} event={event} totalMs={totalMs} />
        ))}
      </ol>
    )}
    {dropped > 0 && <p class="soft">{`${dropped} more events did not fit.`}</p>}
  </section>
);

export const InspectPage = ({ context, inspect, trace, apps }: InspectProps) => (
  <Page context={context} title={inspect.name} at="inspects">
    <div class="heading">
      <h1>{inspect.name}</h1>
      <Source source={inspect.source} />
      <Status inspect={inspect} />
    </div>
    <p class="soft">
      <Moment at={inspect.started_at} /> · {duration(inspect.duration_ms)}
      {trace.length > 1 && (
        <>
          {" · "}
          <a href="#trace">{`${trace.length} of the same trace`}</a>
        </>
      )}
    </p>
    {inspect.reason !== null && <Reason reason={inspect.reason} code={inspect.labels["code"]} />}
    <Waterfall {...inspect} />
    <section aria-labelledby="facts">
      <h2 id="facts">Facts</h2>
      <Facts facts={factsOf(inspect)} />
    </section>
    <section aria-labelledby="trace">
      <div class="heading">
        <h2 id="trace">Same trace</h2>
        <a href={`/lighthouse?trace_id=${inspect.trace_id}`}>Show it in the list</a>
      </div>
      <Records
        inspects={trace}
        apps={apps}
        caption="Inspects of the same trace, the latest first"
        current={inspect.id}
      />
    </section>
  </Page>
);
