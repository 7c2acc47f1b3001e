import type { AppIdentity } from "../config/index.ts";
import type { ModuleName } from "./modules.ts";

export type Role = "http" | "worker" | "scheduler";

/** Everything in which the two binaries differ. src/main.ts and src/admin.ts define one each. */
export interface AppDefinition extends AppIdentity {
  /**
   * Whether this app owns the data that both apps share. Schedules run in the owner alone: with the settings of the other app they would
   * delete what the owner still keeps.
   */
  readonly ownsData: boolean;
  /** The default HTTP port of the pages for staff, which are another binary's. */
  readonly staffPort?: number;
  /** Modules in the order in which their routes are mounted and their readiness is checked. */
  readonly modules: readonly ModuleName[];
}
