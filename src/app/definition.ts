import type { AppName } from "../config/index.ts";
import type { ModuleName } from "./modules.ts";

export type Role = "http" | "worker" | "scheduler";

/** Everything in which one binary differs from the other. src/main.ts and src/admin.ts have one each. */
export interface AppDefinition {
  readonly name: AppName;
  /** Where each role listens unless the environment says otherwise: HTTP for everybody, the other two for metrics alone. */
  readonly ports: Readonly<Record<Role, number>>;
  /** In the order in which their routes are mounted and their readiness is checked. */
  readonly modules: readonly ModuleName[];
}
