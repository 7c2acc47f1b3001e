/** @jsxImportSource #html */
import { Form } from "../../http/pages/parts/form.tsx";
import type { Children } from "../../http/pages/jsx-runtime.ts";
import { Table } from "../../http/pages/parts/list.tsx";
import type { Runtime } from "./runtime.ts";
import { Page, type PageContext } from "./page.tsx";
import { bytes, Facts, Moment } from "./parts.tsx";

interface RuntimeProps {
  readonly context: PageContext;
  readonly runtime: Runtime;
}

interface PartProps<T> {
  readonly id: string;
  readonly title: string;
  readonly part: { readonly items: readonly T[]; readonly error?: string };
  readonly columns: readonly string[];
  /** The text that replaces the table where there are no items. */
  readonly actions?: string;
  readonly empty: string;
  readonly row: (item: T) => readonly Children[];
}

const Part = <T,>({ id, title, part, columns, actions, empty, row }: PartProps<T>) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {part.error !== undefined && <p class="notice danger">{part.error}</p>}
    <Table
      labelledBy={id}
      columns={columns}
      {...(actions !== undefined && { actions })}
      rows={part.items.map(row)}
      empty={part.error === undefined ? <p class="soft">{empty}</p> : false}
    />
  </section>
);

const State = ({ good, children }: { readonly good: boolean; readonly children: Children }) => (
  <span class={`tag ${good ? "good" : "danger"}`}>{children}</span>
);

function maintenanceOf({ on, reason, error }: Runtime["maintenance"]): string {
  if (error !== undefined) return `unknown: ${error}`;
  if (on === undefined) return "not available";
  return on ? `on${reason === undefined ? "" : ` (${reason})`}` : "off";
}

function inspectsOf({ recording, records = 0, bytes: size = 0, error }: Runtime["inspects"]): string {
  if (error !== undefined) return `can't be read: ${error}`;
  return recording ? `${records} kept, ${bytes(size)}` : "off";
}

const factsOf = (runtime: Runtime): readonly (readonly [string, Children])[] => [
  ["version", `${runtime.version} (${runtime.revision})`],
  ["runtime", runtime.runtime],
  ["environment", runtime.env],
  ["process", runtime.pid],
  ["maintenance", maintenanceOf(runtime.maintenance)],
  ["maintenance driver", runtime.maintenance.driver],
  ["mail driver", runtime.mail.driver],
  ["inspects", inspectsOf(runtime.inspects)],
  ["started", <Moment key="started" at={runtime.started_at} />],
];

const Queues = ({ context, runtime }: RuntimeProps) => (
  <>
    <Part
      id="queues"
      title="Queues"
      part={runtime.queues}
      columns={["Name", "Driver", "App", "Ready", "Delayed", "In hand", "Failed"]}
      empty="There are no queues."
      row={({ name, driver, app, ready, delayed, leased, dead }) => [
        name,
        driver,
        app,
        ...[ready, delayed, leased, dead].map((count) => count ?? "–"),
      ]}
    />
    <Part
      id="failed-jobs"
      title="Failed jobs"
      part={runtime.failed_jobs}
      columns={["Job", "App", "Queue", "Attempts", "Failed", "Error"]}
      actions="Actions"
      empty="No job has failed for good."
      row={({ id, app, name, queue, attempts, failed_at: at, error }) => [
        name,
        app,
        queue,
        attempts,
        <Moment at={at} />,
        error,
        <Form action={`/lighthouse/jobs/${id}/retry`} token={context.token}>
          <button aria-label={`Retry ${name}`}>Retry</button>
        </Form>,
      ]}
    />
  </>
);

export const RuntimePage = ({ context, runtime }: RuntimeProps) => (
  <Page context={context} title="Runtime" at="runtime">
    <h1>Runtime</h1>
    <Facts facts={factsOf(runtime)} />
    <Part
      id="readiness"
      title="Readiness and drivers"
      part={runtime.checks}
      columns={["Kind", "Name", "Driver", "State", "Took"]}
      empty="Nothing to check."
      row={({ type, name, driver, status, duration_ms: ms, error }) => [
        type,
        name,
        driver,
        <>
          <State good={status === "ok"}>{status}</State> {error ?? ""}
        </>,
        `${ms} ms`,
      ]}
    />
    <Queues context={context} runtime={runtime} />
    <Part
      id="schedules"
      title="Schedules"
      part={runtime.schedules}
      columns={["Name", "Cron (UTC)", "Next run"]}
      empty="There are no schedules."
      row={({ name, cron, next_run_at: at }) => [name, <code>{cron}</code>, <Moment at={at} />]}
    />
    <Part
      id="migrations"
      title="Migrations"
      part={runtime.migrations}
      columns={["Id", "Kind", "State"]}
      empty="There are no migrations."
      row={({ id, kind, state }) => [id, kind, <State good={state === "applied"}>{state}</State>]}
    />
    <Part
      id="routes"
      title="Routes"
      part={runtime.routes}
      columns={["Method", "Path"]}
      empty="There are no routes."
      row={({ method, path }) => [method, <code>{path}</code>]}
    />
  </Page>
);
