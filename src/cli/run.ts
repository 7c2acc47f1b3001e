import { command, exitCode, type Command } from "./command.ts";
import { readSettings } from "./environment.ts";
import type { Role } from "../runtime.ts";

const runs = (...roles: readonly Role[]): Command =>
  command({
    args: {},
    async run({ definition, build, terminal }) {
      const { config, log } = readSettings(definition.name, terminal, { logTo: "out" });
      const { runRoles } = await import("../runtime.ts");
      const code = await runRoles({ definition, config, build, log, roles, announce: (text) => terminal.err(text) });
      return code === 0 ? exitCode.done : exitCode.failed;
    },
  });

export const run = runs("http", "worker", "scheduler");
export const api = runs("http");
export const worker = runs("worker");
export const scheduler = runs("scheduler");
