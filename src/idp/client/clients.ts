import { auditEntry, type AuditEntry, type By } from "../../core/audit.ts";
import { minute, type Clock } from "../../core/clock.ts";
import { randomToken, tokenHash } from "../../core/crypto.ts";
import { newId } from "../../core/ids.ts";
import { isName } from "../../core/naming.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import type { Client, ClientSettings } from "./client.ts";
import type { ClientRepository } from "./client.repository.ts";
import { clientDoubts, clientFaults, completed, type AskedSettings } from "./client.settings.ts";

interface ClientsOptions {
  readonly database: Database;
  readonly rows: ClientRepository;
  readonly audit: { row(entry: AuditEntry): Statement };
  /** Returns the statement that ends what a client holds for people. */
  readonly revokeOfClient: (clientId: string) => Statement;
  /** Returns the statement that forgets what people have let a client have. */
  readonly forgetConsents: (clientId: string) => Statement;
  /** Returns the algorithms by which ID tokens can be signed with the keys that are set. */
  readonly algorithms: () => Promise<readonly string[]>;
  readonly clock: Clock;
}

/** The beginning shows a secret wherever it turns up: in a log, a repository, a paste. */
export const newSecret = (): string => `ghc_${randomToken()}`;

/** Why a client was not made or changed. */
class ClientRefused extends Error {}

export const needsSecret = ({ token_endpoint_auth_method: method }: ClientSettings): boolean =>
  method === "client_secret_basic" || method === "client_secret_post";

/** Makes, changes and removes the clients that an operator has registered. */
export function createClients({
  database,
  rows,
  audit,
  revokeOfClient,
  forgetConsents,
  algorithms,
  clock,
}: ClientsOptions) {
  const recorded = (action: ClientAction, client: string, by: By, reason?: "renamed"): Statement =>
    audit.row(
      auditEntry(
        { topic: action, payload: { service: client, count: 1 }, by, ...(reason !== undefined && { reason }) },
        clock.now(),
      ),
    );

  /** Throws where settings are wrong in themselves, or ask for what no key here can do. */
  async function requireSound(name: string, settings: ClientSettings): Promise<void> {
    const algorithm = settings.id_token_signed_response_alg;
    // Nearly every client takes RS256, for which there always is a key: then no key is read.
    const isSigned = algorithm === "RS256" || (await algorithms()).includes(algorithm);
    const faults = [
      ...clientFaults(settings),
      ...(isSigned ? [] : [`no key here signs with ${algorithm}: API_JWT_PRIVATE_KEY is of another kind`]),
    ];
    if (faults.length > 0) throw new ClientRefused(`program ${name}: ${faults.join("; ")}`);
  }

  function requireName(name: string): void {
    if (!isName("client", name))
      throw new ClientRefused("a program's name has 1 to 64 characters, and none that is invisible");
  }

  async function create(name: string, asked: AskedSettings, by: By) {
    requireName(name);
    const settings = completed(asked);
    await requireSound(name, settings);
    const now = clock.now();
    const secret = needsSecret(settings) ? newSecret() : undefined;
    const client = { id: newId(), name, origin: "operator", settings, createdAt: now, updatedAt: now } as const;
    const secretHash = secret === undefined ? null : tokenHash(secret);
    const made = await database.batch([
      ...rows.insert({ ...client, secretHash }),
      recorded("client.created", name, by),
    ]);
    if (!made.applied) throw new ClientRefused(`there is a program ${name} already: client:update changes it`);
    return { client: { ...client, secretHash, lastUsedAt: null } satisfies Client, secret };
  }

  async function renewSecret(client: Client, by: By): Promise<string> {
    if (!needsSecret(client.settings))
      throw new ClientRefused(`program ${client.name} proves who it is without a secret`);
    const secret = newSecret();
    await database.batch([
      rows.setSecret(client.id, tokenHash(secret), clock.now()),
      recorded("client.secret-changed", client.name, by),
    ]);
    return secret;
  }

  return {
    create,
    renewSecret,
    completed,
    requireName,
    requireSound,
    doubts: clientDoubts,

    /** Returns the names of the settings in which two programs differ; the order of addresses makes no difference. */
    differences(before: ClientSettings, after: ClientSettings): readonly string[] {
      const plain = (value: unknown): string => JSON.stringify(Array.isArray(value) ? value.toSorted() : value);
      const earlier = new Map(Object.entries(before));
      return Object.entries(after).flatMap(([name, value]) =>
        plain(value) === plain(earlier.get(name)) ? [] : [name],
      );
    },

    byId: rows.byId,
    byName: rows.byName,
    list: rows.list,

    /** Changes a client. Resolves to the client as it is then, and to its secret where it has only now needed one. */
    async update(client: Client, { name = client.name, ...changed }: Changes, by: By) {
      const updated = { ...client, name, settings: { ...client.settings, ...changed } };
      const { settings } = updated;
      const isRenamed = name !== client.name;
      if (isRenamed && client.origin !== "operator")
        throw new ClientRefused(`program ${client.name} has its name from itself`);
      if (isRenamed) requireName(name);
      await requireSound(name, settings);
      const { applied } = await database.batch([
        ...rows.update(updated, clock.now()),
        ...(isRenamed ? [recorded("client.updated", client.name, by, "renamed")] : []),
        recorded("client.updated", name, by, isRenamed ? "renamed" : undefined),
      ]);
      if (!applied && isRenamed) throw new ClientRefused(`there is a program ${name} already`);
      const isMissing = needsSecret(settings) && client.secretHash === null;
      return { client: updated, secret: isMissing ? await renewSecret(updated, by) : undefined };
    },

    /** Removes a client for good, and ends what it holds for people. */
    async remove({ id, name }: Client, by: By): Promise<void> {
      // The sessions come first: while the client is there, it is told of their end.
      await database.batch([
        revokeOfClient(id),
        rows.remove(id),
        forgetConsents(id),
        recorded("client.revoked", name, by),
      ]);
    },

    /** Writes down that a client was here, at most once a minute. */
    async used({ id, lastUsedAt, origin }: Client): Promise<void> {
      const now = clock.now();
      if (origin === "document" || (lastUsedAt !== null && lastUsedAt > now - minute)) return;
      const { sql, params } = rows.used(id, now, now - minute);
      await database.run(sql, params);
    },
  };
}

export type Clients = ReturnType<typeof createClients>;
type Changes = Partial<ClientSettings> & { readonly name?: string };
type ClientAction = "client.created" | "client.updated" | "client.secret-changed" | "client.revoked";
