import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { violations } from "../../property/claims.ts";
import { createHistory, printHistory, type History, type OperationKind } from "../../property/history.ts";
import { createPlayer, type Client } from "../../property/player.ts";
import type { Step } from "../../property/program.ts";
import { createHttpService, type HttpService } from "../../property/service.http.ts";
import { seededChoice } from "../../property/turns.ts";
import { mailTo } from "../../support/auth.ts";
import { openRows } from "../../support/rows.ts";
import { startMailbox, type Mailbox } from "../../support/smtp.ts";
import { endTargetsAfterEach, startTarget, type Target } from "../../support/target.ts";
import { folderOfEachTest } from "../../support/folder.ts";

const folder = folderOfEachTest();

endTargetsAfterEach();

const rounds = 10;
const peopleAtOnce = 5;
/** Resets that each person asks for; an account can have twelve an hour. */
const resetsEach = 8;
/** The most mails of one kind that a mailbox gets in an hour. */
const noticesPerHour = 5;

let mailbox: Mailbox;
let env: Record<string, string>;

beforeEach(async () => {
  mailbox = await startMailbox();
  env = {
    ...mailTo(mailbox),
    DB_DATABASE: join(folder(), "app.db"),
    AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
    AUTH_LOGIN_LOCKOUT_ATTEMPTS: "100",
    AUTH_LOGIN_RATE_LIMIT_ATTEMPTS: "1000000",
    AUTH_IP_RATE_LIMIT_ATTEMPTS: "1000000",
    AUTH_IP_LOGIN_FAILURES: "1000000",
  };
});
afterEach(async () => {
  await mailbox.stop();
});

const start = (migrate: boolean): Promise<Target> => startTarget({ env, roles: ["http"], ownProcess: true, migrate });

const busyness: readonly Step[] = [
  { do: "refresh" },
  { do: "burst", of: ["refresh", "fallback", "refresh"] },
  { do: "login" },
  { do: "change-password" },
  { do: "revoke", whose: 1 },
  { do: "logout" },
  { do: "reset-request" },
  { do: "logout-all" },
];

type Player = ReturnType<typeof createPlayer>;

interface Person {
  readonly login: string;
  readonly history: History;
  readonly player: Player;
  readonly clients: readonly Client[];
}

/** Registers a person with two browsers; undefined unless the registration was acknowledged. `services` follows the restarts. */
async function register(
  login: string,
  services: readonly [HttpService],
  choose: (of: number) => number,
): Promise<Person | undefined> {
  const history = createHistory(() => performance.now());
  const account = { login, password: `the first password ${choose(1_000_000)}` };
  const { password: newPassword } = account;
  const answer = await history.record({ kind: "register", by: login, user: login, newPassword }, () =>
    services[0].register(login, account.password),
  );
  const { opened: session, access, secret: refresh } = answer;
  if (session === undefined || access === undefined || refresh === undefined) return undefined;
  let passwords = 0;
  const player = createPlayer({
    history,
    account,
    services,
    newPassword: () => `another password ${choose(1_000_000)} ${++passwords}`,
    pause: () => Promise.resolve(),
    together: (tasks) => Promise.all(tasks.map((task) => task())),
  });
  const clients = ["laptop", "phone"].map((name): Client => ({ name, cookies: { session, access, refresh } }));
  return { login, history, player, clients };
}

const wasCutOff = ({ history }: Person): boolean =>
  history.operations.some(({ answer }) => answer.outcome === "unknown");
const countOf = ({ history }: Person, kind: OperationKind, outcomes: readonly string[]): number =>
  history.operations.filter((op) => op.kind === kind && outcomes.includes(op.answer.outcome)).length;

/** Writes until the process is gone. */
async function keepBusy(person: Person, choose: (of: number) => number): Promise<void> {
  let resets = 0;
  while (!wasCutOff(person)) {
    const program = person.clients.map(() => {
      const step = busyness[choose(busyness.length)] ?? { do: "refresh" };
      const isOneTooMany = step.do === "reset-request" && ++resets > resetsEach;
      return { session: 0, steps: [isOneTooMany ? ({ do: "refresh" } as const) : step] };
    });
    await person.player.run(program, person.clients);
  }
}

