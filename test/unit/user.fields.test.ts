import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { presentExportedUser } from "../../src/auth/routes/user.view.ts";
import { accountRecord, createAccountReader } from "../../src/auth/transfer/account.record.ts";
import { storedUser } from "../../src/auth/user/user.columns.ts";
import { createUserRepository, type StoredUser, type UserRow } from "../../src/auth/user/user.repository.ts";
import { newId } from "../../src/core/ids.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

/** The name of a field in an export, or why an export has none. The compiler asks for each field of a row of `users`. */
type Fates = Readonly<Record<keyof StoredUser, string | { readonly leftOut: string }>>;
const follows = { leftOut: "is made from a field that is exported" };
const ofTheAccountHere = { leftOut: "says what was done with the account in this installation" };
const counter = { leftOut: "is a counter without a meaning of its own" };

/** What `GET /account/export` and the profile have of the user. */
const own: Fates = {
  id: "id",
  username: "username",
  usernameKey: follows,
  email: "email",
  emailKey: follows,
  displayName: "display_name",
  displayNameKey: follows,
  avatarUrl: "avatar_url",
  pendingEmail: "pending_email",
  pendingEmailKey: follows,
  pendingEmailSince: { leftOut: "is the time of an event that is exported" },
  pendingEmailEpoch: counter,
  passwordHash: "has_password",
  passwordAtLeast: { leftOut: "says of the password what its owner knows" },
  active: "active",
  emailVerifiedAt: "email_verified_at",
  lastLoginAt: "last_login_at",
  lastSeenAt: "last_seen_at",
  timezone: "timezone",
  locale: "locale",
  createdAt: "created_at",
  updatedAt: { leftOut: "tells when a lock was taken as well" },
  deviceEpoch: counter,
  holdEpoch: counter,
  factors: { leftOut: "says what the list of second factors says" },
  roles: "roles",
  externalId: "external_id",
  termsVersion: "terms_version",
  termsAcceptedAt: "terms_accepted_at",
};

/** What a line of `user:export` has, and `user:import` takes. */
const line: Fates = {
  id: "id",
  username: "username",
  usernameKey: follows,
  email: "email",
  emailKey: follows,
  displayName: "display_name",
  displayNameKey: follows,
  avatarUrl: "avatar_url",
  pendingEmail: { leftOut: "waits for a link that this installation has mailed" },
  pendingEmailKey: follows,
  pendingEmailSince: ofTheAccountHere,
  pendingEmailEpoch: counter,
  passwordHash: "password_hash",
  passwordAtLeast: ofTheAccountHere,
  active: "active",
  emailVerifiedAt: "email_verified",
  lastLoginAt: ofTheAccountHere,
  lastSeenAt: ofTheAccountHere,
  timezone: "timezone",
  locale: "locale",
  createdAt: "created_at",
  updatedAt: ofTheAccountHere,
  deviceEpoch: counter,
  holdEpoch: counter,
  factors: { leftOut: "needs the secrets of the second factors, which stay here" },
  roles: "roles",
  externalId: "external_id",
  termsVersion: "terms_version",
  termsAcceptedAt: "terms_accepted_at",
};

const hash = (letter: string): string =>
  `$argon2id$v=19$m=19456,t=2,p=1$${"c2FsdHNhbHQ".padEnd(22, "A")}$${letter.repeat(43)}`;
const ada: UserRow = {
  id: newId(),
  username: "Ada",
  usernameKey: "ada",
  email: "Ada@example.test",
  emailKey: "ada@example.test",
  displayName: "Ada Lovelace",
  avatarUrl: "https://example.test/ada.png",
  pendingEmail: "Ada@example.com",
  pendingEmailKey: "ada@example.com",
  passwordHash: hash("a"),
  passwordAtLeast: 8,
  active: 1,
  emailVerifiedAt: 1_700_000_000_000,
  lastLoginAt: 1_700_000_001_000,
  lastSeenAt: 1_700_000_002_000,
  timezone: "Europe/London",
  locale: "en",
  createdAt: 1_600_000_000_000,
  deviceEpoch: 3,
  factors: 0,
  roles: "admin editor",
  externalId: "customer-42",
  termsVersion: "2026-11",
  termsAcceptedAt: 1_700_000_003_000,
};
/** Differs from her in every field that may be exported. */
const other: UserRow = {
  ...ada,
  id: newId(),
  username: "Grace",
  email: "Grace@example.test",
  displayName: "Grace Hopper",
  avatarUrl: null,
  pendingEmail: null,
  passwordHash: null,
  active: 0,
  emailVerifiedAt: null,
  lastLoginAt: null,
  lastSeenAt: null,
  timezone: "America/New_York",
  locale: "de",
  createdAt: 1_500_000_000_000,
  roles: "",
  externalId: null,
  termsVersion: "2025-01",
  termsAcceptedAt: 1_600_000_001_000,
};

