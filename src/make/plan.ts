/** One line for a person to add, where a machine would have to guess the place. */
export interface Addition {
  readonly file: string;
  /** The place within the file. */
  readonly place: string;
  readonly line: string;
}

/** The changes that a generator will make. Paths are relative to the root of the tree. */
export interface Plan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly additions: readonly Addition[];
}
