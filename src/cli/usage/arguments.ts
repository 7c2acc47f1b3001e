import { parseArgs } from "node:util";
import { didYouMean, meantBy } from "../../core/text/suggestion.ts";

/** A wrong command line. The program says what is wrong, what may be meant and where to find help, and exits with code 2. */
export class UsageError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string) {
    super(message);
    this.name = "UsageError";
    this.hint = hint;
  }
}

/** The arguments of a command, as far as the rules of its line need them. */
export interface Accepted {
  readonly args: Readonly<Record<string, ArgumentRule>>;
  readonly variadic: boolean;
  readonly values: Readonly<Record<string, KnownValues>>;
  /** Flags that may be given several times. */
  readonly repeated: readonly string[];
}

export interface ArgumentRule {
  readonly type?: string;
  readonly required?: boolean | undefined;
  readonly options?: readonly string[];
  /** The name of the value in a usage: `PATH`. */
  readonly valueHint?: string | undefined;
  readonly description?: string | undefined;
}

/** Permitted values; with `several`, any of them with commas between. */
export interface KnownValues {
  readonly among: readonly string[];
  readonly several?: boolean;
}

/** The most values that a refusal lists: people would not read more. */
const mostListed = 6;

/** Returns the values of a flag: those of an enum, or those that the command declares beside its flags. */
function valuesOf(name: string, { args, values }: Pick<Accepted, "args" | "values">): KnownValues | undefined {
  const among = args[name]?.options;
  return among === undefined ? values[name] : { among };
}

/** Refuses unknown and repeated flags, missing and unknown values, and surplus arguments. */
export function checkArguments(rawArgs: readonly string[], accepted: Accepted): void {
  const { args, variadic } = accepted;
  const flags = Object.entries(args).filter(([, { type }]) => type !== "positional");
  const options = Object.fromEntries(
    flags.map(([name, { type }]) => [name, { type: type === "boolean" ? ("boolean" as const) : ("string" as const) }]),
  );
  const { positionals, tokens } = parseArgs({
    args: [...rawArgs],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const given = tokens.filter((token) => token.kind === "option");
  for (const flag of given) checkFlag(flag, accepted);
  const names = given.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index && !accepted.repeated.includes(name));
  if (repeated !== undefined) throw new UsageError(`--${repeated} is given twice`);
  const undone = names.find((name) => names.includes(`no-${name}`));
  if (undone !== undefined) throw new UsageError(`--${undone} and --no-${undone} exclude each other`);
  const places = Object.entries(args).filter(([, { type }]) => type === "positional");
  const missing = places[positionals.length];
  if (missing !== undefined && missing[1].required !== false)
    throw new UsageError(`${missing[0].toUpperCase()} is missing`);
  for (const [index, [name]] of places.entries()) {
    const given = positionals[index];
    if (given !== undefined) checkValue(name.toUpperCase(), given, accepted.values[name]);
  }
  const surplus = variadic ? undefined : positionals[places.length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(surplus)}`);
  const absent = flags.find(([name, { required }]) => required === true && !names.includes(name));
  if (absent !== undefined) throw new UsageError(`--${absent[0]} is missing`);
}

/** Returns every value of a flag, in the order in which they were given. */
export function everyValueOf(rawArgs: readonly string[], name: string): readonly string[] {
  const options = { [name]: { type: "string", multiple: true } } as const;
  const { values } = parseArgs({ args: [...rawArgs], options, allowPositionals: true, strict: false });
  return [values[name] ?? []].flat().filter((value) => typeof value === "string");
}

interface GivenFlag {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkFlag({ name, rawName, value, inlineValue }: GivenFlag, accepted: Accepted): void {
  const flags = Object.keys(accepted.args).filter((each) => accepted.args[each]?.type !== "positional");
  if (rawName !== `--${name}` || !flags.includes(name)) {
    const meant = meantBy(name, [...flags, "help"]).map((each) => `--${each}`);
    throw new UsageError(`unknown option ${rawName}`, didYouMean(meant));
  }
  if (accepted.args[name]?.type === "boolean") {
    if (value !== undefined) throw new UsageError(`--${name} takes no value`);
    return;
  }
  // A time such as -1h is a value, as no flag begins with a digit.
  if (value === undefined || (inlineValue !== true && /^-[^\d]/.test(value)))
    throw new UsageError(`--${name} takes a value, and there is none`);
  checkValue(rawName, value, valuesOf(name, accepted));
}

function checkValue(place: string, value: string, known: KnownValues | undefined): void {
  if (known === undefined) return;
  const { among, several = false } = known;
  const wrong = (several ? value.split(",").map((each) => each.trim()) : [value]).find((each) => !among.includes(each));
  if (wrong === undefined) return;
  const listed = among.slice(0, mostListed).join(", ") + (among.length > mostListed ? ", …" : "");
  const complaint = `${place} takes ${several ? "any" : "one"} of ${listed}, not ${JSON.stringify(wrong)}`;
  throw new UsageError(complaint, didYouMean(meantBy(wrong, among)));
}
