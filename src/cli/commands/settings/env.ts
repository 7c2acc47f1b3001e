import { command, exitCode } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";
import { readStart } from "../../app/start.ts";

const splitRoles = ["api", "worker", "scheduler"] as const;

/**
 * Reads the configuration exactly as a start does, and fails as a start would, with exit code 2. Prints the names of the
 * variables that are set and where each was found, never a value.
 */
export const check = command({
  args: {
    role: {
      type: "enum",
      options: ["run", ...splitRoles],
      default: "run",
      description: "The command that is to be started: some rules hold for roles that run apart",
    },
    json: jsonObject,
  },
  async run({ definition, terminal }, args) {
    const role = splitRoles.find((each) => each === args.role);
    const { config, warnings, variables } = await readStart(definition, terminal, { onlyLooks: true, role });
    const { name, env } = config.app;
    if (args.json === true) {
      terminal.out(jsonLine({ ok: true, app: name, env, role: role ?? "run", variables, warnings }));
      return exitCode.done;
    }
    terminal.out(`the environment is valid for ${name} in ${env}${role === undefined ? "" : ` as ${role}`}`);
    const width = Math.max(0, ...variables.map((variable) => variable.as.length));
    for (const { as, from } of variables) terminal.out(`  ${as.padEnd(width)}  ${places[from]}`);
    return exitCode.done;
  },
});

const places = {
  environment: "process environment",
  ".env": ".env",
  ".env.local": ".env.local",
  file: "the file it names",
  credentials: "credentials directory",
  generated: "made for this process",
} as const;
