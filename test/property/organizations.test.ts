import { expect, test } from "bun:test";
import { createOrganizationRace, type Name, type Process } from "./organization.race.ts";
import { searchSeconds } from "./search.ts";
import { address } from "./service.inprocess.ts";
import { seededChoice } from "./turns.ts";

const usualSeconds = 8;
const limitMs = 3_600_000;

test(
  "Z-07 Z-08 random interleavings of joining, leaving, roles, ownership and deletion leave an owner, right counts and no right without its membership",
  async () => {
    await using race = await createOrganizationRace();
    const { database, processes, id, token, invitationId, idOf, personOf } = race;
    const one = async (sql: string): Promise<number> => (await database.get<{ n: number }>(sql))?.n ?? 0;
    const setRoles = (by: Name, of: Name, roles: readonly string[]) => (process: Process) =>
      process.members.setRoles(personOf(by), id, idOf(of), roles);
    const remove = (by: Name, of: Name) => (process: Process) => process.members.remove(personOf(by), id, idOf(of));
    const leave = (name: Name) => (process: Process) => process.members.leave(personOf(name), id);
    async function erase(name: Name, { services }: Process): Promise<void> {
      const user = await services.users.byId(idOf(name));
      if (user !== undefined) await services.deletion.delete(user, { actor: "operator" });
    }
    const acts: Readonly<Record<string, (process: Process) => Promise<unknown>>> = {
      "grace becomes an owner": setRoles("ada", "grace", ["owner"]),
      "ada steps down": setRoles("ada", "ada", ["admin"]),
      "grace puts ada down": setRoles("grace", "ada", ["member"]),
      "grace is put down": setRoles("ada", "grace", ["member"]),
      "edith becomes an admin": setRoles("grace", "edith", ["admin", "billing"]),
      "ada removes grace": remove("ada", "grace"),
      "grace removes ada": remove("grace", "ada"),
      "grace removes edith": remove("grace", "edith"),
      "ada leaves": leave("ada"),
      "grace leaves": leave("grace"),
      "edith leaves": leave("edith"),
      "ada's account is deleted": (process) => erase("ada", process),
      "grace's account is deleted": (process) => erase("grace", process),
      "linus accepts": ({ acceptance }) =>
        acceptance.accept({ token }, { client: address, userId: idOf("linus") }, false),
      "the invitation is withdrawn": ({ invitations, organizationRows, memberRows }) =>
        invitations.withdraw(invitationId, {
          organizationId: id,
          by: { actor: "user", origin: address },
          holds: [organizationRows.hold(id, 0), memberRows.hold(id, idOf("grace"), 1)],
          mayEnd: () => undefined,
        }),
      "the organization is deleted": ({ organizations }) => organizations.remove(personOf("ada"), id),
    };
    const names = Object.keys(acts);
    const until = performance.now() + searchSeconds(usualSeconds) * 1_000;
    let count = 0;
    for (let seed = 1; performance.now() < until; seed += 1) {
      const pick = seededChoice(seed);
      const chosen = Array.from({ length: 2 + pick(3) }, () => names[pick(names.length)] ?? "");
      const where = `${chosen.join(", ")}; interleaving ${seed}`;
      const tasks = chosen.map((name, index) => async () => {
        const process = processes[index % 2];
        if (process !== undefined) await acts[name]?.(process);
      });
      const outcomes = await race.play(where, pick, tasks);
      count += 1;
      const wasDone = (name: string): boolean => chosen.some((each, at) => each === name && outcomes[at] === "done");
      const found = {
        where,
        outcomes,
        organizations: await one("select count(*) as n from organizations"),
        ownerless: await one(`select count(*) as n from organizations o where not exists
          (select 1 from organization_members m where m.organization_id = o.id and m.rank = 2)`),
        miscounted: await one(`select count(*) as n from organizations o
          where o.members <> (select count(*) from organization_members m where m.organization_id = o.id)
            or o.owners <> (select count(*) from organization_members m where m.organization_id = o.id and m.rank = 2)`),
        misranked: await one(`select count(*) as n from organization_members where rank <>
          case when ' ' || roles || ' ' like '% owner %' then 2 when ' ' || roles || ' ' like '% admin %' then 1 else 0 end`),
      };
      const isGone = wasDone("the organization is deleted");
      expect(found).toEqual({ ...found, organizations: isGone ? 0 : 1, ownerless: 0, miscounted: 0, misranked: 0 });
      // Nobody has joined by an invitation that was withdrawn.
      const joined = await one(`select count(*) as n from organization_members where user_id = '${idOf("linus")}'`);
      const accepted = await one(
        `select count(*) as n from auth_invitations where id = '${invitationId}' and accepted_at is not null`,
      );
      // An account that is deleted takes the invitations along that it has sent.
      const isSenderGone = wasDone("grace's account is deleted");
      if (!isGone && !isSenderGone) expect({ where, outcomes, joined }).toEqual({ where, outcomes, joined: accepted });
    }
    process.stdout.write(`${count} random interleavings\n`);
    expect(count).toBeGreaterThan(200);
  },
  limitMs,
);
