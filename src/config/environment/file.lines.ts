import { readEnvironmentFile, type EnvironmentFile, type Flaw } from "../../core/text/environment.file.ts";
import { isKnownName, meantNames, misspeltSentence } from "./misspelt.ts";

/** A pitfall in a line of a file of settings. It repeats no value. */
export interface LineFinding {
  readonly line: number;
  /** `wrong` can't be intended; `note` may be. */
  readonly level: "wrong" | "note";
  readonly says: string;
}

export interface JudgedFile {
  /** Values that the file sets for this service's variables. */
  readonly values: Readonly<Record<string, string>>;
  /** The line that sets each variable. */
  readonly lines: ReadonlyMap<string, number>;
  readonly findings: readonly LineFinding[];
}

/** Variables that the runtime and the system's libraries read themselves. */
const ofOthers =
  /^(?:TZ|LANG|LANGUAGE|LC_[A-Z]+|PATH|HOME|USER|TMPDIR|NODE_[A-Z_]+|BUN_[A-Z_]+|MIMALLOC_[A-Z_]+|SSL_CERT_(?:FILE|DIR)|(?:https?|no|all)_proxy|(?:HTTPS?|NO|ALL)_PROXY)$/;
/** The form of names that may be repeated. Anything else may be part of a secret. */
const repeatable = /^[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+$|^[A-Z][A-Z0-9]{0,15}$/;

const unreadSentences = {
  "no assignment": "has no = and sets nothing",
  exported: "begins with export, which only shells know, and sets nothing: leave that word out",
  "no name": "sets nothing: before the = there is no name of letters, digits and underscores",
} as const;

const flawFindings: Readonly<Record<Flaw, { readonly level: LineFinding["level"]; readonly says: string }>> = {
  blanks: {
    level: "note",
    says: "has blanks beside its =: systemd drops them, while podman, docker and shells don't set the variable",
  },
  comment: { level: "note", says: "has what follows the # in its value: a comment stands in a line of its own" },
  unclosed: { level: "wrong", says: "has a quote that is not closed: the rest of the file is in its value" },
};

function nameFinding(name: string): Omit<LineFinding, "line"> | undefined {
  if (isKnownName(name) || ofOthers.test(name)) return undefined;
  const meant = meantNames(name);
  const written = repeatable.test(name) && name.length <= 64 ? name : "what it names";
  return meant.length > 0
    ? { level: "wrong", says: misspeltSentence(written, meant) }
    : { level: "note", says: `${written} is no variable of Gatehouse, and changes nothing there` };
}

function findingsIn({ assignments, unread }: EnvironmentFile): readonly LineFinding[] {
  const last = new Map(assignments.map(({ name, line }) => [name, line]));
  const found = assignments.flatMap(({ line, name, value, flaws }): readonly LineFinding[] => {
    const unknown = nameFinding(name);
    const ofForm = [...flaws].map((flaw) => {
      const { level, says } = flawFindings[flaw];
      return { line, level, says: `${unknown === undefined ? name : "it"} ${says}` };
    });
    if (unknown !== undefined) return [{ line, ...unknown }, ...ofForm];
    const later = last.get(name) ?? line;
    const replaced = `${name} is set again in line ${later}, which counts`;
    const empty = `${name} is empty, which counts as not set`;
    return [
      ...ofForm,
      ...(later === line ? [] : [{ line, level: "note" as const, says: replaced }]),
      ...(value === "" && later === line ? [{ line, level: "note" as const, says: empty }] : []),
    ];
  });
  const dead = unread.map(({ line, why }) => ({ line, level: "wrong" as const, says: `it ${unreadSentences[why]}` }));
  return [...found, ...dead].toSorted((a, b) => a.line - b.line);
}

/** Reads a file of settings as systemd does, and finds every line that does otherwise than it looks. */
export function judgeFile(text: string): JudgedFile {
  const file = readEnvironmentFile(text);
  const ours = file.assignments.filter(({ name }) => isKnownName(name));
  return {
    values: Object.fromEntries(ours.map(({ name, value }) => [name, value])),
    lines: new Map(ours.map(({ name, line }) => [name, line])),
    findings: findingsIn(file),
  };
}
