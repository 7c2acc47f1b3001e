export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailer {
  readonly driver: string;
  readonly name: string;
  /** Resolves when the next hop has accepted the message. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
}
