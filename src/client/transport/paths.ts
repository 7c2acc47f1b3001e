/** Returns the path with a query of the values that are given. */
export function withQuery(
  path: string,
  values: Readonly<Record<string, string | number | boolean | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.append(name, String(value));
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}
