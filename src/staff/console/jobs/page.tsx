/** @jsxImportSource #html */
import type { DeadJob, QueueDepth, StoredJob } from "../../../drivers/queue/index.ts";
import { Form, Hidden } from "../../../http/pages/parts/form.tsx";
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

/** The most jobs that are counted. */
export const mostCounted = 10_000;
export const mostListed = 50;
export const mostRetried = 1_000;

const counted = (count: number): string =>
  count >= mostCounted ? `${mostCounted.toLocaleString("en")} or more` : count.toLocaleString("en");

const place = ({ queue, app }: { readonly queue: string; readonly app: string }): string => `${queue} of ${app}`;

const Queues = ({ context, jobs: { queues } }: JobsProps) => (
  <section>
    <h2 id="queues">Queues</h2>
    <Table
      labelledBy="queues"
      columns={["Queue", "App", "Due", "Later", "Running", "Failed"]}
      rows={queues.map(({ queue, app, ready, delayed, leased, dead }) => [
        <a href={context.href(`${withQuery("/jobs", { queue, app })}#waiting`)}>{queue}</a>,
        app,
        ...[ready, delayed, leased, dead].map(counted),
      ])}
      empty={<Empty>No queue holds a job. Jobs come when a mail is to be sent or a webhook told.</Empty>}
    />
  </section>
);

const attempts = ({ attempts: made, maxAttempts, retryUntil }: StoredJob, context: StaffContext): Children =>
  retryUntil === null ? (
    `${made} of ${maxAttempts}`
  ) : (
    <>
      {made}, until <Moment at={retryUntil} times={context.times} />
    </>
  );

const Running = ({ context, jobs: { running } }: JobsProps) => (
  <section>
    <h2 id="running">Running</h2>
    <Table
      labelledBy="running"
      columns={["Job", "Queue", "Attempt", "Asked for", "Held until"]}
      rows={running.map((job) => [
        job.name,
        <span class="briefly">{place(job)}</span>,
        attempts(job, context),
        <Ago at={job.createdAt} times={context.times} />,
        job.leasedUntil === null ? "" : <Ago at={job.leasedUntil} times={context.times} />,
      ])}
      empty={<Empty>No worker has a job in hand at this moment.</Empty>}
    />
  </section>
);

const Waiting = ({ context, jobs: { waiting, chosen } }: JobsProps) => (
  <section>
    <h2 id="waiting">Waiting in {place(chosen)}</h2>
    <Table
      labelledBy="waiting"
      columns={["Job", "Due", "Attempts", "Asked for", "Last error"]}
      rows={waiting.map((job) => [
        job.name,
        <Ago at={job.availableAt} times={context.times} />,
        attempts(job, context),
        <Ago at={job.createdAt} times={context.times} />,
        <span class="error-text">{job.lastError ?? "–"}</span>,
      ])}
      empty={<Empty>Nothing waits there.</Empty>}
    />
    {waiting.length === mostListed && <p class="hint">The {mostListed} that are due first.</p>}
  </section>
);

const RetryAll = ({ context, jobs: { name, dead } }: JobsProps) =>
  dead.length === 0 || !context.may("jobs.retry") ? null : (
    <Form action={context.href("/jobs/retry")} token={context.token} class="buttons">
      {name !== undefined && <Hidden fields={[["name", name]]} />}
      <button>{name === undefined ? "Try all again" : `Try all of ${name} again`}</button>
      <p class="hint">
        At most {mostRetried.toLocaleString("en")} at a time. What they do, such as sending a mail, can't be taken back.
      </p>
    </Form>
  );

const Failed = ({ context, jobs }: JobsProps) => {
  const { dead, deadNames, name } = jobs;
  const { href, times, token } = context;
  return (
    <section>
      <h2 id="failed">Failed</h2>
      {(deadNames.length > 1 || name !== undefined) && (
        <Facets
          write={context.count}
          label="Failed jobs by name"
          facets={[
            { label: "All", href: href("/jobs#failed"), isCurrent: name === undefined },
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
        columns={["Job", "Queue", "Failed", "Attempts", "Last error"]}
        actions={context.words.frame.actions}
        rows={dead.map((job) => [
          job.name,
          <span class="briefly">{place(job)}</span>,
          <Ago at={job.failedAt} times={times} />,
          job.attempts,
          <span class="error-text">{job.error}</span>,
          context.may("jobs.retry") && (
            <Form action={href(`/jobs/${job.id}/retry`)} token={token}>
              <button aria-label={`Try again: ${job.name}, failed ${times.relatively(job.failedAt)}`}>Try again</button>
            </Form>
          ),
        ])}
        empty={<Empty>No job has used up its attempts. One that does is kept here with its last error.</Empty>}
      />
      {dead.length === mostListed && <p class="hint">The {mostListed} that failed last.</p>}
      <RetryAll context={context} jobs={jobs} />
    </section>
  );
};

/** The waiting, running and failed jobs in the queues of both apps. */
export const JobsPage = (props: JobsProps) => (
  <StaffPage context={props.context} title="Jobs" at="/jobs">
    <h1>Jobs</h1>
    <Failed {...props} />
    <Queues {...props} />
    <Running {...props} />
    <Waiting {...props} />
  </StaffPage>
);
