import { expect, test } from "bun:test";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import { temporaryDatabase } from "../support/database.ts";
import { rowsOf, yielding } from "./interleaver.ts";
import { sessionOf } from "./player.ts";
import { address, createServices, quickHasher, type Services } from "./service.inprocess.ts";
import { createTurns, seededChoice } from "./turns.ts";

const login = "ada@example.test";
const password = "the password at the start";
/** As many as find within a second, for each act, what a missing guard would leave behind. */
const perAct = 40;

/** Somebody signed in, with what their browser holds. */
interface Browser {
  readonly session: Awaited<ReturnType<typeof sessionBy>>;
  readonly refresh: string;
  readonly grant: string;
}

async function sessionBy({ sessions }: Services, access: string) {
  const credentials = { bearer: access, access: undefined, refresh: () => undefined };
  const all = () => ({ access: [], refresh: [] });
  const authenticated = await sessions.authenticate({ ...credentials, all });
  if ("refused" in authenticated) throw new Error(authenticated.refused);
  return authenticated.session;
}

type Act = (services: Services, browser: Browser) => Promise<unknown>;
const acts: Readonly<Record<string, Act>> = {
  "another deletion": ({ deletion }, { session }) => deletion.deleteOwn(session, password, address),
  "a login": (services) => services.login.login(login, password, { client: address, devices: [] }, false),
  "a refresh": ({ sessions }, { refresh }) => sessions.rotate(refresh, address),
  "the end of all sessions": async ({ sessions }, { session }) => {
    const ended = await sessions.endAll(session.userId, "auth.logged-out", { actor: "user", origin: address });
    // There are none once the account is gone.
    if (ended === 0) throw new AppError("session_not_found");
  },
  "a change of the password": ({ passwords }, { session }) =>
    passwords.change(session, password, "another password", address),
  "a request for a reset": ({ passwords }) => passwords.requestReset(login, address),
  "a reset": ({ passwords }, { grant }) => passwords.confirmReset(grant, "another password", address),
  "an edit of the profile": ({ profiles }, { session }) => profiles.edit(session, { username: "lovelace" }, address),
  "the end by an operator": async ({ deletion, users }, { session }) => {
    const user = await users.byId(session.userId);
    if (user !== undefined) await deletion.delete(user, { actor: "operator" });
  },
};

/** What has no right to happen any more once the account is gone, and after which the deletion's own proof is worth nothing. */
const rivals: ReadonlySet<string> = new Set([
  "another deletion",
  "the end of all sessions",
  "a change of the password",
  "a reset",
]);

test("A-06 random interleavings of a deletion and another request leave all of the account or nothing of it", async () => {
  await using temporary = await temporaryDatabase();
  const { database } = temporary;
  let turns = createTurns(() => 0);
  const services = createServices({
    database: yielding(database, () => turns.turn()),
    behind: database,
    clock: systemClock,
  });
  const id = newId();
  const names = { username: "ada", usernameKey: "ada", email: login, emailKey: login, displayName: "Ada" };
  const nothing = { pendingEmail: null, pendingEmailKey: null, avatarUrl: null, timezone: null, locale: null };
  const times = { emailVerifiedAt: 1, lastLoginAt: null, lastSeenAt: null, createdAt: 1 };
  const passwordHash = await quickHasher.hash(password);
  const user = { id, ...names, ...nothing, ...times, passwordHash, active: 1, roles: "", deviceEpoch: 0 };
  await database.batch([createUserRepository(database).insert(user)]);

  const open = async (): Promise<Browser> => {
    const { issued } = await services.login.login(login, password, { client: address, devices: [] }, false);
    const grant = (await services.passwords.requestReset(login, address)) ?? "";
    return { session: await sessionBy(services, issued.access), refresh: issued.refresh, grant };
  };
  const [first, second] = [await open(), await open()];
  expect(first.session.id).toBe(sessionOf((await services.sessions.rotate(first.refresh, address)).issued.access));
  const tables = ["users", "auth_sessions", "auth_grants"];
  const initial = (await Promise.all(tables.map((table) => rowsOf(database, table)))).flat();
  const restore = ["auth_attempts", "jobs", "users"].map((table) => ({ sql: `delete from ${table}` }));
  const left = async (): Promise<number[]> => {
    const counts = tables.map((table) => database.get<{ n: number }>(`select count(*) as n from ${table}`));
    return (await Promise.all(counts)).map((row) => row?.n ?? 0);
  };

  const plays = Object.entries(acts).flatMap(([name, act]) => [first, second].map((other) => ({ name, act, other })));
  for (const { name, act, other } of plays) {
    for (let seed = 0; seed < perAct; seed += 1) {
      await database.batch([...restore, ...initial]);
      turns = createTurns(seededChoice(seed));
      const where = `${name}, interleaving ${seed}`;
      const outcomes: string[] = [];
      const note = async (work: Promise<unknown>): Promise<void> => {
        try {
          await work;
          outcomes.push("done");
        } catch (error) {
          if (!(error instanceof AppError)) throw new Error(where, { cause: error });
          outcomes.push(error.reason);
        }
      };
      await turns.together([
        () => note(services.deletion.deleteOwn(first.session, password, address)),
        () => note(act(services, other)),
      ]);
      const [users = 0, ...others] = await left();
      if (users === 0) expect({ where, others }).toEqual({ where, others: [0, 0] });
      const done = outcomes.filter((each) => each === "done").length;
      // Whoever is told that the account is gone can rely on it.
      if (users !== 0 || rivals.has(name)) expect({ where, done }).toEqual({ where, done: 1 });
    }
  }
  await services.close();
}, 300_000);
