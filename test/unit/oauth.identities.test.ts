import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createIdentityRepository } from "../../src/oauth/index.ts";
import { temporaryDatabase, type TemporaryDatabase } from "../support/database.ts";

const now = Date.UTC(2026, 5, 1);
let temporary: TemporaryDatabase;
beforeEach(async () => {
  temporary = await temporaryDatabase();
});
afterEach(() => temporary.dispose());

describe("unlinking asks for another identity of a provider in use", () => {
  const profile = {
    issuer: "https://issuer.example",
    subject: "1",
    email: undefined,
    emailVerified: false,
    username: undefined,
    displayName: undefined,
    avatarUrl: undefined,
  };

  /** Stores a user without a password, who signs in through these providers. */
  async function link(...providers: string[]): Promise<void> {
    await temporary.database.run(
      `insert into users (id, username, username_key, email, email_key, display_name, active, created_at, updated_at)
       values ('ada', 'ada', 'ada', 'ada@example.test', 'ada@example.test', 'Ada', 1, $now, $now)`,
      { now },
    );
    const identities = createIdentityRepository(temporary.database);
    await temporary.database.batch(
      providers.map((provider) =>
        identities.insert({ id: provider, userId: "ada", provider, linkedAt: now, lastLoginAt: null }, profile),
      ),
    );
  }
  const unlink = async (id: string, ...inUse: string[]): Promise<boolean> =>
    (await temporary.database.batch([createIdentityRepository(temporary.database).unlink(id, "ada", inUse)])).applied;

  const many = ["github", "google", "microsoft", "apple", "keycloak", "dex", "authentik"];

  test.each(many)("the only other one may be any of seven providers: %s", async (other) => {
    await link("first", other);
    expect(await unlink("first", ...many)).toBe(true);
  });

  test("one of a provider that is no longer in use does not count, nor does any where none is in use", async () => {
    await link("first", "retired");
    expect(await unlink("first", "first", ...many)).toBe(false);
    expect(await unlink("first")).toBe(false);
  });
});
