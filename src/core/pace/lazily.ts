/** Makes a value on first use and keeps it. For values that take long to make or load, so that no start waits for them. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
