import type { Operation } from "../property/history.ts";
import { openRows } from "../support/rows.ts";
import type { Mailbox } from "../support/smtp.ts";
import { count, resetSubject, type Person } from "./people.ts";

interface Row {
  readonly value: string | null;
  readonly n: number;
}

/** Subjects of the notices that audited changes send to their owner, in the commit of the change. */
const notices = {
  "auth.registered": "Verify your email",
  "auth.password-changed": "Your password was changed",
  "auth.password-reset": "Your password was reset",
  "auth.refresh-reused": "You were signed out for your safety",
  "auth.locked": "Sign-in to your account is locked for a while",
} as const;

/** A sign-in in a browser that the account does not know. */
const newDeviceSubject = "New sign-in to your account";

/** The most mails of one kind that one recipient gets: more are held back. */
const noticesPerHour = 5;

/** SQL for the rows that end a session: by itself, or with all others of its user. */
const endedBy = `action in ('auth.logged-out', 'auth.session-revoked', 'auth.refresh-reused') and session_id = ?
  or subject_user_id = ? and (action in ('auth.password-changed', 'auth.password-reset') or reason = 'all_sessions')`;
const isOpening = ({ kind }: Operation): boolean => kind === "register" || kind === "login";

/** Compares what clients were told with the database: acknowledged changes are there, and nothing happened twice. */
export function auditDatabase(path: string, people: readonly Person[]): string[] {
  using rows = openRows(path);
  const found: string[] = [];
  const all = (sql: string, ...params: string[]): Row[] => rows.all<Row>(sql, ...params);
  const number = (sql: string, ...params: string[]): number =>
    all(`select null as value, count(*) as n from ${sql}`, ...params)[0]?.n ?? 0;
  const between = (what: string, n: number, least: number, most: number): void => {
    if (n < least || n > most) found.push(`${what}: ${n}, acknowledged ${least}, asked for at most ${most}`);
  };
  const none = (what: string, sql: string): void => {
    for (const { value, n } of all(sql)) found.push(`${what}: ${value} (${n})`);
  };

  for (const person of people) {
    const { login, history } = person;
    const { operations } = history;
    const [user] = all("select id as value, 1 as n from users where email = ?", login);
    between(`accounts of ${login}`, number("users where email = ?", login), 1, 1);
    const id = user?.value ?? "";
    const audited = (action: string): number =>
      number("audit_events where action = ? and subject_user_id = ?", action, id);

    const opened = operations.filter((op) => isOpening(op) && op.answer.outcome === "accepted");
    const cut = operations.filter((op) => isOpening(op) && op.answer.outcome === "unknown");
    between(
      `sessions of ${login}`,
      number("auth_sessions where user_id = ?", id),
      opened.length,
      opened.length + cut.length,
    );
    for (const { answer } of opened)
      between(
        `session ${answer.opened}`,
        number("auth_sessions where id = ? and user_id = ?", answer.opened ?? "", id),
        1,
        1,
      );
    between(`registrations of ${login}`, audited("auth.registered"), 1, 1);
    const kinds = { "auth.password-changed": "change-password", "auth.password-reset": "reset-confirm" } as const;
    for (const [action, kind] of Object.entries(kinds)) {
      const told = count(person, kind, "accepted");
      between(`${action} of ${login}`, audited(action), told, told + count(person, kind, "unknown"));
    }
    const redeemed = "auth_grants where redeemed_at is not null and purpose = 'password_reset' and user_id = ?";
    between(
      `grants spent by ${login}`,
      number(redeemed, id),
      audited("auth.password-reset"),
      audited("auth.password-reset"),
    );

    for (const op of operations) {
      const ended = op.kind === "logout" ? op.session : op.kind === "revoke" ? op.target : undefined;
      if (ended === undefined || op.answer.outcome !== "accepted") continue;
      between(`${op.kind} of ${ended}`, number("auth_sessions where id = ? and revoked_at is not null", ended), 1, 1);
      // A logout of a session that another request ended meanwhile gets the same answer, and leaves no row of its own.
      const isSole = op.kind === "revoke";
      const enders = isSole ? `action = 'auth.session-revoked' and session_id = ?` : endedBy;
      const rowsOf = number(`audit_events where ${enders}`, ...(isSole ? [ended] : [ended, id]));
      between(`what ended ${ended}`, rowsOf, 1, isSole ? 1 : Number.POSITIVE_INFINITY);
    }
  }

  none(
    "a session that was not opened exactly once",
    `select s.id as value, count(a.id) as n from auth_sessions s left join audit_events a
       on a.session_id = s.id and a.action in ('auth.registered', 'auth.logged-in') group by s.id having count(a.id) <> 1`,
  );
  none(
    "a session that ended twice",
    `select session_id as value, count(*) as n from audit_events
       where action in ('auth.logged-out', 'auth.session-revoked', 'auth.refresh-reused') and session_id is not null
       group by session_id having count(*) > 1`,
  );
  none(
    "accounts that are not counted as they are",
    `select kind || ' ' || part as value, sum(n) as n from (
       select kind, part, accounts as n from account_counts where kind in ('factors', 'seen')
       union all select 'factors', factors, -1 from users
       union all select 'seen', last_seen_at - last_seen_at % 86400000, -1 from users where last_seen_at is not null
     ) counted group by kind, part having sum(n) <> 0`,
  );
  none("a job that was not done", "select name || ' ' || state as value, attempts as n from jobs");
  return found;
}

/**
 * Compares mails with the audit log. A mail is sent at least once: a second copy comes only from a job that a killed worker had in hand, or
 * whose lease was lost. Resolves to how many copies there were beyond one a job.
 */
export function auditMails(
  path: string,
  people: readonly Person[],
  mailbox: Mailbox,
): { found: string[]; copies: number } {
  using rows = openRows(path);
  const found: string[] = [];
  let copies = 0;
  for (const person of people) {
    const { login } = person;
    const mails = mailbox.all().filter(({ recipients }) => recipients.includes(login));
    const expectMails = (subject: string, least: number, most: number): void => {
      const sent = mails.filter((mail) => mail.subject === subject).length;
      if (sent < least) found.push(`${login}: ${sent} mails "${subject}", ${least} were due`);
      copies += Math.max(0, sent - most);
    };
    const sql = `select count(*) as n from audit_events a join users u on u.id = a.subject_user_id
      where a.action = ? and u.email = ?`;
    const audited = (action: string): number => Number(rows.get(sql, action, login)["n"] ?? 0);
    for (const [action, subject] of Object.entries(notices)) {
      const due = audited(action);
      // Two notices may be missing. The address is proven soon after registration: a verification whose turn comes later is not sent. At
      // the end the passwords that may be current are all tried, which can lock the account: the mailbox may be read before the mail about
      // it is sent.
      const isSure = action !== "auth.registered" && action !== "auth.locked";
      expectMails(subject, isSure ? Math.min(due, noticesPerHour) : 0, due);
    }
    // A request joins the one before, unless that one's link was used.
    const asked = count(person, "mail-request", "accepted");
    expectMails(resetSubject, Math.min(asked, 1), asked + count(person, "mail-request", "unknown"));
    // A browser that the account knows is told of to nobody, and no more than a few are told of in an hour.
    expectMails(newDeviceSubject, 0, audited("auth.logged-in"));
    const subjects: ReadonlySet<string> = new Set([...Object.values(notices), resetSubject, newDeviceSubject]);
    for (const { subject } of mails) if (!subjects.has(subject)) found.push(`${login}: nobody asked for "${subject}"`);
  }
  return { found, copies };
}
