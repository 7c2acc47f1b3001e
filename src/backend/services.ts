import { byOperator, auditEntry, type AuditEntry, type Occurrence, type Origin } from "../core/audit.ts";
import { second, type Clock } from "../core/clock.ts";
import { tokenHash } from "../core/crypto.ts";
import { AppError } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Database, Statement } from "../drivers/database/index.ts";
import type { Scope } from "../core/people/scopes.ts";
import { createPacing } from "../core/pace/pacing.ts";
import { isServiceSecret, newServiceSecret } from "./secret.ts";
import type { ServiceRepository, ServiceRow } from "./service.repository.ts";

/** Records uses behind the answers: those of one key share a row, with their number. */
export interface Uses {
  add(
    key: string,
    use: {
      readonly occurrence: Occurrence & { readonly topic: "service.used" | "service.refused" };
      /** Returns a statement to run with the row. */
      readonly also?: () => Statement;
    },
  ): void;
}

interface ServicesOptions {
  readonly database: Database;
  readonly services: ServiceRepository;
  readonly audit: { row(entry: AuditEntry): Statement };
  readonly uses: Uses;
  readonly clock: Clock;
}

/** The sender of a request, with the bucket that its address is counted in. */
export interface Client extends Origin {
  readonly bucket: string;
}

/** Requests of one service: enough for a backend that asks at each of its own requests, and cheap compared with password checks. */
const requestsPerSecond = 1_000;
const refusalsPerSecond = 50;
const longestWaitMs = 5 * second;

/** Makes, revokes and authenticates services: backends that act with a secret of their own. */
export function createServiceAccounts({ database, services, audit, uses, clock }: ServicesOptions) {
  const paceService = createPacing({ perSecond: requestsPerSecond, longestWaitMs });
  const paceAddress = createPacing({ perSecond: refusalsPerSecond, longestWaitMs });

  /** Commits a change by an operator with its row in the audit log. Resolves to whether anything changed. */
  async function commit(action: "service.created" | "service.revoked", name: string, change: Statement) {
    const payload = { service: name, count: 1 };
    const row = audit.row(auditEntry({ topic: action, payload, by: byOperator }, clock.now()));
    return (await database.batch([change, row])).applied;
  }

  /** Refuses a wrong secret. Only wrong ones wait: a right one from the same address is served meanwhile. */
  async function refuse(service: ServiceRow | undefined, client: Client): Promise<never> {
    const reason = service === undefined ? "unknown_secret" : "revoked";
    const payload = { service: service?.name ?? null, count: 1 };
    const by = { actor: "anonymous", origin: client } as const;
    uses.add(`${reason} ${service?.id ?? ""} ${client.bucket}`, {
      occurrence: { topic: "service.refused", payload, by, outcome: "failure", reason },
    });
    await paceAddress(client.bucket);
    throw new AppError("unauthorized");
  }

  return {
    /** Makes a service; undefined when another one has the name. Its secret is never shown again. */
    async create(name: string, scopes: readonly Scope[]) {
      const secret = newServiceSecret();
      const service = { id: newId(), name, scopes: scopes.join(" "), createdAt: clock.now() };
      const created = await commit("service.created", name, services.insert(service, tokenHash(secret)));
      return created ? { ...service, secret } : undefined;
    },

    /**
     * Revokes a service; false when none has the name. That holds from the next request on, in every process, because the row is read each
     * time.
     */
    revoke: (name: string): Promise<boolean> => commit("service.revoked", name, services.revoke(name, clock.now())),

    list: (): Promise<readonly ServiceRow[]> => services.list(),

    /** Returns the service that the secret belongs to. Throws `unauthorized`, `forbidden` where it lacks the scope, or `rate_limited`. */
    async authenticate(secret: string | undefined, scope: Scope, client: Client): Promise<ServiceRow> {
      if (secret === undefined || !isServiceSecret(secret)) throw new AppError("unauthorized");
      const service = await services.bySecret(tokenHash(secret));
      if (service === undefined || service.revokedAt !== null) return refuse(service, client);
      const isAllowed = service.scopes.split(" ").includes(scope);
      const by = { actor: "service", service: service.name, origin: client } as const;
      const payload = { service: service.name, count: 1 };
      uses.add(`${isAllowed ? "used" : "missing_scope"} ${service.id} ${client.bucket}`, {
        occurrence: {
          topic: "service.used",
          payload,
          by,
          ...(isAllowed ? {} : { outcome: "failure", reason: "missing_scope" }),
        },
        also: () => services.used(service.id, clock.now()),
      });
      await paceService(service.id);
      if (!isAllowed) throw new AppError("forbidden");
      return service;
    },
  };
}

export type ServiceAccounts = ReturnType<typeof createServiceAccounts>;
