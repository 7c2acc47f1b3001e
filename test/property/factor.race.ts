import type { IssuedChallenge } from "../../src/auth/factor/challenges.ts";
import type { FactorMethod } from "../../src/auth/factor/method.ts";
import { userFactors } from "../../src/auth/user/user.factors.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database, Statement } from "../../src/drivers/database/index.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";
import { rowsOf, yielding } from "./interleaver.ts";
import { sessionOf } from "./player.ts";
import { address, createServices, quickHash, type Services, sessionOfSignIn } from "./service.inprocess.ts";
import { createTurns, seededChoice } from "./turns.ts";

const login = "ada@example.test";
const password = "the password at the start";

/** A factor whose code is a number, right once and only while it is greater than the one used last: TOTP without the arithmetic. */
const countingFactor = (database: Database): FactorMethod => ({
  name: "totp",
  isSetUp: ({ factors }) => Promise.resolve((factors & 1) !== 0),
  async check({ id }, { code = "" }) {
    const row = await database.get<{ last: number }>("select last_step as last from auth_totp where user_id = $id", {
      id,
    });
    if (row === undefined) return { refused: "no_such_factor" };
    if (!/^\d+$/.test(code)) return { refused: "wrong_code" };
    if (Number(code) <= row.last) return { refused: "code_used" };
    return {
      guards: [
        {
          guard: true,
          sql: "update auth_totp set last_step = $step where user_id = $id and last_step < $step",
          params: { id, step: Number(code) },
        },
      ],
    };
  },
});

/**
 * Triggers that write down what must never be committed, at the moment of its commit: a session, or a higher level of one, without the
 * factor that the account has then, and a session of an account that is disabled.
 */
const watchers = [
  "create table wrong (what text not null)",
  `create trigger opened_without after insert on auth_sessions
   when new.factor is null and (select factors from users where id = new.user_id) <> 0
   begin insert into wrong values ('a session without the factor'); end`,
  `create trigger opened_with after insert on auth_sessions
   when new.factor is not null and (select factors from users where id = new.user_id) = 0
   begin insert into wrong values ('a session by a factor that is gone'); end`,
  `create trigger opened_inactive after insert on auth_sessions
   when (select active from users where id = new.user_id) = 0
   begin insert into wrong values ('a session of a disabled account'); end`,
  `create trigger raised after update of factor on auth_sessions
   when old.factor is null and new.factor is not null and (select factors from users where id = new.user_id) = 0
   begin insert into wrong values ('a session raised without a factor'); end`,
  `create trigger lowered after update of factor on auth_sessions when old.factor is not null and new.factor is null
   begin insert into wrong values ('a session lowered'); end`,
  // Each step of an account is used up by one write.
  `create trigger step_again after update of last_step on auth_totp when new.last_step <= old.last_step
   begin insert into wrong values ('a code used twice'); end`,
];

