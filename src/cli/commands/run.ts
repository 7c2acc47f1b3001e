import { command, exitCode, type Command } from "../command.ts";
import { readStart } from "../app/start.ts";
import type { SplitRole } from "../../config/index.ts";
import { createSupervisor } from "../../app/roles/supervisor.ts";
import type { Role } from "../../app/definition.ts";

const runs = (roles: readonly Role[], role?: SplitRole): Command =>
  command({
    args: {},
    async run({ definition, build, terminal }) {
      const { config, log } = await readStart(definition, terminal, { logTo: "out", role });
      const { runRoles } = await import("../../app/roles/roles.ts");
      const supervisor = createSupervisor(terminal.env, log);
      const announce = (text: string): void => terminal.err(text);
      const program = build.revision === "source" ? Bun.main : process.execPath;
      const code = await runRoles({ definition, config, build, log, roles, supervisor, program, announce });
      supervisor.close();
      return code === 0 ? exitCode.done : exitCode.failed;
    },
  });

export const run = runs(["http", "worker", "scheduler"]);
export const api = runs(["http"], "api");
export const worker = runs(["worker"], "worker");
export const scheduler = runs(["scheduler"], "scheduler");
