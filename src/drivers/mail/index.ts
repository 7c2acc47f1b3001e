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
  /** Resolves when the next hop has accepted the message. Rejects on an address or subject that could forge a header. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}

/** What the `log` driver writes to; the application's log satisfies it. */
export interface MailLog {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
