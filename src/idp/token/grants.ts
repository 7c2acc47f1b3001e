import type { Client as Requester, DelegatedRow, ProviderAuth } from "../../auth/index.ts";
import type { Codes } from "../authorize/codes.ts";
import type { Statement } from "../../drivers/database/index.ts";
import { resourcesOf } from "../authorize/request.ts";
import { deviceGrant, requireDeviceClient, type Devices } from "../device/devices.ts";
import { nameOfClient } from "../client/client.name.ts";
import { keepsNoSecret, letsIn, scopesOf, type Client } from "../client/client.ts";
import { invalidGrant, invalidRequest, OAuthError } from "../protocol/errors.ts";
import type { Params } from "../protocol/params.ts";
import { readDelegation } from "./delegation.ts";
import type { TokenAnswer, Tokens } from "./tokens.ts";

/** A request for tokens by a client that has proven who it is. */
export interface Asked {
  readonly client: Client;
  readonly params: Params;
  readonly requester: Requester;
  /** The thumbprint of the key that the request proves to hold. */
  readonly jkt: string | undefined;
}

export type Grant = (asked: Asked) => Promise<TokenAnswer>;

interface GrantOptions {
  readonly auth: Pick<ProviderAuth, "delegations" | "journal">;
  readonly codes: Codes;
  readonly devices: Devices;
  readonly tokens: Tokens;
}

const required = (params: Params, name: string): string => {
  const value = params.get(name);
  if (value === undefined) throw invalidRequest(`${name} is missing.`);
  return value;
};

/** Returns what of the granted resources a request asks for (RFC 8707 §2.2). */
function narrowed(granted: readonly string[], params: Params): readonly string[] | undefined {
  const asked = resourcesOf(params);
  if (asked.length === 0) return undefined;
  if (!asked.every((resource) => granted.includes(resource)))
    throw new OAuthError("invalid_target", "This resource was not granted.");
  return asked;
}

/** A session that is about to be opened by a proof that is good once. */
interface Opened {
  readonly id: string;
  readonly userId: string;
  readonly refresh: string;
  readonly nonce: string | undefined;
  readonly statements: readonly Statement[];
  readonly lost: () => Promise<OAuthError>;
}

/** The grants of RFC 6749 and 8628 that stand on a person's session. */
export function createGrants({ auth, codes, devices, tokens }: GrantOptions) {
  const { delegations, journal } = auth;

  /** Reads the session once more after it was opened: what ended meanwhile gives no tokens. */
  async function openedRow(id: string): Promise<DelegatedRow> {
    const row = await delegations.find(id);
    if (row === undefined || delegations.flawOf(row) !== undefined)
      throw invalidGrant("The session has ended.", "session_ended");
    return row;
  }

  /** Opens a session with what it came of used up, and makes its tokens. */
  async function issue(opened: Opened, { client, params, requester, jkt }: Asked): Promise<TokenAnswer> {
    const done = await journal.commit({
      statements: opened.statements,
      tell: [
        {
          topic: "auth.client-authorized",
          payload: { user_id: opened.userId, session_id: opened.id, client_id: client.id },
          by: { actor: "user", origin: requester },
          program: nameOfClient(client),
        },
      ],
    });
    if (!done.applied) throw await opened.lost();
    const row = await openedRow(opened.id);
    try {
      if (!letsIn(client, row)) throw invalidGrant("The person may not use this client.", "role_missing");
      const resources = narrowed(readDelegation(row.delegation).resources, params);
      return await tokens.ofSession(row, client, { refresh: opened.refresh, nonce: opened.nonce, resources, jkt });
    } catch (error) {
      // Nobody has the tokens of this session: a hook may have refused them.
      await delegations.end(row, "client_ended", { actor: "system" });
      throw error;
    }
  }

  const byCode: Grant = async (asked) => {
    const { client, params, requester, jkt } = asked;
    const shown = {
      code: required(params, "code"),
      redirectUri: params.get("redirect_uri"),
      verifier: params.get("code_verifier"),
      jkt,
    };
    const opened = await codes.redeem(shown, client, requester, async (sessionId) => {
      const row = await delegations.find(sessionId);
      const by = { actor: "service", service: client.name, origin: requester } as const;
      if (row !== undefined) await delegations.end(row, "code_reused", by);
    });
    return issue(opened, asked);
  };

  const byDevice: Grant = async (asked) => {
    const { client, params, requester, jkt } = asked;
    requireDeviceClient(client);
    return issue(await devices.redeem(required(params, "device_code"), client, requester, jkt), asked);
  };

  const byRefreshToken: Grant = async ({ client, params, requester, jkt }) => {
    const scope = params.get("scope");
    const refresh = required(params, "refresh_token");
    const asked = (row: DelegatedRow) => {
      const granted = readDelegation(row.delegation);
      if (scope !== undefined && !scopesOf(scope).every((each) => scopesOf(granted.scope).includes(each)))
        throw new OAuthError("invalid_scope", "This scope was not granted.");
      // A client that keeps no secret proves by its key that the token is its own (RFC 9449 §5).
      if (keepsNoSecret(client) && granted.jkt !== undefined && granted.jkt !== jkt)
        throw invalidGrant("The refresh token is bound to another key.", "other_key");
      if (!letsIn(client, row)) throw invalidGrant("The person may not use this client.", "role_missing");
      return narrowed(granted.resources, params);
    };
    const holder = { clientId: client.id, keepsToken: client.settings.fapi };
    const refreshed = await delegations.refresh(refresh, holder, requester, (row) => void asked(row));
    if ("refused" in refreshed) throw invalidGrant("The refresh token is not good.", refreshed.refused);
    const { row, refresh: next } = refreshed;
    return tokens.ofSession(row, client, { refresh: next, scope, resources: asked(row), jkt });
  };

  const byClient: Grant = async ({ client, params, jkt }) => {
    const { type, scope: allowed } = client.settings;
    // A program that registers itself would get tokens of ours for any resource server that it names.
    if (client.origin !== "operator" || (type !== "machine" && type !== "web"))
      throw new OAuthError("unauthorized_client", "This client has no access of its own.");
    const granted = type === "machine" ? scopesOf(allowed) : [];
    const wanted = scopesOf(params.get("scope") ?? granted.join(" "));
    if (!wanted.every((scope) => granted.includes(scope)))
      throw new OAuthError("invalid_scope", "The client may not have this scope.");
    return tokens.ofClient(client, { scope: wanted.join(" "), resources: resourcesOf(params), jkt });
  };

  return {
    authorization_code: byCode,
    refresh_token: byRefreshToken,
    client_credentials: byClient,
    [deviceGrant]: byDevice,
  } as const satisfies Readonly<Record<string, Grant>>;
}

export type Grants = ReturnType<typeof createGrants>;
