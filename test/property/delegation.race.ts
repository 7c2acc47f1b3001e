import { createDelegationRepository } from "../../src/auth/delegation/delegation.repository.ts";
import { createDelegations } from "../../src/auth/delegation/delegations.ts";
import { createLiveness } from "../../src/auth/session/liveness.ts";
import { createRefreshTokens } from "../../src/auth/session/refresh.token.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createCodeRepository } from "../../src/idp/authorize/code.repository.ts";
import { createDeviceRepository } from "../../src/idp/device/device.repository.ts";
import { createDevices } from "../../src/idp/device/devices.ts";
import { createCodes } from "../../src/idp/authorize/codes.ts";
import { createClientRepository } from "../../src/idp/client/client.repository.ts";
import type { Client } from "../../src/idp/client/client.ts";
import { completed } from "../../src/idp/client/client.settings.ts";
import { OAuthError } from "../../src/idp/protocol/errors.ts";
import { createGrants } from "../../src/idp/token/grants.ts";
import type { Tokens } from "../../src/idp/token/tokens.ts";
import { readParams } from "../../src/idp/protocol/params.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";
import { rowsOf, yielding } from "./interleaver.ts";
import { sessionOf } from "./player.ts";
import { address, createServices, quickHash, sessionOfSignIn, type Services } from "./service.inprocess.ts";
import { createTurns, type seededChoice } from "./turns.ts";

const secret = "a signing key of the test, of no use elsewhere";
const login = "ada@example.test";
export const password = "the password at the start";
const redirectUri = "https://shop.example.test/callback";

/** Answers without signatures, which no interleaving can get wrong: the refresh token and the session are what counts. */
const quickTokens: Tokens = {
  issuer: "https://id.example.test",
  ofSession: (row, _client, { refresh }) =>
    Promise.resolve({
      access_token: row.id,
      token_type: "Bearer",
      expires_in: 1,
      scope: "openid",
      refresh_token: refresh,
    }),
  ofClient: () => Promise.reject(new Error("nobody asks for this")),
  verifyAccess: () => Promise.resolve(undefined),
  readHint: () => Promise.resolve(undefined),
};

/** A process: the services of accounts, and what programs do. */
function createProcess(database: Database, behind: Database) {
  const services = createServices({ database, behind, clock: systemClock });
  const delegations = createDelegations({
    config: { sessionTtlMs: 24 * hour, rememberSessionTtlMs: 720 * hour },
    database,
    journal: services.journal,
    users: createUserRepository(database),
    sessions: createSessionRepository(database, "app"),
    rows: createDelegationRepository(database),
    liveness: createLiveness({ idleTtlMs: 2 * hour, clock: systemClock }),
    refreshTokens: createRefreshTokens(secret, []),
    clock: systemClock,
  });
  const codes = createCodes({ database, rows: createCodeRepository(database), delegations, clock: systemClock });
  const devices = createDevices({
    rows: createDeviceRepository(database),
    delegations,
    key: new TextEncoder().encode(secret),
    clock: systemClock,
  });
  const auth = { delegations, journal: services.journal };
  return {
    services,
    delegations,
    codes,
    grants: createGrants({ auth, codes, devices, tokens: quickTokens }),
  };
}

export type Process = ReturnType<typeof createProcess>;
export interface Held {
  readonly session: Parameters<Services["passwords"]["change"]>[0];
  readonly code: string;
  readonly refresh: string;
  /** The id of the session that the refresh token belongs to. */
  readonly sid: string;
}
export type Act = (process: Process, held: Held, client: Client) => Promise<unknown>;

const byForm = (fields: Readonly<Record<string, string>>) => readParams(new URLSearchParams({ ...fields }));

