import { expect, test } from "bun:test";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { newId } from "../../src/core/ids.ts";
import { createProviderRepository } from "../../src/organization/provider/provider.repository.ts";
import { createSignIn } from "../../src/organization/provider/sign.in.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";

// Two lines keep the provider of one organization from the accounts of others: a look at the memberships, and the guard of the commit, which
// holds where somebody joins another one in between. Each is tried here without the other.
async function stageMember() {
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;
  const emailKey = "ada@acme.test";
  const names = {
    username: "ada",
    usernameKey: "ada",
    email: emailKey,
    emailKey,
    displayName: "Ada",
    passwordHash: "",
  };
  const user = freshUser({ id: newId(), ...names, emailVerifiedAt: 1, createdAt: 1 });
  await database.batch([createUserRepository(database).insert(user, 1)]);
  const join = async (): Promise<string> => {
    const id = newId();
    await database.run(
      `insert into organizations (id, slug, slug_key, name, name_key, members, owners, created_at, updated_at)
       values ($id, $id, $id, 'Acme', 'acme', 1, 1, 1, 1)`,
      { id },
    );
    await database.run(
      `insert into organization_members (organization_id, user_id, roles, rank, joined_at)
       values ($id, $userId, 'owner', 2, 1)`,
      { id, userId: user.id },
    );
    return id;
  };
  const providers = createProviderRepository(database);
  const never = (): never => {
    throw new Error("nobody joins by a domain here");
  };
  const { linking } = createSignIn({
    config: { maxMembers: 10 },
    providers,
    members: { find: never },
    joining: { joinsItself: never, mayJoin: never, joining: never },
    seal: { seal: never, open: never, isCurrent: never },
    clock: { now: () => 2 },
  });
  return {
    id: await join(),
    join,
    isLinked: async (id: string) =>
      (await linking({ id, domains: ["acme.test"] }, user, { actor: "system" })) !== undefined,
    holds: async (id: string) => (await database.batch([providers.link(id, user.id, 2)])).applied,
    [Symbol.asyncDispose]: temporary.dispose,
  };
}

test("Z-30 the provider is linked by itself to who is in its organization alone, by the look at the memberships", async () => {
  await using staged = await stageMember();
  expect(await staged.isLinked(staged.id)).toBe(true);
  await staged.join();
  expect(await staged.isLinked(staged.id)).toBe(false);
});

test("Z-30 the guard of such a link holds once, and only while the person is in no other organization", async () => {
  await using staged = await stageMember();
  const other = await staged.join();
  expect(await staged.holds(staged.id)).toBe(false);
  expect(await staged.holds(other)).toBe(false);
  await using alone = await stageMember();
  expect(await alone.holds(alone.id)).toBe(true);
  expect(await alone.holds(alone.id)).toBe(false);
});
