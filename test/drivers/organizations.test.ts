import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { systemClock } from "../../src/core/clock.ts";
import { copyRows, openSource, openTarget, type CopyPlace } from "../../src/drivers/database/copy/index.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { createMigrator } from "../../src/drivers/database/migrate.ts";
import { openDatabase } from "../../src/drivers/database/open.ts";
import { folderOfEachTest } from "../support/folder.ts";
import { postgresMissing, startPostgres, type Postgres } from "../support/postgres.ts";

const folder = folderOfEachTest();
const subject = migrations.findIndex(({ id }) => id === "0035_organizations");

const addUser = (id: string) => ({
  sql: `insert into users (id, username, username_key, email, email_key, display_name, roles, created_at, updated_at)
    values ($id, $id, $id, $id, $id, $id, '', 1, 1)`,
  params: { id },
});
const addOrganization = (id: string, members: number, owners: number) => ({
  sql: `insert into organizations (id, slug, slug_key, name, name_key, metadata, members, owners, created_at, updated_at)
    values ($id, $id, $id, $id, $id, '{"plan":"pro"}', $members, $owners, 1, 1)`,
  params: { id, members, owners },
});
const addMember = (organization: string, user: string, rank: number) => ({
  sql: `insert into organization_members (organization_id, user_id, roles, rank, joined_at)
    values ($organization, $user, $roles, $rank, 1)`,
  params: { organization, user, roles: rank === 2 ? "owner" : "billing member", rank },
});
const addInvitation = (id: string, email: string) => ({
  sql: `insert into auth_invitations (id, email, email_key, roles, created_at, invited_at, expires_at)
    values ($id, $email, $email, 'editor', 1, 1, 9999999999999)`,
  params: { id, email },
});
const addSession = (id: string, user: string) => ({
  sql: `insert into auth_sessions (id, user_id, secret_hash, generation, remembered, user_agent, ip_address, created_at, last_seen_at, expires_at)
    values ($id, $user, 'none', 1, 1, 'curl', '127.0.0.1', 1, 1, 9999999999999)`,
  params: { id, user },
});
const addEvent = (id: string) => ({
  sql: `insert into audit_events (id, at, app, action, outcome, actor, count)
    values ($id, 1, 'app', 'auth.logged-in', 'success', 'user', 1)`,
  params: { id },
});

async function apply(database: Database, ...statements: readonly { readonly sql: string }[]): Promise<void> {
  expect(await database.batch(statements)).toMatchObject({ applied: true });
}
const countsOf = (database: Database) =>
  database.all<{ id: string; members: number; owners: number }>(
    "select id, members, owners from organizations order by id",
  );

/** What a database does with the rows of organizations, whatever brought them into it. */
async function expectKept(database: Database): Promise<void> {
  expect(await countsOf(database)).toEqual([
    { id: "acme", members: 3, owners: 2 },
    { id: "beta", members: 1, owners: 1 },
  ]);
  await expect(database.run("delete from users where id = 'ada'")).rejects.toThrow();
  await apply(database, { sql: "delete from organization_members where user_id = 'edith'" });
  await apply(database, { sql: "delete from users where id = 'grace'" });
  expect(await countsOf(database)).toEqual([
    { id: "acme", members: 1, owners: 1 },
    { id: "beta", members: 1, owners: 1 },
  ]);
  await expect(database.run("delete from organization_members where organization_id = 'acme'")).rejects.toThrow();
  await apply(database, { sql: "delete from organizations where id = 'acme'" });
  expect(await database.all("select organization_id as id from organization_members")).toEqual([{ id: "beta" }]);
}

