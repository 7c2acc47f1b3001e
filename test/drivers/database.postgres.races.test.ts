import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { migrations } from "../../migrations/index.ts";
import { createCleanupRepository } from "../../src/auth/cleanup.repository.ts";
import { createPasskeyRepository } from "../../src/auth/factor/passkey/passkey.repository.ts";
import { createGrantService } from "../../src/auth/grant/grant.service.ts";
import { createMailedCodes } from "../../src/auth/grant/mailed.codes.ts";
import { createMailedTokens } from "../../src/auth/mailed.tokens.ts";
import { createGrantRepository } from "../../src/auth/grant/grant.repository.ts";
import { createInvitationRepository, noOrganization } from "../../src/auth/invitation/invitation.repository.ts";
import { createAttemptRepository } from "../../src/auth/pressure/attempt.repository.ts";
import { createSessionRepository } from "../../src/auth/session/session.repository.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { hour, systemClock } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database, Statement } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { createIdentityRepository } from "../../src/oauth/identity/identity.repository.ts";
import { type Postgres, postgresMissing, startPostgres } from "../support/postgres.ts";

const now = systemClock.now();
/** Keeps the locks at the end of a batch for long enough that another batch, begun meanwhile, has to wait for them. */
const linger: Statement = { sql: "select pg_sleep(0.05)" };

