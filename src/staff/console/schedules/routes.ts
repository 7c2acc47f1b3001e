import { Elysia } from "elysia";
import type { Statement } from "../../../drivers/database/index.ts";
import { AppError } from "../../../core/errors.ts";
import { isName } from "../../../core/naming.ts";
import type { Notice } from "../../../kit/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import type { StaffPages } from "../../pages.ts";
import type { ConsoleParts } from "../options.ts";
import { SchedulesPage } from "./page.tsx";

interface SchedulesOptions extends Pick<ConsoleParts, "schedules" | "namesOf" | "commit" | "redact"> {
  readonly staff: StaffPages;
}

const back = "/schedules";

export function scheduleRoutes({ staff, schedules, namesOf, commit, redact }: SchedulesOptions) {
  async function show(context: StaffContext) {
    const states = (await schedules.list()).map((state) => ({
      ...state,
      runs: state.runs.map((run) => ({ ...run, error: run.error && redact(run.error) })),
    }));
    const ids = states.flatMap(({ requestedBy, runs }) => [requestedBy, ...runs.map((run) => run.requestedBy)]);
    return SchedulesPage({ context, schedules: states, names: await namesOf(ids.flatMap((id) => id ?? [])) });
  }

  /** Commits the change with its author. Resolves to false where nothing had to change. */
  async function change(
    { by }: StaffContext,
    topic: "schedule.requested" | "schedule.withdrawn",
    name: string,
    statement: Statement,
  ): Promise<boolean> {
    const tell = [{ topic, payload: { count: 1 }, by, reason: name }] as const;
    return (await commit({ statements: [statement], tell })).applied;
  }

  /** Throws `not_found` for a text that can't be the name of a schedule. */
  const named = (name: string): string => {
    if (!isName("schedule", name)) throw new AppError("not_found");
    return name;
  };

  async function request(context: StaffContext, name: string): Promise<Notice> {
    const { userId } = context.viewer.session;
    const words = context.words.schedules;
    if (await change(context, "schedule.requested", name, schedules.request(name, userId)))
      return {
        kind: "good",
        text: words.runsSoon({ name }),
        undo: { action: `/schedules/${name}/withdraw`, label: words.withdraw },
      };
    if (!(await schedules.list()).some((schedule) => schedule.name === name)) throw new AppError("not_found");
    return { kind: "warning", text: words.askedAlready({ name }) };
  }

  async function withdraw(context: StaffContext, name: string): Promise<Notice> {
    const { withdrawn, begun } = context.words.schedules;
    if (await change(context, "schedule.withdrawn", name, schedules.withdraw(name)))
      return { kind: "good", text: withdrawn({ name }) };
    return { kind: "warning", text: begun({ name }) };
  }

  const act = (verb: string, work: (context: StaffContext, name: string) => Promise<Notice>) =>
    staff.act(`/schedules/:name/${verb}`, { may: "schedules.run", back }, async (context, _form, name) => ({
      to: back,
      notice: await work(context, named(name)),
    }));
  return new Elysia({ name: "staff/schedules" })
    .use(staff.page("/schedules", "schedules.see", show))
    .use(act("run", request))
    .use(act("withdraw", withdraw));
}
