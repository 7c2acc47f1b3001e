import type { Variable } from "./variable.ts";
import { authVariables } from "./variables.auth.ts";
import { lighthouseVariables } from "./variables.lighthouse.ts";
import { maintenanceVariables } from "./variables.maintenance.ts";
import { oauthVariables } from "./variables.oauth.ts";
import { appVariables, driverVariables, metricsVariables } from "./variables.service.ts";
import { workVariables } from "./variables.work.ts";

export type { Variable } from "./variable.ts";

/** Every variable there is. MANUAL.md's table and `.env.example` are held against this one. */
export const variables = [
  ...appVariables,
  ...authVariables,
  ...oauthVariables,
  ...driverVariables,
  ...workVariables,
  ...maintenanceVariables,
  ...metricsVariables,
  ...lighthouseVariables,
] as const satisfies readonly Variable[];

export type VariableName = (typeof variables)[number]["name"];