// SQLite writes one batch after another. Here two databases of one server stand for two processes: each sees the other's rows change
// between its statements, and in the middle of one.
describe.skipIf(postgresMissing !== undefined)(
  `races between processes on Postgres (${postgresMissing ?? "real"})`,
  () => {
    let server: Postgres;
    let one: Database;
    let other: Database;

    beforeAll(async () => {
      server = await startPostgres();
      const { url } = await server.createDatabase();
      const open = (): Database => openDatabase({ driver: "postgres", path: "", url }, { patient: true }).database;
      [one, other] = [open(), open()];
      await createMigrator({ database: one, migrations, clock: systemClock }).up();
    }, 60_000);
    afterAll(async () => {
      await Promise.all([one.close(), other.close()]);
      await server.stop();
    });

    async function userWith(values: Readonly<Record<"password", string | null>>): Promise<string> {
      const id = newId();
      const columns =
        "id, username, username_key, email, email_key, display_name, password_hash, created_at, updated_at";
      await one.run(`insert into users (${columns}) values ($id, $id, $id, $id, $id, $id, $password, 1, 1)`, {
        id,
        ...values,
      });
      return id;
    }

    /** Begins a batch. Resolves when the batch has made its changes and holds the locks, or has ended. */
    async function begin(statements: readonly Statement[]) {
      let isOver = false;
      const begun = one.batch([...statements, linger]).finally(() => (isOver = true));
      const lingering = "select count(*) as count from pg_stat_activity where wait_event = 'PgSleep'";
      while (!isOver && (await other.get<{ count: number }>(lingering))?.count !== 1) await Bun.sleep(1);
      return { begun };
    }

    /** Sends the second batch when the first has changed its rows and is not yet committed. */
    async function inTheMiddle(first: readonly Statement[], second: readonly Statement[]) {
      const { begun } = await begin(first);
      const outcomes = await Promise.all([begun, other.batch(second)]);
      return outcomes.map(({ applied }) => applied);
    }

    test("D-16 an invitation that is withdrawn, or given other roles, is not accepted at the same moment", async () => {
      const invitations = createInvitationRepository(one);
      const terms = {
        displayName: null,
        locale: null,
        inviterUserId: null,
        inviterService: null,
        ...noOrganization,
        expiresAt: now + hour,
      };
      const changes = [
        (row: Parameters<typeof invitations.renew>[0]) => invitations.withdraw(row, now),
        (row: Parameters<typeof invitations.renew>[0]) =>
          invitations.renew(row, { ...terms, email: row.email, roles: "" }, now),
      ];
      for (const change of changes) {
        const [id, accepting] = [newId(), await userWith({ password: null })];
        const email = `${id}@example.com`;
        await one.batch([invitations.insert(id, email, { ...terms, email, roles: "admin" }, now)]);
        const row = await invitations.byId(id);
        if (row === undefined) throw new Error("the invitation is not there");
        expect(await inTheMiddle([change(row)], [invitations.accept(row, accepting, now)])).toEqual([true, false]);
        expect(await invitations.byId(id)).toMatchObject({ acceptedAt: null });
      }
    });

    test("D-16 of the last two ways to sign in one is left when both are unlinked at the same moment", async () => {
      const [users, identities] = [createUserRepository(one), createIdentityRepository(one)];
      const id = await userWith({ password: null });
      for (const provider of ["github", "google"])
        await one.batch([identities.adopt(id, { provider, issuer: provider, subject: id }, now)]);
      const [first, second] = (await identities.list(id)).map((identity) => [
        users.hold(id, now),
        identities.unlink(identity.id, id, ["github", "google"]),
      ]);
      expect(await inTheMiddle(first ?? [], second ?? [])).toEqual([true, false]);
      expect(await identities.list(id)).toHaveLength(1);
    });

    test("D-16 a password is not taken off an account whose passkeys become too few at the same moment", async () => {
      const [users, rpId] = [createUserRepository(one), "example.test"];
      const passkeys = createPasskeyRepository(one, rpId);
      const id = await userWith({ password: "hash" });
      await passkeys.handleOf(id, newId(), now);
      const made = { counter: 0, aaguid: "", transports: [], backupEligible: false, backedUp: false, publicKey: "" };
      for (const name of ["one", "two"])
        await one.batch([passkeys.insert({ ...made, credentialId: newId(), id: newId(), userId: id, name }, now)]);
      const [first] = await passkeys.list(id);
      const removal = [users.lock(id), passkeys.remove(first?.id ?? "", id, 2)];
      const ofPassword = [users.lock(id), users.removePassword(id, { least: 2, rpId }, now)];
      expect(await inTheMiddle(removal, ofPassword)).toEqual([true, false]);
      expect(await users.byId(id)).toMatchObject({ passwordHash: "hash" });
    });

    test("D-16 sign-ins in two processes at the same moment leave no more sessions than an account may have", async () => {
      const id = await userWith({ password: null });
      const [users, sessions, most] = [createUserRepository(one), createSessionRepository(one, "app"), 3];
      const signIn = (database: Database, at: number) =>
        database.batch([
          users.hold(id, at),
          sessions.revokeOldest(id, most - 1, at, 0),
          sessions.insert({
            id: newId(),
            userId: id,
            secretHash: newId(),
            remembered: 0,
            userAgent: "",
            ipAddress: "",
            now: at,
            expiresAt: at + hour,
            cameBy: "password",
            factor: null,
          }),
        ]);
      const all = Array.from({ length: 24 }, (_, index) => signIn(index % 2 === 0 ? one : other, now + index));
      expect((await Promise.all(all)).every(({ applied }) => applied)).toBe(true);
      const live = await one.all("select id from auth_sessions where user_id = $id and revoked_at is null", { id });
      expect(live).toHaveLength(most);
    });

    test("D-16 requests in two processes at the same moment mail no more tokens than an account may get", async () => {
      const id = await userWith({ password: null });
      const services = [one, other].map((database) =>
        createGrantService({
          database,
          users: createUserRepository(database),
          grants: createGrantRepository(database),
          codes: createMailedCodes({ secret: "a secret of this test", previousSecrets: [] }),
          tokens: createMailedTokens("a secret of this test"),
          ttlMs: {
            password_reset: hour,
            first_password: hour,
            email_verification: hour,
            email_change_cancel: hour,
            identity_undo: hour,
            session_undo: hour,
            email_change_undo: hour,
            email_change_factor_undo: hour,
            email_login: hour,
            factor_undo: hour,
          },
          clock: systemClock,
        }),
      );
      const recipient = { id, emailKey: id };
      const asked = Array.from({ length: 16 }, () =>
        services.map((grants) => grants.forMail(recipient, "email_change_undo", newId())),
      );
      const answers = await Promise.all(asked.flat());
      const tokens = answers.filter((answer) => "token" in answer).length;
      expect(tokens).toBeLessThanOrEqual(12);
      // A request whose clock was behind that of one served before it joins that one: a single link does for both.
      const joined = answers.filter((answer) => "withheld" in answer && answer.withheld === "joined").length;
      expect(tokens + joined).toBeGreaterThanOrEqual(12);
    });

    test("D-16 a counter that begins anew while the cleanup deletes it goes on counting", async () => {
      const attempts = createAttemptRepository(one);
      const counter = { key: newId(), kind: "window", limit: 5, durationMs: hour } as const;
      await one.batch([attempts.charge(counter, now - 2 * hour)]);
      const { begun } = await begin([attempts.charge(counter, now)]);
      expect(await createCleanupRepository(other, "app").expiredAttempts.deleteSome(now, 100)).toBe(0);
      expect((await begun).applied).toBe(true);
      const [row] = await attempts.find([counter]);
      expect(row?.attempts).toBe(1);
    });
  },
);