/** What a program does with a code and with a refresh token. */
export const programActs: Readonly<Record<string, Act>> = {
  "a code is swapped": ({ grants }, { code }, client) =>
    grants.authorization_code({
      client,
      params: byForm({ code, redirect_uri: redirectUri }),
      requester: address,
      jkt: undefined,
    }),
  "a token is refreshed": ({ grants }, { refresh }, client) =>
    grants.refresh_token({ client, params: byForm({ refresh_token: refresh }), requester: address, jkt: undefined }),
  "a token is revoked": async ({ delegations }, { sid }) => {
    const row = await delegations.find(sid);
    if (row !== undefined) await delegations.end(row, "client_ended", { actor: "system" });
  },
};

/** Makes an account with a browser, a program that holds a session and a code, and two processes whose calls of the database take turns. */
export async function createDelegationRace(isStanding: boolean) {
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;
  let turns = createTurns(() => 0);
  const turning = yielding(database, (reads) => turns.turn(reads));
  const processes = [createProcess(turning, database), createProcess(turning, database)] as const;
  const [{ services, codes, grants }] = processes;
  const id = newId();
  const names = { username: "ada", usernameKey: "ada", email: login, emailKey: login, displayName: "Ada" };
  const user = freshUser({ id, ...names, passwordHash: quickHash(password), emailVerifiedAt: 1, createdAt: 1 });
  const client: Client = {
    id: newId(),
    name: "Shop",
    origin: "operator",
    settings: completed({
      type: "web",
      redirect_uris: [redirectUri],
      backchannel_logout_uri: "https://shop.example.test/logout",
    }),
    secretHash: null,
    createdAt: 1,
    updatedAt: 1,
    lastUsedAt: null,
  };
  await database.batch([
    createUserRepository(database).insert(user, 1),
    ...createClientRepository(database).insert(client),
  ]);

  const { issued } = sessionOfSignIn(await services.login.login(login, password, address, false));
  const credentials = { bearer: issued.access, access: undefined, refresh: () => undefined };
  const found = await services.sessions.authenticate({ ...credentials, all: () => ({ access: [], refresh: [] }) });
  if ("refused" in found) throw new Error(found.refused);
  const { session } = found;
  const parent = {
    id: session.id,
    userId: id,
    provedAt: 1,
    remembered: 0,
    expiresAt: session.expiresAt,
    cameBy: "password",
    factor: null,
  } as const;
  async function makeCode(): Promise<string> {
    const delegation = { scope: "openid", resources: [] };
    const { code, statement } = codes.make(client, parent, { redirectUri, delegation, isStanding });
    await database.batch([statement]);
    return code;
  }
  const first = await grants.authorization_code({
    client,
    params: byForm({ code: await makeCode(), redirect_uri: redirectUri }),
    requester: address,
    jkt: undefined,
  });
  const held: Held = { session, code: await makeCode(), refresh: first.refresh_token ?? "", sid: first.access_token };
  if (sessionOf(issued.access) !== session.id) throw new Error("the access token is of another session");
  const tables = ["users", "auth_sessions", "idp_codes"];
  const initial = (await Promise.all(tables.map((table) => rowsOf(database, table)))).flat();
  const restore = ["auth_attempts", "users", "jobs"].map((table) => ({ sql: `delete from ${table}` }));

  return {
    database,
    processes,
    held,
    client,
    /** Puts everything back as it was, and runs the tasks at the same time. Resolves to how each task ended. */
    async play(where: string, choose: ReturnType<typeof seededChoice>, tasks: readonly (() => Promise<unknown>)[]) {
      await database.batch([...restore, ...initial]);
      turns = createTurns((waiting) => choose(waiting.length));
      const outcomes: string[] = tasks.map(() => "");
      await turns.together(
        tasks.map((task, index) => async () => {
          try {
            await task();
            outcomes[index] = "done";
          } catch (error) {
            if (error instanceof AppError) outcomes[index] = error.reason;
            else if (error instanceof OAuthError) outcomes[index] = error.code;
            else throw new Error(where, { cause: error });
          }
        }),
      );
      return outcomes;
    },
    async [Symbol.asyncDispose]() {
      for (const { services: each } of processes) await each.close();
      await temporary.dispose();
    },
  };
}
