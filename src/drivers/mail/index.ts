export interface Mail {
  /** One plain address, without a display name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  readonly driver: string;
  readonly name: string;
  /**
   * Resolves when the next hop has accepted the message, with what it said, where it says anything. Rejects with `MailRefused` when it
   * answered no, and with other errors on an address or subject that could forge a header or when there was no answer.
   */
  send(mail: Mail): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Refusal {
  readonly answer: string;
  readonly code: number;
  /** The command of SMTP that was answered. */
  readonly command: string | undefined;
  readonly cause: unknown;
}

/** Replies that speak of the connection, whatever the command: bad sequence of commands (RFC 5321), authentication required (RFC 4954). */
const ofSession = new Set([503, 530]);

/** The next hop has answered, and did not take the mail. */
export class MailRefused extends Error {
  /** Its reply: a status code and a text, which may name the recipient. */
  readonly answer: string;
  /** RFC 5321 §4.2.1: a code from 500 on means that the same mail will be refused again. */
  readonly isPermanent: boolean;
  /** Whether it is the recipient that is refused for good, so that no attempt can make sense. Other settings of the relay can be mended meanwhile. */
  readonly isOfRecipient: boolean;
  constructor(message: string, { answer, code, command, cause }: Refusal) {
    super(message, { cause });
    this.name = "MailRefused";
    this.answer = answer;
    this.isPermanent = code >= 500;
    this.isOfRecipient = this.isPermanent && command === "RCPT TO" && !ofSession.has(code);
  }
}

/** What the `log` driver writes to; the application's log satisfies it. */
export interface MailLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
