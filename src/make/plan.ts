/** One line that a person has to add, where a machine would have to guess the place. */
export interface Addition {
  readonly file: string;
  /** Where in the file. */
  readonly place: string;
  readonly line: string;
}

/** What a generator is going to do. Paths are relative to the root of the tree. */
export interface Plan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly additions: readonly Addition[];
}
