import type { AppName } from "../../config/index.ts";
import { hour, type Clock, type Millis } from "../../core/clock.ts";
import { AttemptFailed, type JobContext } from "../../core/job.ts";
import type { Database, Statement } from "../../drivers/database/index.ts";
import { MailRefused, type Mail, type Mailer } from "../../drivers/mail/index.ts";
import type { JobMentions } from "../../drivers/queue/index.ts";
import type { Log } from "../../observe/index.ts";
import { createRedactor } from "../../observe/redact.ts";
import { mailboxRefused, type MailKind, type WithheldReason } from "./kinds.ts";
import type { MailOwner, MailRepository, StoredMail } from "./mail.repository.ts";

/**
 * `waiting`: an attempt is under way, or another one follows. `sent`: the relay has the mail. `refused`: the relay has answered that it
 * will never take the mail. It is asked again as long as the mail is worth that, unless it refuses the recipient. `gave_up`: no attempt
 * follows. `withheld`: the mail was held back.
 */
export const mailStates = ["waiting", "sent", "refused", "gave_up", "withheld"] as const;
export type MailState = (typeof mailStates)[number];

/** A stored mail as far as it got: no address is part of it. */
export interface MailFate extends Omit<StoredMail, "changedAt" | "state"> {
  readonly state: MailState;
  /** When the state was reached. */
  readonly at: Millis;
}

/** The mail that an attempt of a job sends. */
export interface MailOfJob {
  readonly kind: MailKind;
  readonly job: Pick<JobContext, "id" | "attempt" | "acceptedAt">;
  /** Undefined for a person whose account is gone: then nothing is kept. */
  readonly owner: MailOwner | undefined;
}
export interface MailOfUser extends MailOfJob {
  readonly owner: { readonly userId: string };
}

