// SEED §2: naming conventions for operational identifiers.
const segment = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const rules = {
  command: new RegExp(`^${segment}(?::${segment})?$`),
  job: new RegExp(`^${segment}:${segment}$`),
  schedule: new RegExp(`^${segment}:${segment}$`),
  topic: new RegExp(`^${segment}(?:\\.${segment})+$`),
  resource: new RegExp(`^${segment}$`),
} as const;

export type NameKind = keyof typeof rules;

/** Throws when a name breaks its convention or is already taken: both stop the start. */
export function registerName(kind: NameKind, name: string, taken: ReadonlyMap<string, unknown>): void {
  if (!rules[kind].test(name)) throw new Error(`${kind} name "${name}" does not match ${rules[kind].source}`);
  if (taken.has(name)) throw new Error(`${kind} name "${name}" is registered twice`);
}
