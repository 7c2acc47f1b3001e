import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { DelegatedRow, ProviderAuth } from "../../auth/index.ts";
import { isId } from "../../core/ids.ts";
import { asksConsent, scopesOf, type Client } from "../client/client.ts";
import { readDelegation } from "./delegation.ts";
import type { Tokens } from "./tokens.ts";

interface IntrospectionOptions {
  readonly auth: Pick<ProviderAuth, "delegations">;
  readonly tokens: Tokens;
  readonly find: (id: string) => Promise<Client | undefined>;
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
export function createIntrospection({ auth: { delegations }, tokens, find }: IntrospectionOptions) {
  /** Returns what an access token says and the session behind it; a token of a client that acts for itself has none. */
  async function read(token: string) {
    const claims = await tokens.verifyAccess(token);
    if (!Value.Check(Claims, claims)) return undefined;
    const jkt = claims.cnf?.jkt;
    if (claims.sid === undefined) {
      const client = await find(claims.client_id);
      return client === undefined ? undefined : { claims, jkt, row: undefined };
    }
    const row = isId(claims.sid) ? await delegations.find(claims.sid) : undefined;
    return row === undefined || delegations.flawOf(row) !== undefined ? undefined : { claims, jkt, row };
  }

  const aboutPerson = (row: DelegatedRow | undefined, scope: string) =>
    row === undefined
      ? {}
      : {
          username: row.username,
          ...(scopesOf(scope).includes("email") && { email: row.email, email_verified: row.emailVerifiedAt !== null }),
          ...(scopesOf(scope).includes("roles") && { roles: scopesOf(row.roles) }),
        };

  /** Whether backends may take a token for its person: those of programs that people are asked about open no backend of the operator's. */
  async function isOwn({ client_id: id }: { readonly client_id: string }): Promise<boolean> {
    const client = await find(id);
    return client !== undefined && !asksConsent(client);
  }

  /** Answers about an access token; undefined for one that is not good. */
  async function aboutAccess(token: string) {
    const found = await read(token);
    if (found === undefined) return undefined;
    const { claims, row } = found;
    const type = claims.cnf === undefined ? "Bearer" : "DPoP";
    return { active: true as const, ...aboutPerson(row, claims.scope), ...claims, token_type: type };
  }

  return {
    read,

    /** Answers a backend about an access token of an operator's own program; undefined for any other. */
    async ofAccess(token: string) {
      const access = await aboutAccess(token);
      return access !== undefined && (await isOwn(access)) ? access : undefined;
    },

    /**
     * Returns whose token a program shows; what was not granted is empty. Undefined for a token that is not good, of nobody, of a program of
     * others, for a resource server that is named in it, or bound to a key whose proof was not shown.
     */
    async bearerOf(token: string) {
      const found = await read(token);
      if (found?.row === undefined || found.jkt !== undefined) return undefined;
      const { row, claims } = found;
      if (claims.aud !== claims.client_id || !(await isOwn(claims))) return undefined;
      const granted = scopesOf(claims.scope);
      return {
        id: row.id,
        userId: row.userId,
        username: row.username,
        email: granted.includes("email") ? row.email : "",
        emailVerifiedAt: granted.includes("email") ? row.emailVerifiedAt : null,
        roles: granted.includes("roles") ? row.roles : "",
        provedAt: row.provedAt,
      };
    },

    /**
     * Answers a client about refresh tokens of its own, and about access tokens: an operator's own client about any of them, as a resource
     * server asks, and another one about those that it holds itself.
     */
    async forClient(token: string, client: Client) {
      const access = await aboutAccess(token);
      if (access !== undefined) return access.client_id === client.id || !asksConsent(client) ? access : undefined;
      const row = await delegations.ofRefreshToken(token);
      if (row === undefined || row.clientId !== client.id || delegations.flawOf(row) !== undefined) return undefined;
      const { scope } = readDelegation(row.delegation);
      return {
        active: true as const,
        client_id: client.id,
        sub: row.userId,
        ...aboutPerson(row, scope),
        scope,
        sid: row.id,
        iss: tokens.issuer,
        exp: Math.floor(row.expiresAt / 1000),
      };
    },
  };
}

export type Introspect = ReturnType<typeof createIntrospection>;
