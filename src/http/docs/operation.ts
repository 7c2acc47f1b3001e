import type { DocumentDecoration } from "elysia";

/** A parameter that the route reads by itself. */
export interface QueryParameter {
  name: string;
  in: "query";
  description: string;
  schema: { type: "string"; pattern?: string; enum?: string[] };
}

interface OperationOptions extends Pick<DocumentDecoration, "description" | "requestBody"> {
  readonly summary: string;
  readonly parameters?: QueryParameter[];
  /** Status → the cookies that an answer with it sets, in words. */
  readonly cookies?: Readonly<Record<number, string>>;
  /** Status → what it means, where the word for the status does not say it. */
  readonly answers?: Readonly<Record<number, string>>;
  /** Ways to be signed in, any of which will do. Default: those of the guard, none without one. */
  readonly security?: { [scheme: string]: string[] }[];
}

/**
 * The `detail` of a route: how the API reference calls it. The id is camelCase and a verb; clients call their function by it, so none is
 * renamed.
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

/** For routes that the API reference leaves out, such as pages. */
export const hidden = { detail: { hide: true } } as const;
