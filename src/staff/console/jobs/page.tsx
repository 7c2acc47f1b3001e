/** @jsxImportSource #html */
import type { DeadJob, QueueDepth, StoredJob } from "../../../drivers/queue/index.ts";
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
import { around } from "../../../words/index.ts";
import type { Children } from "../../../http/pages/jsx-runtime.ts";
import { Empty, Facets, Table, withQuery } from "../../../http/pages/parts/list.tsx";
import type { StaffContext } from "../../frame/context.ts";
import { Ago, Moment } from "../../frame/parts.tsx";
import { StaffPage } from "../../frame/page.tsx";

export interface QueueRow extends QueueDepth {
  readonly queue: string;
  readonly app: string;
}

export interface Jobs {
  readonly queues: readonly QueueRow[];
  readonly running: readonly StoredJob[];
  /** The queue and the app whose waiting jobs are listed. */
  readonly chosen: { readonly queue: string; readonly app: string };
  readonly waiting: readonly StoredJob[];
  readonly dead: readonly DeadJob[];
  readonly deadNames: readonly { readonly name: string; readonly count: number }[];
  /** The name of the listed dead letters; undefined for all. */
  readonly name: string | undefined;
}

interface JobsProps {
  readonly context: StaffContext;
  readonly jobs: Jobs;
}

interface PlacedJob {
  readonly job: { readonly queue: string; readonly app: string };
}

/** The most jobs that are counted. */
export const mostCounted = 10_000;
export const mostListed = 50;
export const mostRetried = 1_000;

const counted = (count: number, { words, count: write }: StaffContext): string =>
  count >= mostCounted ? words.jobs.orMore({ count: mostCounted }) : write(count);

const Place = ({ context, job: { queue, app } }: Pick<JobsProps, "context"> & PlacedJob) => (
  <span class="briefly">{context.words.jobs.place({ queue, app })}</span>
);

const Queues = ({ context, jobs: { queues } }: JobsProps) => {
  const words = context.words.jobs;
  return (
    <section>
      <h2 id="queues">{words.queues.title}</h2>
      <Table
        labelledBy="queues"
        columns={[words.queue, words.app, words.due, words.later, words.running.title, words.failed.title]}
        rows={queues.map(({ queue, app, ready, delayed, leased, dead }) => [
          <a href={context.href(`${withQuery("/jobs", { queue, app })}#waiting`)}>{queue}</a>,
          app,
          ...[ready, delayed, leased, dead].map((count) => counted(count, context)),
        ])}
        empty={<Empty>{words.queues.empty}</Empty>}
      />
    </section>
  );
};

function attempts({ attempts: made, maxAttempts, retryUntil }: StoredJob, { words, times }: StaffContext): Children {
  const { attemptsOf, attemptsUntil } = words.jobs;
  return retryUntil === null
    ? attemptsOf({ made, most: maxAttempts })
    : around(attemptsUntil, { made, moment: <Moment at={retryUntil} times={times} /> });
}

const Running = ({ context, jobs: { running } }: JobsProps) => {
  const words = context.words.jobs;
  return (
    <section>
      <h2 id="running">{words.running.title}</h2>
      <Table
        labelledBy="running"
        columns={[words.job, words.queue, words.attempt, words.askedFor, words.heldUntil]}
        rows={running.map((job) => [
          job.name,
          <Place context={context} job={job} />,
          attempts(job, context),
          <Ago at={job.createdAt} times={context.times} />,
          job.leasedUntil === null ? "" : <Ago at={job.leasedUntil} times={context.times} />,
        ])}
        empty={<Empty>{words.running.empty}</Empty>}
      />
    </section>
  );
};

const Waiting = ({ context, jobs: { waiting, chosen } }: JobsProps) => {
  const words = context.words.jobs;
  return (
    <section>
      <h2 id="waiting">{words.waiting.title(chosen)}</h2>
      <Table
        labelledBy="waiting"
        columns={[words.job, words.due, words.attempts, words.askedFor, words.lastError]}
        rows={waiting.map((job) => [
          job.name,
          <Ago at={job.availableAt} times={context.times} />,
          attempts(job, context),
          <Ago at={job.createdAt} times={context.times} />,
          <span class="error-text">{job.lastError ?? "–"}</span>,
        ])}
        empty={<Empty>{words.waiting.empty}</Empty>}
      />
      {waiting.length === mostListed && <p class="hint">{words.waiting.first({ most: mostListed })}</p>}
    </section>
  );
};

const RetryAll = ({ context, jobs: { name, dead } }: JobsProps) => {
  const { retryAll, retryAllOf, retryHint } = context.words.jobs.failed;
  return dead.length === 0 || !context.may("jobs.retry") ? null : (
    <Form action={context.href("/jobs/retry")} token={context.token} class="buttons">
      {name !== undefined && <Hidden fields={[["name", name]]} />}
      <button>{name === undefined ? retryAll : retryAllOf({ job: name })}</button>
      <p class="hint">{retryHint({ most: mostRetried })}</p>
    </Form>
  );
};

const Failed = ({ context, jobs }: JobsProps) => {
  const { dead, deadNames, name } = jobs;
  const { href, times, token } = context;
  const all = context.words.jobs;
  const { failed: words } = all;
  return (
    <section>
      <h2 id="failed">{words.title}</h2>
      {(deadNames.length > 1 || name !== undefined) && (
        <Facets
          write={context.count}
          label={words.names}
          facets={[
            { label: words.all, href: href("/jobs#failed"), isCurrent: name === undefined },
            ...deadNames.map((each) => ({
              label: each.name,
              count: each.count,
              href: href(`/jobs?name=${encodeURIComponent(each.name)}#failed`),
              isCurrent: each.name === name,
            })),
          ]}
        />
      )}
      <Table
        labelledBy="failed"
        columns={[all.job, all.queue, words.title, all.attempts, all.lastError]}
        actions={context.words.frame.actions}
        rows={dead.map((job) => [
          job.name,
          <Place context={context} job={job} />,
          <Ago at={job.failedAt} times={times} />,
          job.attempts,
          <span class="error-text">{job.error}</span>,
          context.may("jobs.retry") && (
            <Form action={href(`/jobs/${job.id}/retry`)} token={token}>
              <button aria-label={words.retryOf({ job: job.name, ago: times.relatively(job.failedAt) })}>
                {words.retry}
              </button>
            </Form>
          ),
        ])}
        empty={<Empty>{words.empty}</Empty>}
      />
      {dead.length === mostListed && <p class="hint">{words.last({ most: mostListed })}</p>}
      <RetryAll context={context} jobs={jobs} />
    </section>
  );
};

/** The waiting, running and failed jobs in the queues of both apps. */
export const JobsPage = (props: JobsProps) => (
  <StaffPage context={props.context} title={props.context.words.jobs.title} at="/jobs">
    <h1>{props.context.words.jobs.title}</h1>
    <Failed {...props} />
    <Queues {...props} />
    <Running {...props} />
    <Waiting {...props} />
  </StaffPage>
);
