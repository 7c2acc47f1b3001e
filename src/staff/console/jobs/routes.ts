import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { isId } from "../../../core/ids.ts";
import { isName } from "../../../core/naming.ts";
import type { StaffPages } from "../../pages.ts";
import { apps, type ConsoleParts } from "../options.ts";
import { JobsPage, mostCounted, mostListed, mostRetried, type Jobs, type QueueRow } from "./page.tsx";

interface JobsOptions extends Pick<ConsoleParts, "board" | "deadLetters" | "redact" | "clock"> {
  readonly staff: StaffPages;
}

const back = "/jobs";

export function jobRoutes({ staff, board, deadLetters, redact, clock }: JobsOptions) {
  async function queues(): Promise<readonly QueueRow[]> {
    const now = clock.now();
    const places = (await board.queues()).flatMap((queue) => apps.map((app) => ({ queue, app })));
    const rows = await Promise.all(
      places.map(async (place) => ({ ...place, ...(await board.depth({ ...place, now, most: mostCounted })) })),
    );
    return rows.filter(({ ready, delayed, leased, dead }) => ready + delayed + leased + dead > 0);
  }

  async function jobs(search: URLSearchParams): Promise<Jobs> {
    const now = clock.now();
    const name = search.get("name") ?? undefined;
    const chosen = {
      queue: search.get("queue") ?? "default",
      app: apps.find((app) => app === search.get("app")) ?? "app",
    };
    const waiting = await board.waiting({ ...chosen, now, limit: mostListed });
    const dead = await deadLetters.list({ name, limit: mostListed });
    return {
      queues: await queues(),
      running: await board.running(now, mostListed),
      chosen,
      waiting: waiting.map((job) => ({ ...job, lastError: job.lastError && redact(job.lastError) })),
      dead: dead.map((job) => ({ ...job, error: redact(job.error) })),
      deadNames: await board.deadNames(mostCounted),
      name,
    };
  }

  return new Elysia({ name: "staff/jobs" })
    .use(staff.page("/jobs", "jobs.see", async (context) => JobsPage({ context, jobs: await jobs(context.search) })))
    .use(
      staff.act("/jobs/:id/retry", { may: "jobs.retry", back }, async ({ by, words }, _form, id) => {
        if (!isId(id) || !(await deadLetters.retry(id, by))) throw new AppError("not_found");
        return { to: back, notice: { kind: "good", text: words.jobs.retried } };
      }),
    )
    .use(
      staff.act("/jobs/retry", { may: "jobs.retry", back, isDangerous: true }, async ({ by, words }, form) => {
        const name = form.get("name") ?? undefined;
        if (name !== undefined && !isName("job", name)) throw new AppError("not_found");
        const count = await deadLetters.retryAll(name, { by, most: mostRetried });
        const { retriedAll, retriedMost } = words.jobs;
        return {
          to: back,
          notice: { kind: "good", text: (count === mostRetried ? retriedMost : retriedAll)({ count }) },
        };
      }),
    );
}
