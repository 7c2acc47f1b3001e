import { Type, type Static } from "@sinclair/typebox";
import type { Browsing, Client as Requester, Delegations } from "../../auth/index.ts";
import { minute, second, type Clock } from "../../core/clock.ts";
import { mac, randomToken, tokenHash } from "../../core/crypto.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import { jsonAs } from "../../core/text/json.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Disclosed } from "../authorize/consents.ts";
import { resourcesOf, scopeOf } from "../authorize/request.ts";
import { scopesOf, type Client } from "../client/client.ts";
import { invalidGrant, OAuthError } from "../protocol/errors.ts";
import type { Params } from "../protocol/params.ts";
import { writeDelegation } from "../token/delegation.ts";
import { parentFacts, ParentFacts } from "../token/parent.ts";
import type { DeviceRepository, DeviceRow } from "./device.repository.ts";
import { newUserCode, readUserCode } from "./user.code.ts";

interface DeviceOptions {
  readonly rows: DeviceRepository;
  readonly delegations: Pick<Delegations, "open">;
  /** Codes for people are short: without this key their hashes could be tried out. */
  readonly key: Uint8Array;
  readonly clock: Clock;
}

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

const ttlMs = 10 * minute;
const intervalMs = 5 * second;
const slowerMs = 5 * second;
/** A device that keeps to the interval is not blamed for a network that doesn't. */
const toleranceMs = second / 2;
const mostTries = 5;

const Asked = Type.Object({
  scope: Type.String(),
  resources: Type.Array(Type.String()),
  parent: Type.Optional(ParentFacts),
});

/** A device that waits for its person, and what it asks for. */
export interface Waiting extends Static<typeof Asked> {
  readonly row: DeviceRow;
}

/** What the person of a device is asked about. */
export const disclosedBy = ({ scope, resources }: Pick<Waiting, "scope" | "resources">): Disclosed => ({
  scopes: scopesOf(scope),
  resources,
});

function readAsked({ request }: DeviceRow): Static<typeof Asked> {
  const asked = jsonAs(Asked, request);
  if (asked === undefined) throw new Error("what a device asks for is not readable");
  return asked;
}

/** Throws for a client that has no business with devices: one that runs in a browser or on a server leads its people there itself. */
export function requireDeviceClient({ origin, settings: { type, fapi, redirect_uris: uris } }: Client): void {
  if (type !== "native" || fapi)
    throw new OAuthError("unauthorized_client", "Codes for devices are for native clients.");
  // Nobody is led there: a program that registers itself could name any host, and people would know it by that one.
  if (origin === "registration" && uris.some((uri) => uri.startsWith("https:")))
    throw new OAuthError("unauthorized_client", "A program that names a web address leads people there.");
}

/** Devices whose person allows them on another one, within ten minutes and once (RFC 8628). */
export function createDevices({ rows, delegations, key, clock }: DeviceOptions) {
  const userHash = (code: string): string => mac(key, `user-code.${code}`);
  const refused = (why: ProgramFlaw): OAuthError => invalidGrant("The device code is not good.", why);

  return {
    /** Begins a request. Throws `invalid_scope` and `invalid_target`. */
    async begin(client: Client, params: Params, { address, userAgent }: Requester) {
      const request = JSON.stringify({
        scope: scopeOf(client, params.get("scope")),
        resources: [...resourcesOf(params)],
      } satisfies Static<typeof Asked>);
      const device = randomToken();
      const now = clock.now();
      for (let tries = 0; tries < mostTries; tries += 1) {
        const code = newUserCode();
        const isNew = await rows.insert({
          deviceHash: tokenHash(device),
          userCodeHash: userHash(code),
          clientId: client.id,
          request,
          address,
          userAgent: userAgent.slice(0, 512),
          intervalMs,
          createdAt: now,
          expiresAt: now + ttlMs,
        });
        if (isNew) return { device, code, expiresInSeconds: ttlMs / second, intervalSeconds: intervalMs / second };
      }
      throw new OAuthError("temporarily_unavailable", "There is no code left.");
    },

    /** Returns the device that shows this code and still waits. */
    async waitingFor(typed: string): Promise<Waiting | undefined> {
      const code = readUserCode(typed);
      const row = code === undefined ? undefined : await rows.findWaiting(userHash(code), clock.now());
      return row && { row, ...readAsked(row) };
    },

    /** Returns the statement by which a person answers, for a device that still waits. */
    answer(
      { row: { deviceHash }, scope, resources }: Waiting,
      viewer: Browsing,
      state: "allowed" | "denied",
    ): Statement {
      const request = JSON.stringify({ scope, resources, parent: parentFacts(viewer) } satisfies Static<typeof Asked>);
      return rows.answer({
        deviceHash,
        request,
        state,
        userId: viewer.userId,
        parentId: viewer.id,
        now: clock.now(),
      });
    },

    /** Opens the session of a device that was allowed. Throws what the device is told (RFC 8628 §3.5). */
    async redeem(device: string, client: Client, requester: Requester, jkt: string | undefined) {
      const hash = tokenHash(device);
      const row = await rows.find(hash);
      if (row === undefined) throw refused("unknown_code");
      if (row.clientId !== client.id) throw refused("other_client");
      const now = clock.now();
      if (row.state === "used") throw refused("code_reused");
      if (row.expiresAt <= now) throw new OAuthError("expired_token", "The device code has expired.");
      if (row.state === "denied") throw new OAuthError("access_denied", "The person did not allow it.");
      const { scope, resources, parent } = readAsked(row);
      const { userId, parentId } = row;
      if (userId === null || parentId === null || parent === undefined) {
        if (await rows.poll(hash, now, toleranceMs))
          throw new OAuthError("authorization_pending", "The person has not answered yet.");
        await rows.slowDown(hash, now, slowerMs);
        throw new OAuthError("slow_down", "This is asked too often.");
      }
      const opened = delegations.open({
        parent: { id: parentId, userId, ...parent },
        clientId: client.id,
        isStanding: scopesOf(scope).includes("offline_access"),
        delegation: writeDelegation({ scope, resources, ...(jkt !== undefined && { jkt }) }),
        client: requester,
      });
      return {
        ...opened,
        userId,
        nonce: undefined,
        statements: [...opened.statements, rows.use(hash, opened.id, now)],
        /** Says why the batch was undone. */
        lost: async (): Promise<OAuthError> =>
          refused((await rows.find(hash))?.state === "used" ? "code_reused" : "session_ended"),
      };
    },
  };
}

export type Devices = ReturnType<typeof createDevices>;
