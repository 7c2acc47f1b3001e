import { resolve } from "node:path";
import { judgeFile, readSecretFile, type AppIdentity } from "../../../config/index.ts";
import { ConfigurationError } from "../../app/configuration.error.ts";
import type { SettingsOptions } from "../../app/environment.ts";
import { readStart } from "../../app/start.ts";
import { command, exitCode, type Terminal } from "../../command.ts";
import { jsonLine, jsonObject } from "../../terminal/json.ts";

const splitRoles = ["api", "worker", "scheduler"] as const;

/**
 * Reads the configuration exactly as a start does, and fails as a start would, with exit code 2. Prints the names of the variables that are
 * set and where each was found, never a value. With a file, lines that set nothing are a failure too.
 */
export const check = command({
  args: {
    role: {
      type: "enum",
      options: ["run", ...splitRoles],
      default: "run",
      description: "The command that is to be started: some rules hold for roles that run apart",
    },
    file: {
      type: "string",
      valueHint: "FILE",
      description:
        "Check the settings in this file, as systemd reads it, over the environment, and say what lines of it set nothing",
    },
    json: jsonObject,
  },
  files: { file: { way: "reads" } },
  async run({ definition, terminal }, args) {
    const role = splitRoles.find((each) => each === args.role);
    const options = { onlyLooks: true, role } as const;
    const file = args.file;
    const { config, warnings, variables, lines } =
      file === undefined
        ? { ...(await readStart(definition, terminal, options)), lines: new Map<string, number>() }
        : await readWithFile(definition, terminal, { ...options, file });
    const { name, env } = config.app;
    if (args.json === true) {
      const found = variables.map((variable) => {
        const line = lines.get(variable.as);
        return line === undefined ? variable : { ...variable, from: "--file", line };
      });
      terminal.out(jsonLine({ ok: true, app: name, env, role: role ?? "run", variables: found, warnings }));
      return exitCode.done;
    }
    terminal.out(`the environment is valid for ${name} in ${env}${role === undefined ? "" : ` as ${role}`}`);
    const width = Math.max(0, ...variables.map((variable) => variable.as.length));
    for (const { as, from } of variables) {
      const line = lines.get(as);
      terminal.out(`  ${as.padEnd(width)}  ${line === undefined ? places[from] : `line ${line} of ${file}`}`);
    }
    return exitCode.done;
  },
});

/** Resolves to the settings, and to the line of each variable that the file sets. */
async function readWithFile(
  app: AppIdentity,
  terminal: Terminal,
  { file, ...options }: SettingsOptions & { readonly file: string },
) {
  const read = readSecretFile(resolve(file), { lines: true });
  if ("wrong" in read) throw new ConfigurationError([`${file} ${read.wrong}`]);
  const { values, lines, findings } = judgeFile(read.value);
  const said = (level: "wrong" | "note"): readonly string[] =>
    findings.filter((found) => found.level === level).map(({ line, says }) => `line ${line} of ${file}: ${says}`);
  const [wrong, notes] = [said("wrong"), said("note")];
  const env = { ...terminal.env, ...values };
  const settings = await readStart(app, { ...terminal, env }, options).catch((error: unknown) => {
    if (error instanceof ConfigurationError) return error;
    throw error;
  });
  const problems = settings instanceof ConfigurationError ? settings.problems : [];
  // Notes are listed as well: they may explain an error.
  if (settings instanceof ConfigurationError || wrong.length > 0)
    throw new ConfigurationError([...wrong, ...notes, ...problems]);
  for (const note of notes) settings.log.warn(note);
  return { ...settings, warnings: [...notes, ...settings.warnings], lines };
}

const places = {
  environment: "process environment",
  ".env": ".env",
  ".env.local": ".env.local",
  file: "the file it names",
  credentials: "credentials directory",
  generated: "made for this process",
} as const;
