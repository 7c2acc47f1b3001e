/** One mistake that somebody could make: in `file` the one occurrence of `from` becomes `to`, and `tests` have to notice. */
export interface Mutation {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Paths of test files. The fewer, the faster. */
  readonly tests: readonly string[];
}

export const contract = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `test/contract/${name}.test.ts`);
