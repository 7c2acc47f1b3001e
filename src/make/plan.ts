/** One line that somebody has to add where a machine would guess. */
export interface Addition {
  readonly file: string;
  /** Where in it. */
  readonly place: string;
  readonly line: string;
}

/** What a generator will do. Paths are relative to the root of the tree. */
export interface Plan {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly additions: readonly Addition[];
}
