import type { ArgumentRule, KnownValues } from "../usage/arguments.ts";
import type { Command, CommandGroup } from "../command.ts";

/** Completion of a value: known values, file names, or nothing. */
export type Completed = KnownValues | "files" | "nothing";

export interface CompletedFlag {
  readonly name: string;
  readonly description: string;
  /** Undefined for a flag that takes no value. */
  readonly value: Completed | undefined;
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  readonly operands: readonly { readonly name: string; readonly value: Completed }[];
}

export interface CompletionModel {
  readonly binary: string;
  readonly commands: readonly CompletedCommand[];
}

const filesBy: ReadonlySet<string> = new Set(["PATH", "FILE", "BINARY"]);

function completedBy(name: string, rule: ArgumentRule, { values }: Pick<Command, "values">): Completed {
  const known = rule.options === undefined ? values[name] : { among: rule.options };
  return known ?? (filesBy.has(rule.valueHint ?? name.toUpperCase()) ? "files" : "nothing");
}

/** Collects the arguments of every command, as the table and the commands declare them. */
export async function modelOf(binary: string, groups: readonly CommandGroup[]): Promise<CompletionModel> {
  const entries = groups.flatMap(({ commands }) => Object.entries(commands));
  const names = entries.map(([name]) => name);
  const categories = new Set(names.flatMap((name) => (name.includes(":") ? [name.slice(0, name.indexOf(":"))] : [])));
  const helped: KnownValues = { among: [...new Set([...names, ...categories])] };
  const commands = entries.map(async ([name, { summary, load }]): Promise<CompletedCommand> => {
    const command = await load();
    const args: readonly (readonly [string, ArgumentRule])[] = Object.entries(command.args);
    const isOperand = ([, { type }]: (typeof args)[number]): boolean => type === "positional";
    return {
      name,
      summary,
      flags: args
        .filter((each) => !isOperand(each))
        .map(([flag, rule]) => ({
          name: flag,
          description: rule.description ?? "",
          value: rule.type === "boolean" ? undefined : completedBy(flag, rule, command),
        })),
      operands: args.filter(isOperand).map(([operand, rule]) => ({
        name: operand.toUpperCase(),
        value: name === "help" ? helped : completedBy(operand, rule, command),
      })),
    };
  });
  return { binary, commands: await Promise.all(commands) };
}
