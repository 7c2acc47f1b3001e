import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { DelegatedRow, ProviderAuth } from "../../auth/index.ts";
import { isId } from "../../core/ids.ts";
import { asksConsent, letsIn, scopesOf, type Client } from "../client/client.ts";
import { readDelegation } from "./delegation.ts";
import type { Tokens } from "./tokens.ts";

interface IntrospectionOptions {
  readonly auth: Pick<ProviderAuth, "delegations" | "actorOf">;
  readonly tokens: Tokens;
  /** Returns a client as it is kept here: for a token no document is read anew. */
  readonly byId: (id: string) => Promise<Client | undefined>;
}

const Claims = Type.Object({
  iss: Type.String(),
  sub: Type.String(),
  aud: Type.Union([Type.String(), Type.Array(Type.String())]),
  client_id: Type.String(),
  scope: Type.String(),
  sid: Type.Optional(Type.String()),
  jti: Type.String(),
  iat: Type.Number(),
  exp: Type.Number(),
  cnf: Type.Optional(Type.Object({ jkt: Type.String() })),
});

/** Says what is behind a token, decided by its session's row as everywhere (RFC 7662 §2.2). */
export function createIntrospection({ auth: { delegations, actorOf }, tokens, byId }: IntrospectionOptions) {
  /** Whether a session serves its client now: it is live, and its person has the role that the client asks for. */
  const serves = (row: DelegatedRow | undefined, client: Client): row is DelegatedRow =>
    row?.clientId === client.id && delegations.flawOf(row) === undefined && letsIn(client, row);

  /** Returns what an access token says, its client and the session behind it; a token of a client that acts for itself has none. */
  async function read(token: string) {
    const claims = await tokens.verifyAccess(token);
    if (!Value.Check(Claims, claims)) return undefined;
    const jkt = claims.cnf?.jkt;
    const { sid } = claims;
    const [client, row] = await Promise.all([
      byId(claims.client_id),
      sid !== undefined && isId(sid) ? delegations.find(sid) : undefined,
    ]);
    if (client === undefined) return undefined;
    if (sid === undefined) return { claims, jkt, client, row: undefined };
    return serves(row, client) ? { claims, jkt, client, row } : undefined;
  }

  const aboutPerson = (row: DelegatedRow | undefined, scope: string) =>
    row === undefined
      ? {}
      : {
          username: row.username,
          ...(scopesOf(scope).includes("email") && { email: row.email, email_verified: row.emailVerifiedAt !== null }),
          ...(scopesOf(scope).includes("roles") && { roles: scopesOf(row.roles) }),
        };

  /** Says what is behind an access token. */
  function aboutAccess({ claims, row }: NonNullable<Awaited<ReturnType<typeof read>>>) {
    const type = claims.cnf === undefined ? "Bearer" : "DPoP";
    return { active: true as const, ...aboutPerson(row, claims.scope), ...claims, token_type: type };
  }

  return {
    read,

    /**
     * Answers a backend about an access token of an operator's own program; undefined for any other: tokens of programs that people are asked
     * about open no backend of the operator's.
     */
    async ofAccess(token: string) {
      const found = await read(token);
      return found === undefined || asksConsent(found.client) ? undefined : aboutAccess(found);
    },

    /**
     * Returns whose token a program shows to a resource server, or to a backend that names none; what was not granted is empty. Undefined for a
     * token that is not good, of nobody, for another one, or bound to a key whose proof was not shown. A program of others opens a resource server
     * alone, by name: its person was asked about that one.
     */
    async bearerOf(token: string, resource: string | undefined) {
      const found = await read(token);
      if (found?.row === undefined || found.jkt !== undefined) return undefined;
      const { row, claims } = found;
      const isOwn = claims.aud === claims.client_id && !asksConsent(found.client);
      if (resource === undefined ? !isOwn : ![claims.aud].flat().includes(resource)) return undefined;
      const granted = scopesOf(claims.scope);
      return {
        id: row.id,
        userId: row.userId,
        username: row.username,
        email: granted.includes("email") ? row.email : "",
        emailVerifiedAt: granted.includes("email") ? row.emailVerifiedAt : null,
        roles: granted.includes("roles") ? row.roles : "",
        provedAt: row.provedAt,
        cameBy: row.cameBy,
        factor: row.factor,
        impersonatorId: row.impersonatorId,
        clientId: claims.client_id,
        scope: claims.scope,
      };
    },

    /**
     * Answers a client about refresh tokens of its own, and about access tokens: an operator's own client about any of them, as a resource
     * server asks, and another one about those that it holds itself.
     */
    async forClient(token: string, client: Client) {
      const access = await read(token);
      if (access !== undefined)
        return access.client.id === client.id || !asksConsent(client) ? aboutAccess(access) : undefined;
      const row = await delegations.ofRefreshToken(token);
      if (!serves(row, client)) return undefined;
      const { scope } = readDelegation(row.delegation);
      return {
        active: true as const,
        client_id: client.id,
        sub: row.userId,
        ...aboutPerson(row, scope),
        scope,
        sid: row.id,
        ...actorOf(row),
        iss: tokens.issuer,
        exp: Math.floor(row.expiresAt / 1000),
      };
    },
  };
}

export type Introspect = ReturnType<typeof createIntrospection>;
