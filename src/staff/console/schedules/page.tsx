/** @jsxImportSource #html */
import type { AccountName } from "../../../auth/index.ts";
import { minute } from "../../../core/clock.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Empty, Table } from "../../../http/pages/parts/list.tsx";
import type { ScheduleState } from "../../../scheduler/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, Moment, PersonLink } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";

interface SchedulesProps {
  readonly context: StaffContext;
  readonly schedules: readonly ScheduleState[];
  readonly names: ReadonlyMap<string, AccountName>;
}

type Run = ScheduleState["runs"][number];

/** Longer than any scheduler sleeps. */
const overdueMs = minute;

function lasted(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** The outcome of a run. A run without an end is under way only while its schedule holds the lock and no later run has begun. */
function Outcome({ run: { ok, endedAt }, isRunning }: { readonly run: Run; readonly isRunning: boolean }) {
  if (ok === 1) return <span class="tag good">done</span>;
  if (ok === 0) return <span class="tag danger">failed</span>;
  return endedAt === null && isRunning ? (
    <span class="tag">running</span>
  ) : (
    <span class="tag warning" title="Its process ended before the run did.">
      cut off
    </span>
  );
}

interface ScheduleProps extends Omit<SchedulesProps, "schedules"> {
  readonly schedule: ScheduleState;
}

/** The button of a schedule: asks for a run, or withdraws the request until a scheduler has taken it. */
function Act({ context, schedule: { name, requestedAt, requestedBy }, names }: ScheduleProps) {
  const { href, token, times } = context;
  const path = `/schedules/${name}`;
  const mayRun = context.may("schedules.run");
  if (requestedAt === null)
    return !mayRun ? null : (
      <Form action={href(`${path}/run`)} token={token}>
        <button aria-label={`Run now: ${name}`}>Run now</button>
      </Form>
    );
  const isOverdue = times.now - requestedAt > overdueMs;
  return (
    <Form action={href(`${path}/withdraw`)} token={token} class="buttons">
      <p role="status">
        {requestedBy !== null && <PersonLink context={context} id={requestedBy} names={names} />} asked for a run{" "}
        <Ago at={requestedAt} times={times} />.{" "}
        {isOverdue
          ? "No scheduler has taken it: it waits for the run before it, or no process with the scheduler is up."
          : "It begins within seconds."}
      </p>
      {mayRun && <button aria-label={`Take back: ${name}`}>Take back</button>}
    </Form>
  );
}

const Runs = ({ context, schedule, names }: ScheduleProps) => {
  const { times } = context;
  const { runs, isRunning, name } = schedule;
  return (
    <details class="figures" open={runs[0]?.ok === 0}>
      <summary id={`runs-${name}`}>
        Last {runs.length} {runs.length === 1 ? "run" : "runs"}
        <span class="unseen"> of {name}</span>
      </summary>
      <Table
        labelledBy={`runs-${name}`}
        columns={["Began", "Took", "Outcome", "Asked for by", "Error"]}
        rows={runs.map((run, index) => [
          <Moment at={run.startedAt} times={times} />,
          run.endedAt === null ? "–" : lasted(run.endedAt - run.startedAt),
          <Outcome run={run} isRunning={isRunning && index === 0} />,
          run.requestedBy === null ? (
            <span class="soft">its time</span>
          ) : (
            <PersonLink context={context} id={run.requestedBy} names={names} />
          ),
          <span class="error-text">{run.error ?? "–"}</span>,
        ])}
      />
    </details>
  );
};

const Schedule = (props: ScheduleProps) => {
  const { context, schedule } = props;
  const { name, cron, often, nextRunAt, runs, isRunning } = schedule;
  const [last] = runs;
  return (
    <section class="card schedule" aria-labelledby={`schedule-${name}`}>
      <div class="head">
        <h2 id={`schedule-${name}`}>{name}</h2>
        <Act {...props} />
      </div>
      <p>
        Runs {often ?? "by its expression"} <code class="soft">({cron})</code>; due{" "}
        <Ago at={nextRunAt} times={context.times} />.{" "}
        {last === undefined ? (
          "It has not run yet."
        ) : (
          <>
            Last run <Ago at={last.startedAt} times={context.times} />: <Outcome run={last} isRunning={isRunning} />
          </>
        )}
      </p>
      {runs.length > 0 && <Runs {...props} />}
    </section>
  );
};

/** The schedules, their latest runs, and a way to run each at once. */
export const SchedulesPage = ({ context, schedules, names }: SchedulesProps) => (
  <StaffPage context={context} title="Schedules" at="/schedules">
    <h1>Schedules</h1>
    <p>
      Schedules run in the app <code>app</code>, each once among all its processes. A run that you ask for takes the
      same lock: it waits for one that is under way.
    </p>
    {schedules.length === 0 && (
      <Empty>
        No process that runs schedules has started on this database yet. They are listed once <code>gatehouse</code> or{" "}
        <code>gatehouse scheduler</code> is up.
      </Empty>
    )}
    <div class="pile">
      {schedules.map((schedule) => (
        <Schedule key={schedule.name} context={context} schedule={schedule} names={names} />
      ))}
    </div>
  </StaffPage>
);
