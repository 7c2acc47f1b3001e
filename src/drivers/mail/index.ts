import type { LogOn } from "../../core/log.ts";

/** A picture that is part of a mail. */
export interface MailImage {
  /** The name by which the HTML refers to it, as `cid:` and this (RFC 2392). */
  readonly cid: string;
  /** The name of the file. */
  readonly name: string;
  readonly type: string;
  readonly body: Uint8Array;
}

export interface Mail {
  /** One plain address, without a display name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Pictures of the HTML: a mail loads nothing from elsewhere. */
  readonly images?: readonly MailImage[];
}

export interface Mailer {
  readonly driver: string;
  /**
   * Resolves when the next hop has accepted the message, to what the hop said, if anything. Rejects with `MailRefused` when the hop
   * answered no. Rejects with other errors on an address or subject that could forge a header, and when there was no answer.
   */
  send(mail: Mail): Promise<string | undefined>;
  /** Connects to the next hop and proves who we are there, and sends nothing. Absent where there is none. */
  greet?(): Promise<void>;
  close(): Promise<void>;
}

interface Refusal {
  readonly answer: string;
  readonly code: number;
  /** The SMTP command that was answered. */
  readonly command: string | undefined;
  readonly cause: unknown;
}

/**
 * Codes of replies that speak of the connection, whatever the command: bad sequence of commands (RFC 5321), authentication required (RFC
 * 4954).
 */
const ofSession = new Set([503, 530]);

/** Thrown when the next hop has answered, and did not take the mail. */
export class MailRefused extends Error {
  /** The reply of the next hop: a status code and a text, which may name the recipient. */
  readonly answer: string;
  /** Whether the same mail will be refused again, as a code from 500 on means (RFC 5321 §4.2.1). */
  readonly isPermanent: boolean;
  /** Whether the recipient is refused for good, so that no attempt can make sense. Other refusals may end with the relay's settings. */
  readonly isOfRecipient: boolean;
  constructor(message: string, { answer, code, command, cause }: Refusal) {
    super(message, { cause });
    this.name = "MailRefused";
    this.answer = answer;
    this.isPermanent = code >= 500;
    this.isOfRecipient = this.isPermanent && command === "RCPT TO" && !ofSession.has(code);
  }
}

export type MailLog = LogOn<"info">;
