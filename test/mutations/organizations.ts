import { contract, type Mutation } from "./mutation.ts";

const races = ["test/property/organizations.test.ts"];

/** Over organizations: who is in them, as what, for whom a session acts, and what an invitation gives. */
export const organizationMutations: readonly Mutation[] = [
  {
    name: "the last owner may lose the role",
    file: "src/organization/organization.repository.ts",
    from: "where id = $id and owners + $more > 0`,",
    to: "where id = $id and owners + $more >= 0`,",
    tests: contract("organization/organizations"),
  },
  {
    name: "the last owner's account may be deleted",
    file: "src/auth/user/user.repository.ts",
    from: "where m.user_id = users.id and m.rank = 2 and o.owners < 2)`;",
    to: "where m.user_id = users.id and m.rank = 2 and o.owners < 1)`;",
    tests: contract("organization/organizations"),
  },
  {
    name: "an admin makes owners",
    file: "src/organization/members.ts",
    from: "if (ranks.includes(owner) && !actsAsOwner(standing)) throw",
    to: "if (ranks.includes(3) && !actsAsOwner(standing)) throw",
    tests: contract("organization/organizations"),
  },
  {
    name: "somebody who is no member is told that an organization is there",
    file: "src/organization/actor.ts",
    from: 'if (own === undefined) throw new AppError("organization_not_found");',
    to: 'if (own === undefined) throw new AppError("forbidden");',
    tests: contract("organization/organizations"),
  },
  {
    name: "a right that has gone meanwhile still counts",
    file: "src/organization/member.repository.ts",
    from: "where organization_id = $organizationId and user_id = $userId and rank >= $least`,",
    to: "where organization_id = $organizationId and user_id = $userId and rank >= 0`,",
    tests: races,
  },
  {
    name: "members that go are not counted",
    file: "migrations/0035_organizations.up.sql",
    from: "update organizations set members = members - 1,",
    to: "update organizations set members = members - 0,",
    tests: races,
  },
  {
    name: "a session acts for an organization that its person has left",
    file: "src/auth/session/session.columns.ts",
    from: "and m.user_id = s.user_id)`;",
    to: "and m.user_id <> '')`;",
    tests: contract("organization/organizations"),
  },
  {
    name: "a session acts for any organization",
    file: "src/organization/active.repository.ts",
    from: "where m.organization_id = $organizationId and m.user_id = $userId))`,",
    to: "where m.organization_id = $organizationId or m.user_id = $userId))`,",
    tests: contract("organization/organizations"),
  },
  {
    name: "an invitation outlives the right of its sender",
    file: "src/auth/invitation/invitation.repository.ts",
    from: "and m.rank >= ${table}.organization_rank))",
    to: "and m.rank >= 0))",
    tests: contract("organization/invitations"),
  },
  {
    name: "inviting anew takes an owner's invitation away",
    file: "src/auth/flow/invitation/organization.invitations.ts",
    from: "if (former !== undefined) mayEnd(former.organizationRank ?? 0);",
    to: "if (former !== undefined) mayEnd(0);",
    tests: contract("organization/invitations"),
  },
  {
    name: "an organization has more members than it may have",
    file: "src/organization/organization.repository.ts",
    from: "where id = $id and members < $most`,",
    to: "where id = $id and members <= $most`,",
    tests: contract("organization/invitations"),
  },
];