/** A database of the release before goes up, and back down, with what it has. */
async function expectUpAndDown(database: Database): Promise<void> {
  const migrator = createMigrator({ database, migrations, clock: systemClock });
  await migrator.up({ step: subject });
  await apply(
    database,
    addUser("ada"),
    addSession("s", "ada"),
    addInvitation("i", "grace@example.test"),
    addEvent("e"),
  );
  const old = () =>
    Promise.all([
      database.all("select id, username, roles from users"),
      database.all("select id, user_id, secret_hash, ip_address from auth_sessions"),
      database.all("select id, email_key, roles, expires_at from auth_invitations order by id"),
      database.all("select id, action, count from audit_events"),
    ]);
  const before = await old();
  await migrator.up();
  expect(await old()).toEqual(before);
  await apply(
    database,
    addOrganization("acme", 1, 1),
    addMember("acme", "ada", 2),
    { sql: "update auth_sessions set organization_id = 'acme'" },
    {
      sql: `insert into auth_invitations (id, email, email_key, roles, organization_id, organization_roles, organization_rank, created_at, invited_at, expires_at)
        values ('to', 'grace@example.test', 'grace@example.test', '', 'acme', 'member', 1, 1, 1, 9999999999999)`,
    },
    {
      sql: `insert into audit_events (id, at, app, action, outcome, actor, organization_id, count)
        values ('f', 1, 'app', 'organization.created', 'success', 'user', 'acme', 1)`,
    },
  );
  await migrator.down({ step: migrations.length - subject });
  const [users, sessions, invitations, events] = await old();
  expect([users, sessions, invitations]).toEqual(before.slice(0, 3));
  expect(events).toHaveLength(2);
  // An address has one invitation again.
  await expect(database.batch([addInvitation("j", "grace@example.test")])).rejects.toThrow();
  await migrator.up();
  expect(await countsOf(database)).toEqual([]);
  expect(await migrator.pending()).toEqual([]);
}

const newFile = (): CopyPlace => ({ driver: "sqlite", path: join(folder(), `${Math.random()}.db`) });
async function inside<T>(place: CopyPlace, act: (database: Database) => Promise<T>): Promise<T> {
  const { database } = openDatabase(place, {});
  try {
    return await act(database);
  } finally {
    await database.close();
  }
}
const migrate = (place: CopyPlace) =>
  inside(place, (database) => createMigrator({ database, migrations, clock: systemClock }).up());

test("Z-72 a SQLite file of the release before goes up to organizations and back down with all that it has", async () => {
  await inside(newFile(), expectUpAndDown);
});

describe.skipIf(postgresMissing !== undefined)(`organizations on PostgreSQL (${postgresMissing ?? "real"})`, () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  }, 90_000);
  afterAll(async () => server?.stop(), 60_000);
  const newDatabase = async (): Promise<CopyPlace> => ({
    driver: "postgres",
    path: "",
    ...(await server.createDatabase()),
  });

  test("Z-72 a PostgreSQL database of the release before goes up to organizations and back down with all that it has", async () => {
    await inside(await newDatabase(), expectUpAndDown);
  }, 60_000);

  test("Z-73 a copy has them with their members, and the database counts members and keeps the last owner afterwards", async () => {
    const [from, to, back] = [newFile(), await newDatabase(), newFile()];
    for (const place of [from, to, back]) await migrate(place);
    await inside(from, (database) =>
      apply(
        database,
        ...["ada", "edith", "grace"].map(addUser),
        addOrganization("acme", 3, 2),
        addOrganization("beta", 1, 1),
        addMember("acme", "ada", 2),
        addMember("acme", "grace", 2),
        addMember("acme", "edith", 0),
        addMember("beta", "ada", 2),
      ),
    );
    for (const [one, other] of [
      [from, to],
      [to, back],
    ] as const) {
      await using source = await openSource(one);
      await using target = await openTarget(other);
      const { tables } = await copyRows({
        source,
        target,
        signal: new AbortController().signal,
        onProgress: () => undefined,
      });
      const copied = new Map(tables.map(({ table, rows }) => [table, rows]));
      expect([copied.get("organizations"), copied.get("organization_members")]).toEqual([2, 4]);
    }
    await inside(to, expectKept);
    await inside(back, expectKept);
    await inside(from, expectKept);
  }, 60_000);
});
