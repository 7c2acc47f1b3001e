import { createAcceptance } from "../../src/auth/flow/invitation/invitation.acceptance.ts";
import { createOrganizationInvitations } from "../../src/auth/flow/invitation/organization.invitations.ts";
import { createInvitationRepository } from "../../src/auth/invitation/invitation.repository.ts";
import { createInvitationTokens } from "../../src/auth/invitation/invitation.tokens.ts";
import { createMailedTokens } from "../../src/auth/mailed.tokens.ts";
import { createUserRepository } from "../../src/auth/user/user.repository.ts";
import { freshUser } from "../../src/auth/user/user.row.ts";
import { systemClock } from "../../src/core/clock.ts";
import { AppError } from "../../src/core/errors.ts";
import { newId } from "../../src/core/ids.ts";
import type { Database } from "../../src/drivers/database/index.ts";
import { activeOrganizations } from "../../src/organization/active.repository.ts";
import { createStandings, type Actor } from "../../src/organization/actor.ts";
import { createMemberRepository } from "../../src/organization/member.repository.ts";
import { createMembers } from "../../src/organization/members.ts";
import { createMemberships } from "../../src/organization/memberships.ts";
import { createOrganizationRepository } from "../../src/organization/organization.repository.ts";
import { createOrganizations } from "../../src/organization/organizations.ts";
import { memoryFolder, temporaryDatabase } from "../support/database.ts";
import { rowsOf, yielding } from "./interleaver.ts";
import { address, createServices, quickHash } from "./service.inprocess.ts";
import { createTurns, type seededChoice } from "./turns.ts";

const config = { creation: "anyone", maxPerPerson: 100, maxMembers: 100 } as const;
const people = ["ada", "grace", "edith", "linus"] as const;
export type Name = (typeof people)[number];

/** A process: the services of accounts and of organizations. */
function createProcess(database: Database, behind: Database) {
  const clock = systemClock;
  const services = createServices({ database, behind, clock });
  const { journal, users, inviting } = services;
  const { admission, registration, pressure } = inviting;
  const organizations = createOrganizationRepository(database);
  const members = createMemberRepository(database);
  const standingOf = createStandings({ organizations, members });
  const invitations = createInvitationRepository(database);
  const { limitHourly } = pressure;
  const parts = { config, organizations, members, standingOf, journal, lockUser: users.lock, limitHourly, clock };
  const tokens = createInvitationTokens({
    database,
    invitations,
    tokens: createMailedTokens("a secret of this test"),
    clock,
  });
  return {
    services,
    tokens,
    invitationRows: invitations,
    memberRows: members,
    organizationRows: organizations,
    organizations: createOrganizations(parts),
    members: createMembers({ ...parts, forgetActive: activeOrganizations.forget }),
    invitations: createOrganizationInvitations({ journal, users, invitations, pressure, perDay: 1_000, clock }),
    acceptance: createAcceptance({
      admission,
      registration,
      memberships: createMemberships({ config, database, clock }),
      journal,
      users,
      invitations,
      tokens,
      clock,
    }),
  };
}
export type Process = ReturnType<typeof createProcess>;

const servingSession = {
  remembered: 1,
  lastSeenAt: 1,
  expiresAt: 1,
  revokedAt: null,
  userActive: 1,
  displayName: "",
} as const;

/** Makes an organization with an owner, an admin and a member, an invitation that waits, and two processes that take turns. */
export async function createOrganizationRace() {
  const temporary = await temporaryDatabase(memoryFolder);
  const { database } = temporary;
  let turns = createTurns(() => 0);
  const turning = yielding(database, (reads) => turns.turn(reads));
  const processes = [createProcess(turning, database), createProcess(turning, database)] as const;
  const [first] = processes;
  const ids = Object.fromEntries(people.map((name) => [name, newId()]));
  const idOf = (name: Name): string => ids[name] ?? "";
  const rows = createUserRepository(database);
  for (const name of people) {
    const email = `${name}@example.test`;
    const names = { username: name, usernameKey: name, email, emailKey: email, displayName: name };
    const user = freshUser({
      id: idOf(name),
      ...names,
      passwordHash: quickHash(name),
      emailVerifiedAt: 1,
      createdAt: 1,
    });
    await database.batch([rows.insert(user, 1)]);
  }
  const personOf = (name: Name): Extract<Actor, { kind: "person" }> => ({
    kind: "person",
    session: { id: "", userId: idOf(name), ...servingSession },
    client: address,
  });
  const id = await first.organizations.create({ name: "Acme", userId: idOf("ada") }, personOf("ada"));
  await first.members.add({ kind: "office", by: { actor: "operator" } }, id, idOf("grace"), ["admin"]);
  await first.members.add({ kind: "office", by: { actor: "operator" } }, id, idOf("edith"), ["member"]);
  const inviting = {
    organizationId: id,
    by: { actor: "user", origin: address } as const,
    memberId: idOf("grace"),
    rank: 1,
    mayEnd: () => undefined,
    holds: [],
  };
  const invitation = await first.invitations.invite({ email: "linus@example.test", roles: "member" }, inviting, () =>
    Promise.resolve(false),
  );
  const made = await first.tokens.forMail(invitation.id, "request");
  if (made === undefined) throw new Error("there is no invitation");
  const tables = ["users", "organizations", "organization_members", "auth_invitations", "auth_invitation_tokens"];
  const initial = (await Promise.all(tables.map((table) => rowsOf(database, table)))).flat();
  const restore = ["auth_attempts", "organizations", "users", "jobs", "auth_invitations"].map((table) => ({
    sql: `delete from ${table}`,
  }));

  return {
    database,
    processes,
    id,
    token: made.token,
    invitationId: invitation.id,
    idOf,
    personOf,
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
            if (!(error instanceof AppError)) throw new Error(where, { cause: error });
            outcomes[index] = error.reason;
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
