import { Elysia } from "elysia";
import type { By } from "../core/audit.ts";
import { AppError } from "../core/errors.ts";
import type { Scope } from "../core/people/scopes.ts";
import { bearerToken, requireKnown } from "../http/index.ts";
import type { Client, ServiceAccounts } from "./services.ts";

export interface Caller {
  /** The actor under which the audit log records what the service does. */
  readonly by: By;
  has(scope: Scope): boolean;
  /** Throws `forbidden` where the service lacks the scope, for actions that take more than the route's own scope. */
  require(scope: Scope): void;
}

export const serviceSecurityScheme = {
  service: { type: "http", scheme: "bearer", description: "The secret of a service, as service:create prints it" },
} as const;

/** What a route asks of a service that sends parameters. */
interface Need {
  readonly scope: Scope;
  /** The schema of the parameters that the route takes; by default it takes none. */
  readonly query: { readonly properties: object };
}
const noParameters = { properties: {} };

const insufficient = (scope: Scope): string => `Bearer error="insufficient_scope", scope="${scope}"`;

/**
 * Makes `requireService`: a route that asks for it takes the secret of a service that has the scope, and nobody's session. The route gets
 * its `caller`. Parameters that it does not have are refused, as a program is told that it has misspelt one.
 */
export function createServiceGuard(accounts: ServiceAccounts, clientOf: (request: Request) => Client) {
  const callers = new WeakMap<Request, Caller>();

  return new Elysia({ name: "require-service" }).macro({
    requireService: (need: Scope | Need) => ({
      detail: { security: [{ service: [] }] },
      /** Authenticates the service before the body is validated. The challenges are those of RFC 6750 §3. */
      async transform({ request, set }) {
        const client = clientOf(request);
        const { scope, query } = typeof need === "string" ? { scope: need, query: noParameters } : need;
        try {
          const { name, scopes } = await accounts.authenticate(bearerToken(request), scope, client);
          const by = { actor: "service", service: name, origin: client } as const;
          const has = (other: Scope): boolean => scopes.split(" ").includes(other);
          const require = (other: Scope): void => {
            if (has(other)) return;
            set.headers["www-authenticate"] = insufficient(other);
            throw new AppError("forbidden");
          };
          callers.set(request, { by, has, require });
        } catch (error) {
          if (error instanceof AppError && (error.status === 401 || error.status === 403))
            set.headers["www-authenticate"] = error.reason === "forbidden" ? insufficient(scope) : "Bearer";
          throw error;
        }
        requireKnown(request, query);
      },
      resolve({ request }) {
        const caller = callers.get(request);
        if (caller === undefined) throw new AppError("unauthorized");
        return { caller };
      },
    }),
  });
}

export type ServiceGuard = ReturnType<typeof createServiceGuard>;
