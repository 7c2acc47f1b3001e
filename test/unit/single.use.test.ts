import { describe, expect, test } from "bun:test";
import { createChallengeRepository, type ChallengeRow } from "../../src/auth/factor/challenge.repository.ts";
import { createGrantRepository } from "../../src/auth/grant/grant.repository.ts";
import { createInvitationRepository } from "../../src/auth/invitation/invitation.repository.ts";
import { invitationState } from "../../src/auth/invitation/invitation.tokens.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { createDeviceRepository } from "../../src/idp/device/device.repository.ts";
import { minute } from "../../src/core/clock.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database, Statement } from "../../src/drivers/database/index.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";

// What is good once is refused twice: by the look at its row, and by the guard of the commit. Each is tried here without the other, since a
// race passes the look.
const now = Date.now();
const ends = now + minute;
const emailKey = "ada@example.test";

async function stageAccount() {
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;
  const users = createUserRepository(database);
  const id = newId();
  const fields = {
    username: "ada",
    usernameKey: "ada",
    email: emailKey,
    emailKey,
    displayName: "Ada",
    passwordHash: "",
  };
  await database.batch([users.insert(freshUser({ id, ...fields, emailVerifiedAt: 1, createdAt: 1 }), 1)]);
  return { database, id, [Symbol.asyncDispose]: temporary.dispose };
}

const holds = async (database: Database, statement: Statement): Promise<boolean> =>
  (await database.batch([statement])).applied;

describe("a mailed link", () => {
  async function stageGrant() {
    const account = await stageAccount();
    const grants = createGrantRepository(account.database);
    const grant = {
      id: newId(),
      purpose: "password_reset",
      userId: account.id,
      emailKey,
      email: null,
      tokenHash: "hash",
      codeHash: null,
      browserHash: null,
      mailed: 1,
      requestId: newId(),
      expiresAt: ends,
    } as const;
    await account.database.batch([grants.insert({ ...grant, now })]);
    const found = async (at: number): Promise<boolean> =>
      (await grants.findOpen(grant.tokenHash, grant.purpose, at)) !== undefined;
    return { ...account, grants, grant, found };
  }

  test("G-03 is found until it was used, and its guard holds once", async () => {
    await using staged = await stageGrant();
    const { database, grants, grant, found } = staged;
    expect(await found(now)).toBe(true);
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(true);
    expect(await found(now)).toBe(false);
    expect(await grants.isOpen(grant.tokenHash, now)).toBe(false);
    expect(await holds(database, grants.hold(grant.id, now))).toBe(false);
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(false);
  });

  test("G-04 is found until its time is over, and its guards hold until then", async () => {
    await using staged = await stageGrant();
    const { database, grants, grant, found } = staged;
    expect([await found(ends - 1), await found(ends)]).toEqual([true, false]);
    expect(await grants.isOpen(grant.tokenHash, ends)).toBe(false);
    expect(await holds(database, grants.hold(grant.id, ends - 1))).toBe(true);
    expect(await holds(database, grants.hold(grant.id, ends))).toBe(false);
    expect(await holds(database, grants.redeem(grant.id, ends))).toBe(false);
    expect(await holds(database, grants.redeem(grant.id, ends - 1))).toBe(true);
  });

  test("G-07 its guard holds while the account has the address that it was mailed to, and is active", async () => {
    await using staged = await stageGrant();
    const { database, grants, grant } = staged;
    await database.run("update users set email_key = 'moved@example.test'");
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(false);
    await database.run(`update users set email_key = '${emailKey}', active = 0`);
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(false);
    await database.run("update users set active = 1");
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(true);
  });

  test("G-03 that was voided is not found, and its guards do not hold", async () => {
    await using staged = await stageGrant();
    const { database, id, grants, grant, found } = staged;
    await database.batch([grants.voidOpen(id, ["password_reset"], now)]);
    expect(await found(now)).toBe(false);
    expect(await holds(database, grants.hold(grant.id, now))).toBe(false);
    expect(await holds(database, grants.redeem(grant.id, now))).toBe(false);
  });
});

