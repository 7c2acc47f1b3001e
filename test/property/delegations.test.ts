import { expect, test } from "bun:test";
import { createDelegationRace, password, programActs, type Act } from "./delegation.race.ts";
import { searchSeconds } from "./search.ts";
import { address } from "./service.inprocess.ts";
import { seededChoice } from "./turns.ts";

const usualSeconds = 8;
const limitMs = 3_600_000;

/** What ends the browser's session, and with it what programs hold that was not granted to go on. */
const browserEnds: Readonly<Record<string, Act>> = {
  "a sign-out": ({ services }, { session }) => services.sessions.end([session], address),
  "the end of that session": ({ services }, { session }) =>
    services.sessions.revoke(session.id, session.userId, address),
};

/** What ends everything that anybody holds for the account. */
const totalEnds: Readonly<Record<string, Act>> = {
  "a sign-out everywhere": ({ services }, { session }) =>
    services.sessions.endAll(session.userId, { actor: "user", origin: address }),
  "a disabling": ({ services }, { session }) => services.accounts.disable(session.userId),
  "a deletion": ({ services }, { session }) => services.deletion.deleteOwn(session, password, address),
};

const ends = { ...browserEnds, ...totalEnds };

test.each([false, true])(
  "O-02 O-06 O-09 random interleavings of programs and of what ends sessions leave nothing behind, granted to go on: %j",
  async (isStanding) => {
    await using race = await createDelegationRace(isStanding);
    const { database, processes, held, client } = race;
    const one = async (sql: string): Promise<number> => (await database.get<{ n: number }>(sql))?.n ?? 0;
    const programs = Object.entries(programActs);
    const endings = [["nothing", undefined] as const, ...Object.entries(ends)];
    const until = performance.now() + searchSeconds(usualSeconds) * 1_000;
    let count = 0;
    for (let seed = 1; performance.now() < until; seed += 1) {
      const pick = seededChoice(seed);
      const acts = Array.from({ length: 2 + pick(2) }, () => programs[pick(programs.length)]).filter(
        (act) => act !== undefined,
      );
      const [ending, end] = endings[pick(endings.length)] ?? ["nothing", undefined];
      const where = `${acts.map(([name]) => name).join(", ")}; ${ending}; interleaving ${seed}`;
      const tasks = [...acts.map(([, act]) => act), ...(end === undefined ? [] : [end])].map(
        (act, index) => async () => {
          const process = processes[index % 2];
          if (process !== undefined) await act(process, held, client);
        },
      );
      const outcomes = await race.play(where, pick, tasks);
      count += 1;

      const isTotal = Object.hasOwn(totalEnds, ending);
      const isEnded = end !== undefined && outcomes.at(-1) === "done";
      const live = await one(
        "select count(*) as n from auth_sessions where client_id is not null and revoked_at is null",
      );
      const orphans = await one(`select count(*) as n from auth_sessions s where s.client_id is not null
        and s.revoked_at is null and s.standing = 0
        and not exists (select 1 from auth_sessions p where p.id = s.parent_id and p.revoked_at is null)`);
      expect({ where, orphans }).toEqual({ where, orphans: 0 });
      if (isEnded && (isTotal || !isStanding)) expect({ where, live }).toEqual({ where, live: 0 });

      // A code makes one session at most, and none that lives where it was shown twice.
      const swaps = acts.filter(([name]) => name === "a code is swapped").length;
      const ofCode = await one(
        "select count(*) as n from auth_sessions s, idp_codes c where c.session_id = s.id and s.revoked_at is null and c.created_at > 0 and s.id <> '" +
          held.sid +
          "'",
      );
      if (swaps > 1) expect({ where, ofCode }).toEqual({ where, ofCode: 0 });
      expect(ofCode).toBeLessThanOrEqual(1);

      // Each program's session that has ended is told of, once; those of a deleted account are gone with their rows.
      const told = await one("select count(*) as n from jobs where name = 'idp:logout'");
      const over = await one(
        "select count(*) as n from auth_sessions where client_id is not null and revoked_at is not null",
      );
      const users = await one("select count(*) as n from users");
      if (users === 1) expect({ where, told }).toEqual({ where, told: over });
      else expect(told).toBeGreaterThan(0);
    }
    process.stdout.write(`${count} random interleavings\n`);
    expect(count).toBeGreaterThan(200);
  },
  limitMs,
);
