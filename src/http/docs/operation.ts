import type { DocumentDecoration } from "elysia";

/** A query parameter that the route itself reads. */
export interface QueryParameter {
  name: string;
  in: "query";
  description: string;
  schema: { type: "string"; pattern?: string; enum?: string[] };
}

interface OperationOptions extends Pick<DocumentDecoration, "description" | "requestBody"> {
  readonly summary: string;
  readonly parameters?: QueryParameter[];
  /** Status → the cookies that an answer with this status sets, in words. */
  readonly cookies?: Readonly<Record<number, string>>;
  /** Status → its meaning, where the name of the status does not tell it. */
  readonly answers?: Readonly<Record<number, string>>;
  /** Ways to be signed in, any of which will do. Default: the ways of the guard; none without a guard. */
  readonly security?: { [scheme: string]: string[] }[];
}

/**
 * Makes the `detail` of a route, its entry in the API reference. The id is camelCase and a verb. Clients name their functions after it, so
 * no id is ever renamed.
 */
export function operation(operationId: string, { cookies = {}, answers = {}, ...detail }: OperationOptions) {
  const statuses = new Set([...Object.keys(cookies), ...Object.keys(answers)].map(Number));
  const responses = Object.fromEntries(
    [...statuses].map((status) => {
      const setCookie = { description: cookies[status] ?? "", schema: { type: "string" as const } };
      const headers = cookies[status] === undefined ? {} : { headers: { "Set-Cookie": setCookie } };
      return [status, { description: answers[status] ?? "", ...headers }];
    }),
  );
  return { operationId, ...detail, responses };
}

/** Keeps a route out of the API reference, such as a page. */
export const hidden = { detail: { hide: true } } as const;
