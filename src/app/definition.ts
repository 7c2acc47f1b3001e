import type { AppIdentity } from "../config/index.ts";
import type { ModuleName } from "./modules.ts";

export type Role = "http" | "worker" | "scheduler";

/** Everything in which one binary differs from the other. src/main.ts and src/admin.ts have one each. */
export interface AppDefinition extends AppIdentity {
  /**
   * Whether this app owns the data that both apps share. Schedules run in that app alone: with the settings of another one
   * they would delete what the owner still keeps.
   */
  readonly ownsData: boolean;
  /** In the order in which their routes are mounted and their readiness is checked. */
  readonly modules: readonly ModuleName[];
}
