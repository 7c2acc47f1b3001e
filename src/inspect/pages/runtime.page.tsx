/** @jsxImportSource #html */
import type { Children } from "../../http/pages/jsx-runtime.ts";
import type { Runtime } from "./runtime.ts";
import { Page, type Frame } from "./frame.tsx";
import { bytes, Moment } from "./parts.tsx";

interface RuntimeProps {
  readonly frame: Frame;
  readonly runtime: Runtime;
}

interface TableProps<T> {
  readonly id: string;
  readonly title: string;
  readonly part: { readonly items: readonly T[]; readonly error?: string };
  readonly columns: readonly string[];
  readonly empty: string;
  readonly row: (item: T) => readonly Children[];
}

const Table = <T,>({ id, title, part, columns, empty, row }: TableProps<T>) => (
  <section aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {part.error !== undefined && <p class="complaint">{part.error}</p>}
    {part.error === undefined && part.items.length === 0 && <p class="soft">{empty}</p>}
    {part.items.length > 0 && (
      <div class="scroll" tabindex={0} role="region" aria-labelledby={id}>
        <table class={columns.length > 2 ? "stacked" : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {part.items.map((item, index) => (
              <tr key={index}>
                {row(item).map((cell, at) => (
                  <td key={at} data-column={columns[at]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
  </section>
);

const State = ({ good, children }: { readonly good: boolean; readonly children: Children }) => (
  <span class={`status ${good ? "fine" : "broken"}`}>{children}</span>
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

export const RuntimePage = ({ frame, runtime }: RuntimeProps) => (
  <Page frame={frame} title="Runtime" at="runtime">
    <h1>Runtime</h1>
    <dl class="facts">
      {Object.entries({
        version: `${runtime.version} (${runtime.revision})`,
        runtime: runtime.runtime,
        environment: runtime.env,
        process: String(runtime.pid),
        maintenance: maintenanceOf(runtime.maintenance),
        "maintenance driver": runtime.maintenance.driver,
        "mail driver": runtime.mail.driver,
        inspects: inspectsOf(runtime.inspects),
      }).map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div>
        <dt>started</dt>
        <dd>
          <Moment at={runtime.started_at} />
        </dd>
      </div>
    </dl>
    <Table
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
    <Table
      id="queues"
      title="Queues"
      part={runtime.queues}
      columns={["Name", "Driver", "Ready", "Delayed", "In hand", "Failed"]}
      empty="There are no queues."
      row={({ name, driver, ready, delayed, leased, dead }) => [
        name,
        driver,
        ...[ready, delayed, leased, dead].map((count) => count ?? "–"),
      ]}
    />
    <Table
      id="failed-jobs"
      title="Failed jobs"
      part={runtime.failed_jobs}
      columns={["Job", "Queue", "Attempts", "Failed", "Error", ""]}
      empty="No job has failed for good."
      row={({ id, name, queue, attempts, failed_at: at, error }) => [
        name,
        queue,
        attempts,
        <Moment at={at} />,
        error,
        <form method="post" action={`/lighthouse/jobs/${id}/retry`}>
          <input type="hidden" name="csrf" value={frame.csrf} />
          <button aria-label={`Retry ${name}`}>Retry</button>
        </form>,
      ]}
    />
    <Table
      id="schedules"
      title="Schedules"
      part={runtime.schedules}
      columns={["Name", "Cron (UTC)", "Next run"]}
      empty="There are no schedules."
      row={({ name, cron, next_run_at: at }) => [name, <code>{cron}</code>, <Moment at={at} />]}
    />
    <Table
      id="migrations"
      title="Migrations"
      part={runtime.migrations}
      columns={["Id", "Kind", "State"]}
      empty="There are no migrations."
      row={({ id, kind, state }) => [id, kind, <State good={state === "applied"}>{state}</State>]}
    />
    <Table
      id="routes"
      title="Routes"
      part={runtime.routes}
      columns={["Method", "Path"]}
      empty="There are no routes."
      row={({ method, path }) => [method, <code>{path}</code>]}
    />
  </Page>
);