describe("a challenge", () => {
  test("M-10 is there until it was answered, and the guard of its answer holds once, within its time", async () => {
    await using staged = await stageAccount();
    const { database, id: userId } = staged;
    const challenges = createChallengeRepository(database, "app");
    const row: ChallengeRow = {
      id: newId(),
      userId,
      sessionId: null,
      identityId: null,
      provider: null,
      secretHash: "",
      webauthnChallenge: "",
      cameBy: "password",
      invitationHash: null,
      remembered: 0,
      deviceEpoch: 0,
      emailKey,
      forgives: "",
      createdAt: now,
      expiresAt: ends,
    };
    await database.batch([challenges.insert(row)]);
    expect(await holds(database, challenges.answer(row.id, ends))).toBe(false);
    expect(await challenges.find(row.id)).toEqual(row);
    expect(await holds(database, challenges.answer(row.id, now))).toBe(true);
    expect(await challenges.find(row.id)).toBeUndefined();
    expect(await holds(database, challenges.answer(row.id, now))).toBe(false);
  });
});

describe("an invitation", () => {
  test("I-04 is seen as accepted once it was, and the guard of its acceptance holds once, within its time", async () => {
    await using staged = await stageAccount();
    const { database, id: userId } = staged;
    const invitations = createInvitationRepository(database);
    const id = newId();
    const nobody = { inviterUserId: null, inviterService: null, displayName: null, locale: null };
    const nowhere = { organizationId: null, organizationRoles: null, organizationRank: null };
    const terms = { email: "new@example.test", roles: "", ...nobody, ...nowhere, expiresAt: ends };
    await database.batch([invitations.insert(id, "new@example.test", terms, now)]);
    const read = async () => {
      const row = await invitations.byId(id);
      if (row === undefined) throw new Error("no invitation");
      return row;
    };
    const waiting = await read();
    expect([invitationState(waiting, now), invitationState(waiting, ends)]).toEqual(["waiting", "expired"]);
    expect(await holds(database, invitations.accept(waiting, userId, ends))).toBe(false);
    expect(await holds(database, invitations.accept(waiting, userId, now))).toBe(true);
    expect(invitationState(await read(), now)).toBe("accepted");
    // A request that has read it before the other acceptance still takes it for waiting.
    expect(await holds(database, invitations.accept(waiting, userId, now))).toBe(false);
  });
});

describe("the code of a device", () => {
  async function stageDevice() {
    const account = await stageAccount();
    const devices = createDeviceRepository(account.database);
    await devices.insert({
      deviceHash: "device",
      userCodeHash: "person",
      clientId: "app",
      request: "{}",
      address: "",
      userAgent: "",
      intervalMs: 1,
      createdAt: now,
      expiresAt: ends,
    });
    const answered = { deviceHash: "device", request: "{}", userId: account.id, parentId: newId(), now };
    const isUsed = (at = now): Promise<boolean> => holds(account.database, devices.use("device", newId(), at));
    return { ...account, answer: (state: "allowed" | "denied") => devices.answer({ ...answered, state }), isUsed };
  }

  test("O-72 gets tokens by a guard that holds once, after its person has allowed it", async () => {
    await using staged = await stageDevice();
    expect(await staged.isUsed()).toBe(false);
    expect(await holds(staged.database, staged.answer("allowed"))).toBe(true);
    expect(await holds(staged.database, staged.answer("denied"))).toBe(false);
    expect(await staged.isUsed(ends)).toBe(false);
    expect(await staged.isUsed()).toBe(true);
    expect(await staged.isUsed()).toBe(false);
  });

  test("O-72 gets none by it once its person has said no", async () => {
    await using staged = await stageDevice();
    expect(await holds(staged.database, staged.answer("denied"))).toBe(true);
    expect(await staged.isUsed()).toBe(false);
  });
});