/** Makes an account, two processes whose calls of the database take turns, and acts on the account. */
export async function createFactorRace() {
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;
  let turns = createTurns(() => 0);
  const turning = yielding(database, () => turns.turn());
  const make = (): Services =>
    createServices({ database: turning, behind: database, clock: systemClock, methods: [countingFactor(turning)] });
  const [one, other] = [make(), make()];
  const users = createUserRepository(database);
  const id = newId();
  const user = freshUser({
    id,
    username: "ada",
    usernameKey: "ada",
    email: login,
    emailKey: login,
    displayName: "Ada",
    emailVerifiedAt: 1,
    createdAt: 1,
    passwordHash: quickHash(password),
  });
  await database.batch([users.insert(user, 1)]);
  const { issued } = sessionOfSignIn(await one.login.login(login, password, address, false));
  const grant = (await one.passwords.requestReset(login, address)) ?? "";
  const undo = await one.grants.forMail({ id, emailKey: login }, "factor_undo", newId());
  if ("withheld" in undo) throw new Error(undo.withheld);
  const session = await one.sessions.authenticate({
    bearer: issued.access,
    access: undefined,
    refresh: () => undefined,
    all: () => ({ access: [], refresh: [] }),
  });
  if ("refused" in session) throw new Error(session.refused);
  const current = session.session;
  if (sessionOf(issued.access) !== current.id) throw new Error("another session");
  const tables = ["users", "auth_sessions", "auth_grants"];
  const initial = (await Promise.all(tables.map((table) => rowsOf(database, table)))).flat();
  const restore = ["auth_attempts", "jobs", "users"].map((table) => ({ sql: `delete from ${table}` }));
  for (const sql of watchers) await database.run(sql);
  let nextCode = 0;

  /** Adds or removes the factor as every change of factors must: the account's row first, in one batch. */
  async function change(services: Services, to: 0 | 1): Promise<void> {
    await services.sessions.requireFreshProof(current);
    const read = await services.users.byId(id);
    if (read === undefined || read.factors === to) return;
    const statements: Statement[] = [
      userFactors.change(read, to, systemClock.now()),
      services.sessions.hold(current),
      ...(to === 1 ? [services.sessions.prove(current, "totp")] : []),
      to === 1
        ? { sql: "insert into auth_totp (user_id, secret, created_at) values ($id, '', 0)", params: { id } }
        : { sql: "delete from auth_totp where user_id = $id", params: { id } },
    ];
    await services.journal.commit({ statements });
  }

  /** Gives the password. Resolves to the challenge where a code is asked for. */
  async function begin(services: Services): Promise<IssuedChallenge | undefined> {
    const signIn = await services.login.login(login, password, address, false);
    return "challenge" in signIn ? signIn.challenge : undefined;
  }

  /**
   * Signs in by password, and by a code where one is asked for. Both processes get a code at once, each a right one of its own unless it is
   * named, and only one may open a session.
   */
  async function signIn(services: Services, code?: number): Promise<void> {
    const issued = await begin(services);
    if (issued === undefined) return;
    const outcomes: unknown[] = [];
    await turns.together(
      [one, other].map(({ challenge }) => async () => {
        nextCode += 1;
        const answer = { method: "totp", code: String(code ?? nextCode) } as const;
        outcomes.push(await challenge.verify(issued, answer, address).catch((refusal: unknown) => refusal));
      }),
    );
    const fault = outcomes.find((outcome) => outcome instanceof Error && !(outcome instanceof AppError));
    if (fault !== undefined) throw new Error("the answer to a challenge has failed", { cause: fault });
    if (outcomes.every((outcome) => !(outcome instanceof Error)))
      throw new Error("one challenge has opened two sessions");
  }

  const acts: Readonly<Record<string, (services: Services) => Promise<unknown>>> = {
    "a sign-in": (services) => signIn(services),
    "a sign-in with a code that another has": (services) => signIn(services, 1_000),
    "a set-up": (services) => change(services, 1),
    "a removal": (services) => change(services, 0),
    "a fresh proof by code": (services) => {
      nextCode += 1;
      const answer = { method: "totp", code: String(nextCode) } as const;
      return services.reauthentication.confirmByFactor(current, answer, address);
    },
    "a fresh proof by password": (services) =>
      services.reauthentication.confirm(current, password, address, "invalid_credentials"),
    "a change of the password": (services) => services.passwords.change(current, password, "another password", address),
    "a reset of the password": (services) => services.passwords.confirmReset(grant, "another password", address),
    "the factors taken back": (services) => services.passwords.confirmReset(undo.token, "another password", address),
    "a reset of the factors": async (services) => {
      await services.journal.commit({
        statements: [
          userFactors.clear(id, systemClock.now()),
          { sql: "delete from auth_totp where user_id = $id", params: { id } },
        ],
      });
    },
    "a refresh": (services) => services.sessions.rotate(issued.refresh, address),
    "the end of all sessions": (services) => services.sessions.endAll(id, { actor: "user", origin: address }),
    "a disabling": (services) => services.accounts.disable(id),
  };

  return {
    acts,

    /** Plays these acts at once, on the account with or without its factor. Resolves to what the database has seen go wrong. */
    async play(seed: number, names: readonly string[], withFactor: boolean): Promise<readonly string[]> {
      await database.batch([
        ...restore,
        ...initial,
        { sql: "delete from wrong" },
        ...(withFactor
          ? [
              { sql: "update users set factors = 1" },
              { sql: "insert into auth_totp (user_id, secret, created_at) values ($id, '', 0)", params: { id } },
            ]
          : []),
      ]);
      nextCode = 0;
      const choose = seededChoice(seed);
      turns = createTurns(({ length }) => choose(length));
      await turns.together(
        names.map((name, index) => async () => {
          try {
            await acts[name]?.(index % 2 === 0 ? one : other);
          } catch (error) {
            if (!(error instanceof AppError)) throw new Error(`${names.join(", ")}, seed ${seed}`, { cause: error });
          }
        }),
      );
      const wrong = await database.all<{ what: string }>("select what from wrong");
      return wrong.map(({ what }) => what);
    },

    async [Symbol.asyncDispose]() {
      await one.close();
      await other.close();
      await temporary.dispose();
    },
  };
}
