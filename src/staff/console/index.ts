import { Elysia } from "elysia";
import type { NavigationLink } from "../frame/context.ts";
import type { StaffPages } from "../pages.ts";
import { appsPath } from "./apps/page.tsx";
import { appRoutes } from "./apps/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { DashboardPage, spanOf } from "./dashboard/page.tsx";
import { jobRoutes } from "./jobs/routes.ts";
import { mailsPath } from "./mails/page.tsx";
import { mailRoutes } from "./mails/routes.ts";
import { maintenanceRoutes } from "./maintenance/routes.ts";
import { apps, type ConsoleParts } from "./options.ts";
import { scheduleRoutes } from "./schedules/routes.ts";
import { webhookRoutes } from "./webhooks/routes.ts";

/** Links to the pages of operation; in the header they follow the dashboard and the people. */
export const consoleNavigation = ({ clients }: Pick<ConsoleParts, "clients">): readonly NavigationLink[] => [
  { path: "/audit", label: "audit", may: "audit.see" },
  { path: "/jobs", label: "jobs", may: "jobs.see" },
  ...(clients === undefined ? [] : [{ path: appsPath, label: "apps", may: "apps.see" } as const]),
  { path: "/webhooks", label: "webhooks", may: "webhooks.see" },
  { path: mailsPath, label: "mails", may: "mails.see" },
  { path: "/schedules", label: "schedules", may: "schedules.see" },
  { path: "/maintenance", label: "maintenance", may: "maintenance.see" },
];

/** The pages of operation: the state of the service, what happened, and what runs by itself. */
export const consoleRoutes = ({ clients, providerName, ...parts }: ConsoleParts & { readonly staff: StaffPages }) =>
  new Elysia({ name: "staff/console" })
    .use(clients === undefined ? new Elysia() : appRoutes({ staff: parts.staff, clients }))
    .use(
      parts.staff.page("/", "dashboard.see", async (context) =>
        DashboardPage({
          context,
          figures: await parts.figures.of(spanOf(context.search)),
          providerName,
          maintenance: await Promise.all(apps.map((app) => parts.maintenance.view(app))),
        }),
      ),
    )
    .use(auditRoutes(parts))
    .use(jobRoutes(parts))
    .use(webhookRoutes(parts))
    .use(mailRoutes(parts))
    .use(scheduleRoutes(parts))
    .use(maintenanceRoutes(parts));
