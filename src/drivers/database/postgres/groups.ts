import type { ReservedSQL } from "bun";
import type { Turns } from "../../../core/pace/turns.ts";
import type { SqlValue } from "../index.ts";
import { codeOf, isAnswer, leftAlone } from "./errors.ts";
import type { Pool } from "./pool.ts";
import type { Returned } from "./rows.ts";

/** A statement with its values, as the client takes it. */
export interface Bound {
  readonly text: string;
  readonly values: SqlValue[];
}

interface Member extends Bound {
  readonly since: number;
  readonly settle: (returned: Returned | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface GroupOptions {
  readonly pool: Pool;
  readonly turns: Turns;
  /** How long a statement may have waited, in milliseconds: one that has waited longer is left out of a group. */
  readonly timeoutMs: number;
}

/** How many statements a group has at most. It holds the locks of all its rows until it is committed: a few milliseconds for this many. */
const groupStatements = 32;
/** Two groups run at once, so that a statement that waits for a lock does not hold up all that come after it. */
const groupsAtOnce = 2;

/**
 * Group commit: single statements that arrive while others are being made share the next transaction, and so one commit, one wait for the
 * disk and one round trip, which cost more than the statements themselves. Where one of them fails none is made. A statement that comes
 * alone needs no transaction.
 */
export function createGroups(options: GroupOptions) {
  const lasting = createLane(options, true);
  const passing = createLane(options, false);
  return (bound: Bound, durable: boolean, since: number) => (durable ? lasting : passing)(bound, since);
}

/** Groups whose answers all wait for the disk, or none. */
function createLane({ pool, turns, timeoutMs }: GroupOptions, durable: boolean) {
  const waiting: Member[] = [];
  let running = 0;

  function takeGroup(): readonly Member[] {
    const group = waiting.splice(0, groupStatements);
    const oldest = performance.now() - timeoutMs;
    for (const { since, settle } of group) if (since < oldest) settle(undefined);
    return group.filter(({ since }) => since >= oldest);
  }

  async function makeGroup(group: readonly Member[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const returned = await pool.hold((connection) => makeTogether(pool, connection, group, durable));
      for (const [index, { settle }] of group.entries()) settle(returned?.[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function makeAll(): Promise<void> {
    // A group is taken when its turn comes, so that it has all statements that came until then.
    while (waiting.length > 0) await turns.run(() => makeGroup(takeGroup()));
    running -= 1;
  }

  /** Resolves to what the statement has returned once it is committed, or to undefined where it was not made. */
  return ({ text, values }: Bound, since: number): Promise<Returned | undefined> =>
    new Promise((settle, reject) => {
      if (waiting.push({ text, values, since, settle, reject }) > 1 || running === groupsAtOnce) return;
      running += 1;
      // Other statements of this turn of the event loop join the group.
      setImmediate(() => void makeAll());
    });
}

/** Sends the whole group at once. Resolves to what each statement has returned, or to undefined where the server has undone them. */
async function makeTogether(
  pool: Pool,
  connection: ReservedSQL,
  group: readonly Bound[],
  durable: boolean,
): Promise<readonly Returned[] | undefined> {
  const asked = group.map(({ text, values }) => connection.unsafe<never[]>(text, values));
  const isAlone = asked.length === 1 && durable && !pool.isPooled;
  // A query is sent when it is first awaited: all of these are sent in one turn, and in this order.
  const begun = isAlone ? undefined : Promise.allSettled(pool.begin(connection, durable));
  const sent = Promise.allSettled(isAlone ? asked : [...asked, connection<never[]>`commit`]);
  const [opened, answers] = await pool.answered(Promise.all([begun, sent]));
  // Where `begin` failed, each statement has run by itself.
  for (const each of opened ?? []) if (each.status === "rejected") throw each.reason;
  const made = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
  if (made.length === answers.length) return made.slice(0, asked.length);

  const errors = answers.flatMap((answer): unknown[] => (answer.status === "rejected" ? [answer.reason] : []));
  // A transaction with an error can't be committed. The server checks for a transaction left alone before it reads what has come.
  if (errors.some((error) => isAnswer(error) || codeOf(error) === leftAlone)) return undefined;
  throw errors[0];
}
