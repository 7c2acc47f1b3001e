import type { DocumentDecoration } from "elysia";

/** A query parameter that the route itself reads. */
export interface QueryParameter {
  name: string;
  in: "query";
  description: string;
  required?: boolean;
  schema: { type: "string"; pattern?: string; minLength?: number; maxLength?: number; enum?: string[] };
}

interface OperationOptions extends Pick<DocumentDecoration, "description" | "requestBody"> {
  readonly summary: string;
  readonly parameters?: QueryParameter[];
  /** Status → the cookies that an answer with this status sets, in words. */
  readonly cookies?: Readonly<Record<number, string>>;
  /** Status → its meaning, where the name of the status does not tell it. */
  readonly answers?: Readonly<Record<number, string>>;
  /** What the header `ETag` of a 200 stands for, where it has one. */
  readonly etag?: string;
  /** Ways to be signed in, any of which will do. Default: the ways of the guard; none without a guard. */
  readonly security?: { [scheme: string]: string[] }[];
}

const header = (name: string, description: string | undefined) =>
  description === undefined ? {} : { [name]: { description, schema: { type: "string" as const } } };

/**
 * Makes the `detail` of a route, its entry in the API reference. The id is camelCase and a verb. Clients name their functions after it, so
 * no id is ever renamed.
 */
export function operation(operationId: string, { cookies = {}, answers = {}, etag, ...detail }: OperationOptions) {
  const tags: Readonly<Record<number, string>> = etag === undefined ? {} : { 200: etag };
  const statuses = new Set([cookies, answers, tags].flatMap((each) => Object.keys(each)).map(Number));
  const responses = Object.fromEntries(
    [...statuses].map((status) => {
      const headers = { ...header("Set-Cookie", cookies[status]), ...header("ETag", tags[status]) };
      return [status, { description: answers[status] ?? "", ...(Object.keys(headers).length > 0 && { headers }) }];
    }),
  );
  return { operationId, ...detail, responses };
}

/** Keeps a route out of the API reference, such as a page. */
export const hidden = { detail: { hide: true } } as const;

/** The groups of routes, in the words of the API reference. */
const groups = {
  Account: "Registering, and the account's own data",
  Apps: "The programs that people have signed in to by their account here",
  "Email verification": "Proving that a mailbox is one's own",
  "For your own apps": "Who is calling, for the proxies and backends of other apps",
  Identities: "The providers by which an account signs in",
  Invitations: "Accepting an invitation by the token of its mail",
  Lighthouse: "What the app did, for operators",
  OAuth:
    "Signing in through GitHub, Google, Microsoft, Apple or another OpenID provider. Browsers navigate to these routes and are redirected",
  Organizations: "Companies and teams of people: members with roles, invitations, and the one that a session acts for",
  Passkeys: "Signing in with a passkey, and the passkeys of one's own account",
  Password: "Changing a password, and resetting a forgotten one",
  "Personal tokens": "Tokens that people make for their own scripts",
  Probes: "For load balancers and monitoring",
  Sample: "What an application behind the guard looks like",
  "Second factors": "Authenticator app, recovery codes and passkeys of one's own account",
  Sessions: "Signing in and out, and what is signed in",
  "Sign-in by mail": "Signing in by the link or the code of a mail, without a password",
  Users: "Looking after accounts, for backends with the secret of a service",
} as const;

export const groupsInWords: Readonly<Record<string, string>> = groups;

/** Puts a chain of routes into a group; goes among the options of its `new Elysia`. */
export const grouped = (name: keyof typeof groups) => ({ tags: [name] });
