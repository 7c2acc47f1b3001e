import { invalidRequest } from "./errors.ts";

/** The parameters of a request. `resource` alone may come several times (RFC 8707 §2). */
export interface Params {
  get(name: string): string | undefined;
  readonly resources: readonly string[];
  /** All parameters that were sent once, for a page or a store that hands them on. */
  readonly entries: readonly (readonly [name: string, value: string])[];
  /** Whether a parameter came several times. Such a one counts as absent: nobody can tell which value was meant. */
  readonly isRepeated: boolean;
}

const mostParams = 64;
const longestValue = 8_192;
const mostResources = 8;

/** Reads parameters. Throws `invalid_request` for a parameter that comes twice, and for what `readAnyParams` refuses. */
export function readParams(form: URLSearchParams): Params {
  const params = readAnyParams(form);
  requireOnce(params);
  return params;
}

export function requireOnce({ isRepeated }: Params): void {
  if (isRepeated) throw invalidRequest("A parameter was sent more than once.");
}

/**
 * Reads parameters, whether or not one of them comes twice. An empty value counts as absent (RFC 6749 §3.1). Throws `invalid_request` for
 * more or longer ones than any request has.
 */
export function readAnyParams(form: URLSearchParams): Params {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  const resources: string[] = [];
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > mostParams || value.length > longestValue)
      throw invalidRequest("There are too many or too long parameters.");
    if (value === "") continue;
    if (name === "resource") {
      resources.push(value);
      continue;
    }
    if (values.has(name)) repeated.add(name);
    values.set(name, value);
  }
  for (const name of repeated) values.delete(name);
  if (resources.length > mostResources) throw invalidRequest("There are too many resources.");
  return {
    get: (name) => values.get(name),
    resources,
    entries: [...values, ...resources.map((resource) => ["resource", resource] as const)],
    isRepeated: repeated.size > 0,
  };
}

export const writeParams = (entries: Params["entries"]): string =>
  new URLSearchParams(entries.map(([name, value]): [string, string] => [name, value])).toString();