const metadata = { app: '{"plan":"pro"}', user: '{"theme":"dark"}', private: '{"risk":0.2}' };
const exportOf = (user: UserRow) => presentExportedUser(user, metadata);
const lineOf = (user: UserRow) => accountRecord({ user, metadata, identities: [] }, true);

const isRead = (field: string): field is keyof UserRow => Object.hasOwn(ada, field);

/** The fields that an export must have, each with the row that has another value there. */
const exported = (fates: Fates) =>
  Object.entries(fates).flatMap(([field, name]) =>
    typeof name === "string" && isRead(field) ? [{ field, name, changed: { ...ada, [field]: other[field] } }] : [],
  );
const missing = (fates: Fates) =>
  Object.entries(fates).flatMap(([field, name]) => (typeof name === "string" && !isRead(field) ? [field] : []));

/** What differs between two answers. */
const differences = (one: object, two: object): string[] => {
  const entries = new Map<string, unknown>(Object.entries(two));
  const names = [...new Set([...Object.keys(one), ...entries.keys()])];
  const before = new Map<string, unknown>(Object.entries(one));
  return names.filter((name) => !Bun.deepEquals(before.get(name), entries.get(name)));
};

describe("a field of a user", () => {
  let temporary: TemporaryDatabase;
  beforeAll(async () => {
    temporary = await temporaryDatabase();
  });
  afterAll(() => temporary.dispose());

  test("comes back from the database as it was inserted", async () => {
    const users = createUserRepository(temporary.database);
    expect(await temporary.database.batch([users.insert(ada, 1_800_000_000_000)])).toMatchObject({ applied: true });
    expect(await users.byId(ada.id)).toEqual(ada);
  });

  test.each(exported(own))("is in the account's own export: $field as $name", ({ name, changed }) => {
    expect(differences(exportOf(ada), exportOf(changed))).toEqual([name]);
  });

  test.each(exported(line))("is in a line of an export of all users: $field as $name", ({ name, changed }) => {
    expect(differences(lineOf(ada), lineOf(changed))).toEqual([name]);
  });

  test.each(exported(line))("comes back with an import of that line: $field", async ({ field, changed }) => {
    const now = 1_900_000_000_000;
    const read = createAccountReader({ now: () => now });
    for (const user of [ada, changed]) {
      const { user: imported } = await read(lineOf(user), false);
      // When it was proven is not exported: an import takes it to be as old as the account.
      const proven = user.emailVerifiedAt === null ? null : imported.createdAt;
      expect(imported[field]).toBe(field === "emailVerifiedAt" ? proven : user[field]);
    }
  });

  test("is exported under a name of its own, or left out for a reason, column by column", () => {
    expect([...missing(own), ...missing(line)]).toEqual([]);
    for (const fates of [own, line]) {
      expect(Object.keys(fates).toSorted()).toEqual([...storedUser.fields].toSorted());
      const names = Object.values(fates).filter((name) => typeof name === "string");
      expect(names).toEqual([...new Set(names)]);
    }
    const kept = ["app_metadata", "user_metadata"];
    expect(Object.keys(exportOf(ada)).toSorted()).toEqual(
      [...exported(own).map(({ name }) => name), ...kept].toSorted(),
    );
    expect(Object.keys(lineOf(ada)).toSorted()).toEqual(
      [...exported(line).map(({ name }) => name), "identities", ...kept, "private_metadata"].toSorted(),
    );
  });
});
