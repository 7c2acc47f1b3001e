/** Makes a value when it is first asked for, and keeps it: for what takes long to make or to load, so that no start waits for it. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
