import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createPeople } from "../support/auth.ts";
import { eventually } from "../support/log.ts";
import { openRows } from "../support/rows.ts";
import { gatherCrowd } from "./crowd.ts";
import type { MemberName } from "./patroni.ts";
import { raisePatroniCluster, whyNoPatroniCluster, type PatroniCluster } from "./patroni.cluster.ts";
import { createNotes, type Notes } from "./patroni.notes.ts";
import { askedMeanwhile, longestGap } from "./probe.ts";

// Three servers under Patroni, and two instances of Gatehouse, which reach the primary through HAProxy. The tests build on one another.
const lack = whyNoPatroniCluster();
const title = lack === undefined ? "a database under Patroni" : `a database under Patroni (needs ${lack})`;
const limitMs = 240_000;
const lives = 4;
/** With `defaults`, what those settings of Patroni come to that the example names because they decide how long a failover takes. */
const isUsual = process.env["GATEHOUSE_PATRONI"] === "defaults";
/** How long nothing may be written: ten seconds, and room for a machine that is busy. */
const longestMs = isUsual ? 60_000 : 15_000;
const lookEveryMs = 50;
/** How many lines an instance may write about one failure, however much it is asked meanwhile. */
const mostLines = 200;

let cluster: PatroniCluster;
let crowd: ReturnType<typeof gatherCrowd>;
let notes: Notes;

beforeAll(async () => {
  if (lack !== undefined) return;
  const settings = {
    AUTH_IP_RATE_LIMIT_ATTEMPTS: "100000",
    AUTH_IP_LOGIN_FAILURES: "100000",
    AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
    AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
    AUTH_PASSWORD_HASH_QUEUE: "1000",
    AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
    AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "false",
    QUEUE_LEASE: "2s",
    QUEUE_MAX_ATTEMPTS: "50",
  };
  cluster = await raisePatroniCluster(settings, { isUsual });
  notes = await createNotes(cluster.doors);
  crowd = gatherCrowd(cluster, lives);
}, limitMs);
afterAll(() => cluster?.stop(), limitMs);

/** Takes and writes notes all the time while something is done to the primary, and until all is as before. */
async function writtenWhile(what: string, act: (primary: MemberName) => Promise<void>): Promise<void> {
  const { patroni, reasons, isRestored, lines } = cluster;
  await patroni.untilWhole();
  const [before, linesBefore] = [await patroni.leader(), lines()];
  const told = new Set<string>();
  let isOver = false;
  async function watchReadiness(): Promise<void> {
    while (!isOver) {
      for (const reason of await reasons()) told.add(reason);
      await Bun.sleep(lookEveryMs);
    }
  }
  const watching = watchReadiness();
  const answers = await askedMeanwhile({
    what,
    client: notes.client,
    ask: notes.write,
    act: async (written) => {
      await eventually("the first notes", () => written.filter(({ status }) => status === 200).length > 8);
      await act(before);
      await eventually("another primary", async () => {
        const now = await patroni.primary();
        return now !== undefined && now !== before;
      });
    },
    isRestored,
  }).finally(() => (isOver = true));
  await watching;
  const gap = longestGap(answers, 200);
  const logged = lines().map((n, index) => n - (linesBefore[index] ?? 0));
  process.stdout.write(
    `      ${what}: ${(gap / 1_000).toFixed(1)} s without a write; lines logged: ${logged.join(" and ")}; ${[...told].join(", ")}\n`,
  );
  expect(answers.filter(({ status, isTold }) => status === 503 && !isTold)).toEqual([]);
  expect([...told].some((reason) => reason.startsWith('db: database "default": '))).toBe(true);
  expect(Math.max(...logged)).toBeLessThan(mostLines);
  expect(gap).toBeLessThan(longestMs);
}

describe.skipIf(lack !== undefined)(title, () => {
  test(
    "D-79 the primary dies with its Patroni, and a standby takes its place",
    async () => {
      await writtenWhile("primary and Patroni killed", (name) => cluster.patroni.kill(name));
      cluster.patroni.revive();
    },
    limitMs,
  );

  test(
    "D-79 the primary is cut off from everybody without a word",
    async () => {
      await writtenWhile("primary cut off", async (name) => cluster.network.cutOff(name));
      cluster.rejoin();
    },
    limitMs,
  );

  test(
    "D-79 the primary is cut off from etcd and its standbys, while clients reach it",
    async () => {
      await writtenWhile("primary alone with its clients", async (name) => cluster.isolate(name));
      cluster.rejoin();
    },
    limitMs,
  );

  test(
    "D-79 the primary hands over to its standby, as an operator asks",
    async () => {
      await writtenWhile("switchover", (name) => cluster.patroni.switchOver(name));
    },
    limitMs,
  );

  test(
    "D-79 notices, jobs and schedules go on at the last primary, without a restart",
    async () => {
      await cluster.patroni.untilWhole();
      using rows = openRows(cluster.data.url());
      const hearing = (): number => rows.count("pg_stat_activity where query ilike 'listen %'");
      await eventually("both instances to hear of jobs", () => hearing() === cluster.doors.length);
      const runs = (): number =>
        rows.count("schedule_history where name = 'audit:prune' and requested_by = 'somebody'");
      rows.run("update schedules set requested_at = 1, requested_by = 'somebody' where name = 'audit:prune'");
      await eventually("a run of a schedule", () => runs() === 1);
      const ada = await createPeople(cluster.doors[1] ?? "").register("ada.comes");
      await cluster.mailbox.next(ada.email);
      expect(cluster.logs().map((log) => log.split('"message":"started"').length - 1)).toEqual([1, 1]);
    },
    limitMs,
  );

  test(
    "D-79 of all that was acknowledged meanwhile nothing is lost, no ended session serves again, and nothing was done twice",
    async () => {
      const { wrong, requests, copies } = await crowd.reckon();
      process.stdout.write(
        `      ${crowd.people.length} accounts, ${requests} requests, ${copies} second copies of mails\n`,
      );
      expect(wrong.join("\n")).toBe("");
      expect(crowd.people.length).toBeGreaterThan(lives / 2);
    },
    limitMs,
  );
});
