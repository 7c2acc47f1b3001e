import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { seededChoice } from "../property/turns.ts";
import { inParallel, mailTo } from "../support/auth.ts";
import { openRows } from "../support/rows.ts";
import { startMailbox, type Mailbox } from "../support/smtp.ts";
import { endTargetsAfterEach } from "../support/target.ts";
import { eventually } from "../support/log.ts";
import { createFleet, torment } from "./fleet.ts";
import { auditDatabase, auditMails } from "./ledger.ts";
import { judge, live, type Person } from "./people.ts";
import { folderOfEachTest } from "../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

const seconds = Number(process.env["GATEHOUSE_CHAOS_SECONDS"] ?? 8);
if (!(seconds >= 1 && seconds <= 3_600)) throw new Error("GATEHOUSE_CHAOS_SECONDS must be between 1 and 3600");
const lives = 8;
const concurrency = 4;
const longestRelayMs = 200;

let mailbox: Mailbox;
beforeEach(async () => {
  // The relay is slow, so that workers have mails in hand when they are killed.
  mailbox = await startMailbox({
    onMailFrom: (_address, _session, proceed) => void setTimeout(proceed, Math.random() * longestRelayMs),
  });
});
afterEach(async () => {
  await mailbox.stop();
});

const occurrences = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

test(
  "C-09 C-10 G-01 G-03 two api, a worker and a scheduler killed at random lose nothing that was acknowledged, and do nothing twice",
  async () => {
    const seed = Number(process.env["GATEHOUSE_PROPERTY_SEED"] ?? Date.now() % 1_000_000_000);
    const choose = seededChoice(seed);
    const databasePath = join(folder(), "app.db");
    const fleet = createFleet({
      ...mailTo(mailbox),
      APP_URL: "http://127.0.0.1:3000",
      DB_DATABASE: databasePath,
      QUEUE_LEASE: "2s",
      QUEUE_CONCURRENCY: String(concurrency),
      QUEUE_MAX_ATTEMPTS: "50",
      AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
      AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
      AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
      AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
      AUTH_IP_LOGIN_FAILURES: "1000000",
    });
    await fleet.startAll();
    const people: Person[] = [];
    const until = performance.now() + seconds * 1_000;
    const isOver = (): boolean => performance.now() >= until;
    const prove = (login: string): void => {
      using rows = openRows(databasePath);
      rows.run("update users set email_verified_at = created_at where email = ?", login);
    };
    const crowd = Array.from({ length: lives }, async (_, lane) => {
      for (let nth = 0; !isOver(); nth += 1)
        people.push(await live({ login: `ada${lane}.${nth}@example.test`, fleet, mailbox, prove, choose, isOver }));
    });
    await Promise.all([torment(fleet, choose, until), ...crowd]);

    // The last acknowledged changes must survive as well.
    await fleet.restartAll();
    const rows = openRows(databasePath);
    await eventually("every job to be done", () => rows.count("jobs") === 0, 30_000);
    rows.close();
    await inParallel(lives, people, (person) => person.close());
    const closing = openRows(databasePath);
    await eventually("the last job to be done", () => closing.count("jobs") === 0, 30_000);
    closing.close();
    await fleet.stop();

    const { found, copies } = auditMails(databasePath, people, mailbox);
    const wrong = [
      ...people.map(judge).filter((each) => each !== ""),
      ...auditDatabase(databasePath, people),
      ...found,
      ...fleet.findings,
    ];
    const [apiKills, workerKills, schedulerKills] = [
      fleet.killsOf("http"),
      fleet.killsOf("worker"),
      fleet.killsOf("scheduler"),
    ];
    const operations = people.flatMap(({ history }) => history.operations);
    const cutOff = operations.filter(({ answer }) => answer.outcome === "unknown").length;
    process.stdout.write(
      `      ${seconds} s, ${apiKills + workerKills + schedulerKills} kills (${apiKills} api, ${workerKills} worker, ${schedulerKills} scheduler), ` +
        `${people.length} accounts, ${operations.length} requests (${cutOff} cut off), ${mailbox.all().length} mails (${copies} second copies)\n`,
    );
    if (wrong.length > 0) throw new Error(`GATEHOUSE_PROPERTY_SEED=${seed}\n${wrong.join("\n")}`);

    const leasesLost = occurrences(fleet.logs(), /job lease lost|job done after its lease was lost/g);
    expect(copies).toBeLessThanOrEqual(workerKills * concurrency + leasesLost);
    // A long run that cut nothing off proves nothing; a short one may have no luck.
    if (seconds >= 30) expect([cutOff, apiKills, workerKills, schedulerKills].every((each) => each > 0)).toBe(true);
    expect(people.length).toBeGreaterThan(lives / 2);
  },
  seconds * 1_000 + 120_000,
);
