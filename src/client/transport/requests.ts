import type { Outgoing } from "./transport.ts";

export const prefix = "/api/v1/auth";

/**
 * Describes a request. One of `fields` tells the answer of a route from any other. A test holds the rest of the types of answers against the
 * service's OpenAPI document.
 */
export const requestOf = <T>(
  method: Outgoing<T>["method"],
  path: string,
  fields: string | readonly string[],
  body?: object,
): Outgoing<T> => ({
  method,
  path,
  expects: (answer): answer is object & T => [fields].flat().some((field) => field in answer),
  body,
});

export const get = <T>(path: string, field: string): Outgoing<T> => requestOf("GET", `${prefix}/${path}`, field);
export const post = <T>(path: string, fields: string | readonly string[], body?: object): Outgoing<T> =>
  requestOf("POST", `${prefix}/${path}`, fields, body);

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
