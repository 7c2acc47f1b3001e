import { violations } from "../property/claims.ts";
import { createHistory, printHistory, type History, type Operation } from "../property/history.ts";
import { createPlayer, type Client } from "../property/player.ts";
import type { Step } from "../property/program.ts";
import { createPasswords } from "../support/passwords.ts";
import type { Mailbox } from "../support/smtp.ts";
import type { Fleet } from "./fleet.ts";

export const resetSubject = "Reset your password";
/** Well below the ten mails an hour that an account is sent, including attempts at a job that a kill ended. */
const resetsEach = 2;
const mailLimitMs = 8_000;
const rounds = 14;
const registrationTries = 20;
const retryMs = 250;

const busyness: readonly Step[] = [
  { do: "hello" },
  { do: "burst", of: ["hello", "fallback", "hello"] },
  { do: "refresh" },
  { do: "burst", of: ["refresh", "fallback", "refresh"] },
  { do: "login" },
  { do: "login" },
  { do: "login" },
  { do: "change-password" },
  { do: "change-password" },
  { do: "revoke", whose: 1 },
  { do: "revoke", whose: 0 },
  { do: "logout" },
  { do: "logout-all" },
];

export interface Person {
  readonly login: string;
  readonly history: History;
  /** Checks over HTTP the fate of every session, secret, password and spent grant. */
  close(): Promise<void>;
}

interface LifeOptions {
  readonly login: string;
  readonly fleet: Pick<Fleet, "services" | "untilServed">;
  readonly mailbox: Mailbox;
  /** Marks the account's address as proven: unproven ones get no notices. */
  readonly prove: (login: string) => void | Promise<void>;
  readonly choose: (of: number) => number;
  /** Ends the life early when it returns true. */
  readonly isOver: () => boolean;
}

/** Plays a person who registers, then uses the account from a laptop and a phone and by mail, all at once. Records everything. */
export async function live({ login, fleet, mailbox, prove, choose, isOver }: LifeOptions): Promise<Person> {
  const history = createHistory(() => performance.now());
  const account = { login, password: "" };
  const newPassword = createPasswords(() => String(choose(1_000_000)));
  const player = createPlayer({
    history,
    account,
    services: fleet.services,
    newPassword,
    pause: (ms) => Bun.sleep(ms),
    together: (tasks) => Promise.all(tasks.map((task) => task())),
    turn: fleet.untilServed,
  });
  const clients: Client[] = [];
  const spent: Client[] = [];

  /** Registers, and tries again with another password if cut off: either the first request took effect, or the second does. */
  async function register(): Promise<void> {
    for (let tries = 0; tries < registrationTries; tries += 1) {
      await fleet.untilServed();
      const password = newPassword();
      const service = fleet.services[choose(fleet.services.length)];
      if (service === undefined) throw new Error("no service");
      const answer = await history.record({ kind: "register", by: login, user: login, newPassword: password }, () =>
        service.register(login, password),
      );
      if (answer.outcome === "unknown") {
        await Bun.sleep(retryMs);
        continue;
      }
      const { opened: session = "", access = "", secret: refresh = "" } = answer;
      account.password = password;
      for (const name of ["laptop", "phone"]) clients.push({ name, cookies: { session, access, refresh } });
      // A request that was cut off has taken the address.
      if (answer.outcome === "refused") await enter();
      return;
    }
    throw new Error(`${login} could not register`);
  }

  /** Signs both clients in with the password that took effect. */
  async function enter(): Promise<void> {
    const sent = history.operations.flatMap(({ kind, newPassword: each }) => (kind === "register" ? (each ?? []) : []));
    for (const client of clients) {
      for (let tries = 0; client.cookies.session === ""; tries += 1) {
        const password = sent[tries % sent.length];
        if (password === undefined || tries > registrationTries) throw new Error(`${login} could not sign in`);
        const { outcome } = await player.login(client, 0, password);
        if (outcome === "accepted") account.password = password;
        else if (outcome === "unknown") await Bun.sleep(retryMs);
      }
    }
  }

  async function work(): Promise<void> {
    for (let round = 0; round < rounds && !isOver(); round += 1) {
      const program = clients.map(() => ({
        session: 0,
        steps: [busyness[choose(busyness.length)] ?? { do: "hello" }],
      }));
      await player.run(program, clients);
    }
  }

  async function resetByMail(): Promise<void> {
    for (let resets = 0; resets < resetsEach && !isOver(); resets += 1) {
      await Bun.sleep(choose(1_000));
      await fleet.untilServed();
      const { outcome } = await history.record({ kind: "mail-request", by: "mail", user: login }, async () =>
        (fleet.services[choose(fleet.services.length)] ?? missing()).requestReset(login),
      );
      const token = await nextToken(outcome === "accepted" ? mailLimitMs : mailLimitMs / 4);
      if (token === undefined) continue;
      noteMails(history, login, mailbox);
      const client: Client = { name: "mail", cookies: { session: "", access: "", refresh: "" }, grant: token };
      spent.push(client);
      await player.run([{ session: 0, steps: [{ do: "reset-confirm", times: 1 + choose(2) }] }], [client]);
    }
  }

  const seen = new Set<string>();
  /** Resolves to the next mailed token; undefined if it is late, because the worker was killed again and again. */
  async function nextToken(withinMs: number): Promise<string | undefined> {
    const deadline = performance.now() + withinMs;
    while (performance.now() < deadline) {
      const token = tokensTo(login, mailbox).findLast((each) => !seen.has(each));
      if (token !== undefined) {
        for (const each of tokensTo(login, mailbox)) seen.add(each);
        return token;
      }
      await Bun.sleep(25);
    }
    return undefined;
  }

  await register();
  await prove(login);
  await Promise.all([work(), resetByMail()]);

  return {
    login,
    history,
    async close() {
      noteMails(history, login, mailbox);
      await player.close(clients);
      for (const client of spent) {
        const again = { session: 0, steps: [{ do: "reset-confirm", times: 1 } as const] };
        if (isSpent(history, client.grant)) await player.run([again], [client]);
      }
    },
  };
}

function missing(): never {
  throw new Error("no service to ask");
}

const isSpent = ({ operations }: History, grant: string | undefined): boolean =>
  operations.some((op) => op.kind === "reset-confirm" && op.grant === grant && op.answer.outcome === "accepted");

const tokensTo = (login: string, mailbox: Mailbox): string[] =>
  mailbox
    .all()
    .filter(({ recipients, subject }) => subject === resetSubject && recipients.includes(login))
    .flatMap(({ text }) => /reset-password\?token=([\w-]+)/.exec(text)?.[1] ?? []);

/**
 * Records mailed tokens that are not in the record yet. Which request a mail answers is unknown, except that it is not before the first.
 */
function noteMails(history: History, login: string, mailbox: Mailbox): void {
  const known = new Set(history.operations.map(({ answer }) => answer.grant));
  const first = history.operations.find(({ kind }) => kind === "mail-request");
  for (const grant of tokensTo(login, mailbox))
    if (!known.has(grant))
      history.given({ kind: "mail", by: "mail", user: login }, { outcome: "accepted", grant }, first);
}

/** Returns what the record proves wrong, with the record; empty if nothing. */
export function judge({ login, history }: Person): string {
  const found = violations(history.operations);
  return found.length === 0 ? "" : `${login}\n${found.join("\n")}\n\n${printHistory(history.operations)}`;
}

export const count = ({ history }: Person, kind: Operation["kind"], ...outcomes: readonly string[]): number =>
  history.operations.filter((op) => op.kind === kind && outcomes.includes(op.answer.outcome)).length;
