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

/** The next hop has answered, and did not take the mail. */
export class MailRefused extends Error {
  /** Its reply: a status code and a text, which may name the recipient. */
  readonly answer: string;
  /** RFC 5321 §4.2.1: a code from 500 on means that the same mail will be refused again. */
  readonly isPermanent: boolean;
  constructor(
    message: string,
    { answer, code, cause }: { readonly answer: string; readonly code: number; readonly cause: unknown },
  ) {
    super(message, { cause });
    this.name = "MailRefused";
    this.answer = answer;
    this.isPermanent = code >= 500;
  }
}

/** What the `log` driver writes to; the application's log satisfies it. */
export interface MailLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
