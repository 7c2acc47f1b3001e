import { groups } from "../../../cli/table.ts";
import { table } from "./tables.ts";

interface Option {
  readonly type?: string;
  readonly description?: string | undefined;
  readonly valueHint?: string | undefined;
  readonly required?: boolean | undefined;
  readonly default?: unknown;
  readonly options?: readonly string[];
}

function written(name: string, { type, valueHint, required, options }: Option): string {
  if (type === "positional") return `\`${required === false ? `[${name.toUpperCase()}]` : name.toUpperCase()}\``;
  if (type === "boolean") return `\`--${name}\``;
  return `\`--${name} ${valueHint ?? (options === undefined ? "VALUE" : options.join("|"))}\``;
}

function meaning({ description = "", required, default: fallback, type }: Option): string {
  const notes = [
    ...(required === true && type !== "positional" ? ["needed"] : []),
    ...(typeof fallback === "string" || typeof fallback === "number" ? [`default: ${fallback}`] : []),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join("; ")})`;
}

/** Every command with its arguments, as the binaries know them. */
export async function commandSections(): Promise<string> {
  const sections = groups.map(async ({ title, commands }) => {
    const described = Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { args } = await load();
      const rows = Object.entries(args).map(([key, option]) => [written(key, option), meaning(option)]);
      const options = rows.length === 0 ? "It takes no options." : table(["option", "what it does"], rows);
      return `### ${name}\n\n${summary}.\n\n${options}`;
    });
    return [`## ${title}`, ...(await Promise.all(described))].join("\n\n");
  });
  return (await Promise.all(sections)).join("\n\n");
}
