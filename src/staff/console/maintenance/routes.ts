import { Elysia } from "elysia";
import { AppError } from "../../../core/errors.ts";
import { longestMessage } from "../../../maintenance/index.ts";
import type { Notice } from "../../../kit/index.ts";
import type { StaffContext } from "../../frame/context.ts";
import type { StaffPages } from "../../pages.ts";
import { apps, type ConsoleParts } from "../options.ts";
import { MaintenanceStatePage } from "./page.tsx";

interface MaintenanceOptions extends Pick<ConsoleParts, "maintenance" | "namesOf"> {
  readonly staff: StaffPages;
}

const back = "/maintenance";

export function maintenanceRoutes({ staff, maintenance, namesOf }: MaintenanceOptions) {
  async function show(context: StaffContext) {
    const views = await Promise.all(apps.map((app) => maintenance.view(app)));
    return MaintenanceStatePage({ context, views, names: await namesOf(views.flatMap(({ note }) => note?.by ?? [])) });
  }

  async function turn({ viewer, by, words }: StaffContext, name: string, form: URLSearchParams): Promise<Notice> {
    const app = apps.find((each) => each === name);
    const to = form.get("switch");
    if (app === undefined || (to !== "on" && to !== "off")) throw new AppError("not_found");
    const on = to === "on";
    const message = (form.get("message") ?? "").trim().slice(0, longestMessage);
    const changed = await maintenance.turn({ app, on, message, userId: viewer.session.userId, by });
    const { isOn, isOff, wasOn, wasOff, onAgain, offAgain } = words.maintenance;
    if (!changed) return { kind: "warning", text: (on ? wasOn : wasOff)({ app }) };
    const takeBack = {
      action: `/maintenance/${app}`,
      label: on ? offAgain : onAgain,
      fields: { switch: on ? "off" : "on" },
    };
    return { kind: on ? "warning" : "good", text: (on ? isOn : isOff)({ app }), undo: takeBack };
  }

  return new Elysia({ name: "staff/maintenance" }).use(staff.page("/maintenance", "maintenance.see", show)).use(
    staff.act(
      "/maintenance/:app",
      { may: "maintenance.switch", back, isDangerous: true },
      async (context, form, app) => ({
        to: back,
        notice: await turn(context, app, form),
      }),
    ),
  );
}
