import { command, exitCode } from "../command.ts";
import { readStart } from "../start.ts";

const splitRoles = ["api", "worker", "scheduler"] as const;

/**
 * Wrong configuration is thrown, and told with exit code 2, exactly as at a start. What was read is told by name and place,
 * never by value.
 */
export const check = command({
  args: {
    role: {
      type: "enum",
      options: ["run", ...splitRoles],
      default: "run",
      description: "The command that is to be started: some rules hold for roles that run apart",
    },
    json: { type: "boolean", description: "Print it as JSON" },
  },
  async run({ definition, terminal }, args) {
    const role = splitRoles.find((each) => each === args.role);
    const { config, warnings, given } = await readStart(definition, terminal, { onlyLooks: true, role });
    const { name, env } = config.app;
    if (args.json === true) {
      terminal.out(JSON.stringify({ ok: true, app: name, env, role: role ?? "run", variables: given, warnings }));
      return exitCode.done;
    }
    terminal.out(`the environment is valid for ${name} in ${env}${role === undefined ? "" : ` as ${role}`}`);
    const width = Math.max(0, ...given.map((variable) => variable.as.length));
    for (const { as, from } of given) terminal.out(`  ${as.padEnd(width)}  ${places[from]}`);
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
