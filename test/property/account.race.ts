import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { temporaryDatabase } from "../support/database.ts";
import { rowsOf, yielding } from "./interleaver.ts";
import { sessionOf } from "./player.ts";
import { address, createServices, quickHash, type Services, sessionOfSignIn } from "./service.inprocess.ts";
import { createTurns, seededChoice } from "./turns.ts";

const login = "ada@example.test";
export const password = "the password at the start";

/** A browser that is signed in, with the tokens that it holds. */
export interface Browser {
  readonly session: Awaited<ReturnType<typeof sessionBy>>;
  readonly refresh: string;
  readonly grant: string;
}

export type Act = (services: Services, browser: Browser) => Promise<unknown>;

/** Acts of the account's own user that may come at the moment at which the account is changed or deleted. */
export const ownActs: Readonly<Record<string, Act>> = {
  "a login": (services) => services.login.login(login, password, address, false),
  "a refresh": ({ sessions }, { refresh }) => sessions.rotate(refresh, address),
  "the end of all sessions": async ({ sessions }, { session }) => {
    const ended = await sessions.endAll(session.userId, { actor: "user", origin: address });
    // No session is left once the account is gone.
    if (ended === 0) throw new AppError("session_not_found");
  },
  "a change of the password": ({ passwords }, { session }) =>
    passwords.change(session, password, "another password", address),
  "a request for a reset": ({ passwords }) => passwords.requestReset(login, address),
  "a reset": ({ passwords }, { grant }) => passwords.confirmReset(grant, "another password", address),
  "an edit of the profile": ({ profiles }, { session }) => profiles.edit(session, { username: "lovelace" }, address),
};

async function sessionBy({ sessions }: Services, access: string) {
  const credentials = { bearer: access, access: undefined, refresh: () => undefined };
  const all = () => ({ access: [], refresh: [] });
  const authenticated = await sessions.authenticate({ ...credentials, all });
  if ("refused" in authenticated) throw new Error(authenticated.refused);
  return authenticated.session;
}

interface AccountRace extends AsyncDisposable {
  readonly services: Services;
  readonly database: Database;
  readonly browsers: readonly [Browser, Browser];
  /** Puts the account back as it was, and runs the tasks at the same time. Resolves to how each task ended. */
  play(where: string, seed: number, tasks: readonly (() => Promise<unknown>)[]): Promise<readonly string[]>;
}

/** Makes one account with two browsers signed in to it, and the services of a process whose calls of the database take turns. */
export async function createAccountRace(): Promise<AccountRace> {
  const temporary = await temporaryDatabase();
  const { database } = temporary;
  let turns = createTurns(() => 0);
  const services = createServices({
    database: yielding(database, (reads) => turns.turn(reads)),
    behind: database,
    clock: systemClock,
  });
  const id = newId();
  const names = { username: "ada", usernameKey: "ada", email: login, emailKey: login, displayName: "Ada" };
  const passwordHash = quickHash(password);
  const user = freshUser({ id, ...names, passwordHash, emailVerifiedAt: 1, createdAt: 1 });
  await database.batch([createUserRepository(database).insert(user, 1)]);

  const open = async (): Promise<Browser> => {
    const { issued } = sessionOfSignIn(await services.login.login(login, password, address, false));
    const grant = (await services.passwords.requestReset(login, address)) ?? "";
    return { session: await sessionBy(services, issued.access), refresh: issued.refresh, grant };
  };
  const [first, second] = [await open(), await open()];
  const rotated = sessionOf((await services.sessions.rotate(first.refresh, address)).issued.access);
  if (rotated !== first.session.id) throw new Error("a refresh has changed the session");
  const tables = ["users", "auth_sessions", "auth_grants"];
  const initial = (await Promise.all(tables.map((table) => rowsOf(database, table)))).flat();
  const restore = ["auth_attempts", "jobs", "users"].map((table) => ({ sql: `delete from ${table}` }));

  return {
    services,
    database,
    browsers: [first, second],

    async play(where, seed, tasks) {
      await database.batch([...restore, ...initial]);
      const choose = seededChoice(seed);
      turns = createTurns((waiting) => choose(waiting.length));
      const outcomes: string[] = tasks.map(() => "");
      await turns.together(
        tasks.map((task, index) => async () => {
          try {
            await task();
            outcomes[index] = "done";
          } catch (error) {
            if (!(error instanceof AppError)) throw new Error(where, { cause: error });
            outcomes[index] = error.reason;
          }
        }),
      );
      return outcomes;
    },

    async [Symbol.asyncDispose]() {
      await services.close();
      await temporary.dispose();
    },
  };
}
