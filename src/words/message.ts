/** The plural categories of languages (Unicode CLDR). */
export const categories = ["zero", "one", "two", "few", "many", "other"] as const;
export type Category = (typeof categories)[number];

/** A text for each plural category that a language has, chosen by `{count}`. */
export type Counted = { readonly other: string } & { readonly [C in Category]?: string };

/** Messages as a tree: plain texts in which `{name}` stands for a value, and texts by plural category. */
export interface Messages {
  readonly [key: string]: string | Counted | Messages;
}

type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Values<Name extends string> = Readonly<Record<Name, string | number>>;

/** What messages become for those who write: a text without values stays a text, any other is a function of its values. */
export type Spoken<T> = T extends string
  ? [Names<T>] extends [never]
    ? string
    : (values: Values<Names<T>>) => string
  : [T, Exclude<keyof T, Category>] extends [Counted, never]
    ? (values: { readonly count: number } & Values<Exclude<Names<T["other" & keyof T]>, "count">>) => string
    : { readonly [Key in keyof T]: Spoken<T[Key]> };

/** Whether a node of a tree of messages is one message, in the texts of its plural categories. */
export const isCounted = (node: Messages | Counted): node is Counted =>
  typeof node["other"] === "string" && Object.keys(node).every((key) => categories.some((each) => each === key));

const placeholder = /\{(\w+)\}/g;

/** Returns the names that stand in braces. */
export const placeholdersOf = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(placeholder)].map(([, name = ""]) => name)),
];

/** Letters of the scripts that are written from right to left, and marks that turn any others. */
const rightToLeft = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc]/;
const isolates = /[\u2066-\u2069]/g;
const endOfIsolate = "\u2069";

/** Sets a text apart from the words around it. The marks in it neither end that nor go on behind it (UAX #9, 5.1). */
function apart(text: string): string {
  let open = 0;
  const closed = text.replace(isolates, (mark) => {
    if (mark !== endOfIsolate) open += 1;
    else if (open === 0) return "";
    else open -= 1;
    return mark;
  });
  return `\u2068${closed}${endOfIsolate.repeat(open + 1)}`;
}

/** Puts values in place of the names in braces. A name without a value stays. `tag` (BCP 47) is the language of the text. */
export function fill(text: string, values: Readonly<Partial<Record<string, string | number>>>, tag: string): string {
  const isMirrored = isRightToLeft(tag);
  return text.replace(placeholder, (whole, name: string) => {
    // Only what was given has a value: every object has a `constructor` besides.
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value === "number") return new Intl.NumberFormat(tag).format(value);
    // A name that is written the other way would turn the words around it. Digits alone do not.
    const turns = isMirrored ? !/^\d*$/.test(value) : rightToLeft.test(value);
    return turns ? apart(value) : value;
  });
}

/** Whether a language (BCP 47) is written from right to left. */
export const isRightToLeft = (tag: string): boolean => /^(?:ar|dv|fa|he|ps|sd|ug|ur|yi)(?:-|$)/.test(tag);

/** Turns the messages of a language (BCP 47) into texts, and into functions where values belong into a text. */
export function speak<T extends Messages>(messages: T, tag: string): Spoken<T>;
export function speak(messages: Messages, tag: string): unknown {
  const rules = new Intl.PluralRules(tag);
  const spokenOf = (node: string | Counted | Messages): unknown => {
    if (typeof node === "string")
      return placeholdersOf(node).length === 0 ? node : (values: Values<string>) => fill(node, values, tag);
    if (isCounted(node))
      return (values: Values<string>) => fill(node[rules.select(Number(values["count"]))] ?? node.other, values, tag);
    return Object.fromEntries(Object.entries(node).map(([key, each]) => [key, spokenOf(each)]));
  };
  return spokenOf(messages);
}

/** Splits a text where values belong that are no text, such as links: returns texts and values in their order. */
export function around<Name extends string, Node>(
  say: (values: Readonly<Record<Name, string>>) => string,
  nodes: Readonly<Record<Name, Node>>,
): readonly (string | Node)[] {
  const marks = new Map<string, Node>();
  // Letters that no text has stand for the nodes while the text is written.
  const mark = (node: Node): string => {
    const letter = String.fromCodePoint(0xe000 + marks.size);
    marks.set(letter, node);
    return letter;
  };
  const marked: Readonly<Record<Name, string>> = mapped(nodes, mark);
  return say(marked)
    .split(/([\ue000-\ue0ff])/)
    .filter((part) => part !== "")
    .map((part) => marks.get(part) ?? part);
}

function mapped<Name extends string, From, To>(
  values: Readonly<Record<Name, From>>,
  change: (value: From) => To,
): Readonly<Record<Name, To>>;
function mapped(values: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): unknown {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