interface FateOptions {
  readonly app: AppName;
  readonly database: Database;
  readonly rows: MailRepository;
  readonly mailer: Mailer;
  readonly jobMentions: Pick<JobMentions, "pending">;
  readonly secrets: readonly string[];
  /** Says that the job is about this account, where inspects are on. */
  readonly concerns: ((userId: string) => void) | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

const longestAnswer = 300;
/** How many characters of an answer are searched for addresses; the rest is dropped. */
const mostSearched = 2_000;
/** A shorter local part is as likely to be a word of the answer. */
const shortestLocalPart = 3;
const anyAddress = /[^\s<>()"'`,;:]+@[^\s<>()"'`,;:]+/g;

const idOf = ({ job, kind }: MailOfJob): string => `${job.id}/${kind}`;
const jobIdOf = (id: string): string => id.slice(0, id.indexOf("/"));
const isState = (text: string): text is MailState => mailStates.some((state) => state === text);

/** Sends mails, and stores the fate of each. A fate that can't be stored is only logged: the failure must not send a mail twice. */
export function createMailFates(options: FateOptions) {
  const { app, database, rows, mailer, jobMentions, secrets, concerns, clock, log } = options;
  const redact = createRedactor(secrets);

  /** Removes addresses from an answer: relays repeat the recipient, and parts of what they were sent. */
  function withoutAddress(answer: string, { to }: Pick<Mail, "to">): string {
    const [local = ""] = to.split("@");
    const plain = answer
      .slice(0, mostSearched)
      .replaceAll(/\s+/g, " ")
      .replaceAll(to, "[address]")
      .replaceAll(anyAddress, "[address]");
    const nameless =
      local.length < shortestLocalPart
        ? plain
        : plain.replaceAll(new RegExp(`(?<![\\w.+-])${RegExp.escape(local)}(?![\\w.+-])`, "giu"), "[address]");
    return redact.text(nameless, longestAnswer);
  }

  async function write(statements: readonly Statement[], { kind, job, owner }: MailOfJob): Promise<void> {
    if (owner !== undefined && "userId" in owner) concerns?.(owner.userId);
    try {
      // Not durable: the commit that ends the attempt of the job follows at once, and syncs this one as well.
      await database.batch(statements, { durable: false });
    } catch (error) {
      log.error("what became of a mail could not be written down", { mail: kind, job_id: job.id, error });
    }
  }

  /** Hands the mail to the relay. Rejects as the mailer does, but so that no attempt follows where the recipient is refused for good. */
  async function hand(mail: Mail): Promise<string | undefined> {
    try {
      return await mailer.send(mail);
    } catch (error) {
      if (!(error instanceof MailRefused) || !error.isOfRecipient) throw error;
      throw new AttemptFailed(error.message, { retry: "never", cause: error });
    }
  }

  const rowOf = (of: MailOfJob, owner: MailOwner) => ({
    id: idOf(of),
    owner,
    kind: of.kind,
    app,
    state: "waiting",
    reason: null,
    answer: null,
    attempts: 0,
    requestedAt: of.job.acceptedAt,
    changedAt: clock.now(),
  });

  const end = (
    of: MailOfJob,
    owner: MailOwner,
    ending: { readonly state: MailState; readonly answer: string | null; readonly reason?: typeof mailboxRefused },
  ): Promise<void> => write([rows.end({ ...rowOf(of, owner), ...ending, attempts: of.job.attempt })], of);

  /** Adds to stored rows whether another attempt follows: the rows know only how the last one ended, and the queue knows the rest. */
  async function present(stored: readonly StoredMail[]): Promise<readonly MailFate[]> {
    const isOpen = ({ state }: StoredMail): boolean => state === "waiting" || state === "refused";
    const pending = new Set(await jobMentions.pending(stored.filter(isOpen).map(({ id }) => jobIdOf(id))));
    return stored.map((mail) => {
      const { changedAt: at, state, ...rest } = mail;
      const hasEnded = isOpen(mail) && !pending.has(jobIdOf(mail.id));
      return { ...rest, at, state: hasEnded || !isState(state) ? "gave_up" : state };
    });
  }

  return {
    async send(of: MailOfJob, mail: Mail): Promise<void> {
      const { owner, job } = of;
      if (owner === undefined) return void (await hand(mail));
      if (job.attempt === 1) await write([rows.begin(rowOf(of, owner))], of);
      let answer: string | undefined;
      try {
        answer = await hand(mail);
      } catch (error) {
        const reason = error instanceof AttemptFailed ? error.cause : error;
        const said =
          reason instanceof MailRefused ? reason.answer : reason instanceof Error ? reason.message : String(reason);
        const refused = reason instanceof MailRefused && reason.isPermanent ? reason : undefined;
        await end(of, owner, {
          state: refused === undefined ? "waiting" : "refused",
          answer: withoutAddress(said, mail),
          ...(refused?.isOfRecipient === true && { reason: mailboxRefused }),
        });
        throw error;
      }
      await end(of, owner, { state: "sent", answer: answer === undefined ? null : withoutAddress(answer, mail) });
    },

    /** Records that a mail was held back. Similar mails share a row an hour, since anybody can ask for a reset as often as they like. */
    async heldBack(of: MailOfUser, reason: WithheldReason): Promise<void> {
      const now = clock.now();
      const tried = idOf(of);
      const id = `${of.owner.userId}/${of.kind}/${reason}/${Math.floor(now / hour)}`;
      const row = { ...rowOf(of, of.owner), id, tried, state: "withheld", reason };
      await write([rows.stop(tried, reason, now), rows.holdBack(row)], of);
    },

    ofUser: async (userId: string, limit: number): Promise<readonly MailFate[]> =>
      present(await rows.ofUser(userId, limit)),

    forgetAddress: rows.forgetAddress,

    ofAddress: async (addressKey: string, limit: number): Promise<readonly MailFate[]> =>
      present(await rows.ofAddress(addressKey, limit)),
  };
}

export type MailFates = ReturnType<typeof createMailFates>;
