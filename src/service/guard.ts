import { Elysia } from "elysia";
import { AppError } from "../core/errors.ts";
import { bearerToken } from "../http/index.ts";
import type { Scope } from "../core/scopes.ts";
import type { Client, ServiceAccounts } from "./services.ts";

interface GuardOptions {
  readonly accounts: ServiceAccounts;
  readonly clientOf: (request: Request) => Client;
}

/** How a service shows its secret, as the OpenAPI document names it. */
export const serviceSecurityScheme = {
  service: { type: "http", scheme: "bearer", description: "The secret of a service, as service:create prints it" },
} as const;

/** `requireService`: a route that asks for it takes the secret of a service that has the scope, and nobody's session. */
export const createServiceGuard = ({ accounts, clientOf }: GuardOptions) =>
  new Elysia({ name: "require-service" }).macro({
    requireService: (scope: Scope) => ({
      detail: { security: [{ service: [] }] },
      /** Runs before the body is validated. The challenges are those of RFC 6750 §3. */
      async transform({ request, set }) {
        try {
          await accounts.authenticate(bearerToken(request), scope, clientOf(request));
        } catch (error) {
          if (error instanceof AppError && (error.status === 401 || error.status === 403))
            set.headers["www-authenticate"] =
              error.reason === "forbidden" ? `Bearer error="insufficient_scope", scope="${scope}"` : "Bearer";
          throw error;
        }
      },
    }),
  });

export type ServiceGuard = ReturnType<typeof createServiceGuard>;
