import type { StaffPages } from "../../pages.ts";
import { apps, type ConsoleParts } from "../options.ts";
import { DashboardPage, spanOf } from "./page.tsx";

interface DashboardOptions extends Pick<ConsoleParts, "figures" | "maintenance"> {
  readonly staff: StaffPages;
}

export const dashboardRoutes = ({ staff, figures, maintenance }: DashboardOptions) =>
  staff.page("/", async (context) =>
    DashboardPage({
      context,
      figures: await figures.of(spanOf(context.search)),
      maintenance: await Promise.all(apps.map((app) => maintenance.view(app))),
    }),
  );
