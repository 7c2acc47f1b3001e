import { endsWithin } from "../../src/core/pace/deadline.ts";
import { auditDatabase, auditMails } from "../chaos/ledger.ts";
import { judge, live, type Person } from "../chaos/people.ts";
import { createHttpService } from "../property/service.http.ts";
import { seededChoice } from "../property/turns.ts";
import { inParallel } from "../support/auth.ts";
import { eventually } from "../support/log.ts";
import { openRows } from "../support/rows.ts";
import type { Mailbox } from "../support/smtp.ts";

const lookEveryMs = 50;
const serviceLimitMs = 60_000;

/** What people come to. */
interface Town {
  /** The URLs by which they come in. */
  readonly doors: readonly string[];
  readonly mailbox: Mailbox;
  /** Tells where the database is at present. */
  readonly data: { url(): string };
  isReady(url: string): Promise<boolean>;
}

/** Starts people who use their accounts: `lives` at once, one life after the other. They are told nothing of what happens to the hosts. */
export function gatherCrowd(town: Town, lives: number) {
  const { doors, mailbox } = town;
  const seed = Number(process.env["GATEHOUSE_PROPERTY_SEED"] ?? Date.now() % 1_000_000_000);
  const choose = seededChoice(seed);
  const services = doors.map((url) => createHttpService(url, { isRemote: true }));
  const people: Person[] = [];
  let isOver = false;
  let served = Promise.withResolvers<void>();

  /** Pauses everybody while nothing serves: otherwise they would soon use up their attempts. */
  async function watch(): Promise<void> {
    for (let isServed = false; !isOver; await Bun.sleep(lookEveryMs)) {
      const ready = await Promise.all(doors.map(town.isReady));
      if (isServed === ready.every((each) => each)) continue;
      isServed = !isServed;
      if (isServed) served.resolve();
      else served = Promise.withResolvers();
    }
    served.resolve();
  }
  const fleet = {
    services,
    async untilServed(): Promise<void> {
      if (!(await endsWithin(served.promise, serviceLimitMs))) throw new Error("the hosts serve nothing");
    },
  };
  const prove = (login: string): Promise<void> =>
    eventually("an address to be proven", () => {
      try {
        using rows = openRows(town.data.url());
        return rows.run("update users set email_verified_at = created_at where email = ?", login) > 0;
      } catch {
        return false;
      }
    });
  async function spend(place: number): Promise<void> {
    for (let nth = 0; !isOver; nth += 1) {
      const login = `ada${place}.${nth}@example.test`;
      people.push(await live({ login, fleet, mailbox, prove, choose, isOver: () => isOver }));
    }
  }
  const living = Promise.all([watch(), ...Array.from({ length: lives }, (_, place) => spend(place))]);
  // Awaited at the end; an earlier failure must not count as an unhandled rejection.
  living.catch(() => {});

  const untilIdle = async (): Promise<void> => {
    using rows = openRows(town.data.url());
    await eventually("every job to be done", () => rows.count("jobs") === 0, 60_000);
  };
  return {
    people,
    /** Lets everybody finish, and compares what they were told with what there is. Resolves to the differences. */
    async reckon(): Promise<{ readonly wrong: readonly string[]; readonly requests: number; readonly copies: number }> {
      isOver = true;
      await living;
      await untilIdle();
      await inParallel(lives, people, (person) => person.close());
      await untilIdle();
      const database = town.data.url();
      const { found, copies } = auditMails(database, people, mailbox);
      const judged = people.map(judge).filter((each) => each !== "");
      const wrong = [...judged, ...auditDatabase(database, people), ...found];
      const requests = people.reduce((sum, { history }) => sum + history.operations.length, 0);
      return { wrong: wrong.length > 0 ? [`GATEHOUSE_PROPERTY_SEED=${seed}`, ...wrong] : [], requests, copies };
    },
  };
}
