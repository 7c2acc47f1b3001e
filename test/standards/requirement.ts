type Level = 1 | 2 | 3 | "A" | "AA";

/** What a standard asks, how it is met here, and the promises of SECURITY.md whose tests show that. */
export interface Requirement {
  readonly at: string;
  /** The level from which it is asked: of ASVS by a number, of WCAG by letters. */
  readonly level?: Level;
  readonly asks: string;
  /** Undefined where it is met. */
  readonly but?: "in part" | "not met" | "does not apply" | "the operator's" | "not tried";
  readonly how: string;
  readonly ids: readonly string[];
}

export type Chapter = readonly [title: string, requirements: readonly Requirement[]];

type Row = readonly [
  at: string,
  level: Level | undefined,
  asks: string,
  how: string,
  ids: string,
  but?: Requirement["but"],
];

/** Reads rows as they are written in the tables: the ids are in one text, with spaces between them. */
export const requirements = (rows: readonly Row[]): readonly Requirement[] =>
  rows.map(([at, level, asks, how, ids, but]) => ({
    at,
    ...(level !== undefined && { level }),
    asks,
    how,
    ids: ids === "" ? [] : ids.split(" "),
    ...(but !== undefined && { but }),
  }));