function expectKept({ history }: Person): void {
  const found = violations(history.operations);
  if (found.length > 0) throw new Error(`${found.join("\n")}\n\n${printHistory(history.operations)}`);
}

/** Mails of acknowledged requests were sent. Mails of requests that were cut off may have been sent. */
function expectMails({ login, ...person }: Person, isProven: boolean): void {
  const mails = mailbox.all().filter(({ recipients }) => recipients.includes(login));
  const count = (subject: string): number => mails.filter((mail) => mail.subject === subject).length;
  const expectCount = (subject: string, kind: OperationKind, most = Number.POSITIVE_INFINITY): void => {
    const sent = count(subject);
    expect(sent).toBeGreaterThanOrEqual(Math.min(countOf({ login, ...person }, kind, ["accepted"]), most));
    expect(sent).toBeLessThanOrEqual(countOf({ login, ...person }, kind, ["accepted", "unknown"]));
  };
  // An address that is proven by then needs no verification, and one that was never proven gets no notice.
  expect(count("Verify your email")).toBe(isProven ? 0 : 1);
  if (isProven) expectCount("Your password was changed", "change-password", noticesPerHour);
  else expect(count("Your password was changed")).toBe(0);
  // A request joins the one before unless the earlier link has been used.
  expectCount("Reset your password", "reset-request", 1);
}

async function deliverAll(proven: readonly Person[]): Promise<void> {
  const rows = openRows(env["DB_DATABASE"] ?? "");
  for (const { login } of proven) rows.run("update users set email_verified_at = 1 where email = ?", login);
  const worker = await startTarget({ env, roles: ["worker"], ownProcess: true, migrate: false });
  const deadline = performance.now() + 60_000;
  while (rows.count("jobs") > 0 && performance.now() < deadline) await Bun.sleep(50);
  expect(rows.count("jobs")).toBe(0);
  rows.close();
  expect(await worker.stop()).toBe(0);
}

test("C-09 C-10 G-01 no acknowledged write is lost by kill -9, and every acknowledged job gets its mail", async () => {
  const seed = Number(process.env["GATEHOUSE_PROPERTY_SEED"] ?? Date.now() % 1_000_000_000);
  const choose = seededChoice(seed);
  const people: Person[] = [];
  let target = await start(true);
  const services: [HttpService] = [createHttpService(target.url)];
  try {
    // On a busy machine, some kills come before anybody has registered.
    for (let round = 0; round < rounds || (people.length <= rounds && round < 3 * rounds); round += 1) {
      const names = Array.from({ length: peopleAtOnce }, (_, index) => `ada${round}.${index}@example.test`);
      const present: Person[] = [];
      const load = names.map(async (name) => {
        const person = await register(name, services, choose);
        if (person === undefined) return;
        present.push(person);
        await keepBusy(person, choose);
      });
      await Bun.sleep(150 + choose(700));
      await target.kill();
      await Promise.all(load);

      target = await start(false);
      services[0] = createHttpService(target.url);
      await Promise.all(present.map(({ player, clients }) => player.close(clients)));
      for (const person of present) expectKept(person);
      people.push(...present);
    }
    // Everything that survived one kill also survives the next ones.
    await Promise.all(people.map(({ player, clients }) => player.close(clients)));
    for (const person of people) expectKept(person);
    expect(people.length).toBeGreaterThan(rounds);
    const proven = people.filter((_, index) => index % 2 === 0);
    await deliverAll(proven);
    for (const person of people) expectMails(person, proven.includes(person));
  } catch (error) {
    throw new Error(`GATEHOUSE_PROPERTY_SEED=${seed}`, { cause: error });
  } finally {
    await target.stop();
  }
  const writes = people.flatMap(({ history }) => history.operations).length;
  process.stdout.write(
    `${rounds} kills, ${people.length} accounts, ${writes} requests, ${mailbox.all().length} mails\n`,
  );
}, 120_000);
