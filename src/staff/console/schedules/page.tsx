/** @jsxImportSource #html */
import type { AccountName } from "../../../auth/index.ts";
import { minute } from "../../../core/clock.ts";
import { Form } from "../../../http/pages/parts/form.tsx";
import { Empty, Table } from "../../../http/pages/parts/list.tsx";
import { around } from "../../../words/index.ts";
import type { ScheduleState } from "../../../scheduler/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, Moment, PersonLink } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";
import { Tag } from "../../people/parts.tsx";
import { lasted } from "../lasted.ts";
import { cronInWords } from "./cron.words.ts";

interface SchedulesProps {
  readonly context: StaffContext;
  readonly schedules: readonly ScheduleState[];
  readonly names: ReadonlyMap<string, AccountName>;
}

type Run = ScheduleState["runs"][number];

/** Longer than any scheduler sleeps. */
const overdueMs = minute;

interface OutcomeProps extends Pick<SchedulesProps, "context"> {
  readonly run: Run;
  readonly isRunning: boolean;
}

/** The outcome of a run. A run without an end is under way only while its schedule holds the lock and no later run has begun. */
function Outcome({ context, run: { ok, endedAt }, isRunning }: OutcomeProps) {
  const words = context.words.schedules;
  if (ok === 1) return <Tag tone="good">{words.done}</Tag>;
  if (ok === 0) return <Tag tone="danger">{words.failed}</Tag>;
  return endedAt === null && isRunning ? (
    <Tag>{words.running}</Tag>
  ) : (
    <span class="tag warning" title={words.cutOffHint}>
      {words.cutOff}
    </span>
  );
}

interface ScheduleProps extends Omit<SchedulesProps, "schedules"> {
  readonly schedule: ScheduleState;
}

/** The button of a schedule: asks for a run, or withdraws the request until a scheduler has taken it. */
function Act({ context, schedule: { name, requestedAt, requestedBy }, names }: ScheduleProps) {
  const { href, token, times } = context;
  const words = context.words.schedules;
  const path = `/schedules/${name}`;
  const mayRun = context.may("schedules.run");
  if (requestedAt === null)
    return !mayRun ? null : (
      <Form action={href(`${path}/run`)} token={token}>
        <button aria-label={words.runOf({ name })}>{words.run}</button>
      </Form>
    );
  const isOverdue = times.now - requestedAt > overdueMs;
  const ago = <Ago at={requestedAt} times={times} />;
  return (
    <Form action={href(`${path}/withdraw`)} token={token} class="buttons">
      <p role="status">
        {requestedBy === null
          ? around(words.asked, { ago })
          : around(words.askedByPerson, {
              ago,
              person: <PersonLink context={context} id={requestedBy} names={names} />,
            })}{" "}
        {isOverdue ? words.overdue : words.soon}
      </p>
      {mayRun && <button aria-label={words.withdrawOf({ name })}>{words.withdraw}</button>}
    </Form>
  );
}

const Runs = ({ context, schedule, names }: ScheduleProps) => {
  const { times, speech } = context;
  const words = context.words.schedules;
  const { runs, isRunning, name } = schedule;
  return (
    <details class="figures" open={runs[0]?.ok === 0}>
      <summary id={`runs-${name}`}>
        {words.lastRuns({ count: runs.length })}
        <span class="unseen">: {name}</span>
      </summary>
      <Table
        labelledBy={`runs-${name}`}
        columns={[words.began, words.took, words.outcome, words.askedBy, words.error]}
        rows={runs.map((run, index) => [
          <Moment at={run.startedAt} times={times} />,
          run.endedAt === null ? "–" : lasted(run.endedAt - run.startedAt, speech.language),
          <Outcome context={context} run={run} isRunning={isRunning && index === 0} />,
          run.requestedBy === null ? (
            <span class="soft">{words.itsTime}</span>
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
  const { name, cron, nextRunAt, runs, isRunning } = schedule;
  const { times, speech } = context;
  const words = context.words.schedules;
  const often = cronInWords(cron, { words: words.often, language: speech.language }) ?? words.often.unsaid;
  const [last] = runs;
  return (
    <section class="card schedule" aria-labelledby={`schedule-${name}`}>
      <div class="head">
        <h2 id={`schedule-${name}`}>{name}</h2>
        <Act {...props} />
      </div>
      <p>
        {around(words.runs, {
          often,
          expression: <code class="soft">({cron})</code>,
          due: <Ago at={nextRunAt} times={times} />,
        })}{" "}
        {last === undefined
          ? words.noRun
          : around(words.lastRun, {
              ago: <Ago at={last.startedAt} times={times} />,
              outcome: <Outcome context={context} run={last} isRunning={isRunning} />,
            })}
      </p>
      {runs.length > 0 && <Runs {...props} />}
    </section>
  );
};

/** The schedules, their latest runs, and a way to run each at once. */
export const SchedulesPage = ({ context, schedules, names }: SchedulesProps) => {
  const words = context.words.schedules;
  return (
    <StaffPage context={context} title={words.title} at="/schedules">
      <h1>{words.title}</h1>
      <p>{around(words.lead, { app: <code>app</code> })}</p>
      {schedules.length === 0 && (
        <Empty>
          {around(words.empty, { all: <code>gatehouse</code>, scheduler: <code>gatehouse scheduler</code> })}
        </Empty>
      )}
      <div class="pile">
        {schedules.map((schedule) => (
          <Schedule key={schedule.name} context={context} schedule={schedule} names={names} />
        ))}
      </div>
    </StaffPage>
  );
};
