import PostalMime, { type Email } from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface ReceivedMail {
  /** Envelope recipients, who really get the mail. */
  readonly recipients: readonly string[];
  /** Whether the mail arrived over TLS. */
  readonly secure: boolean;
  /** The subject without the name of the product, which `message.subject` has. */
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** The parsed message, including headers. */
  readonly message: Email;
  readonly raw: string;
}

export interface Mailbox {
  readonly port: number;
  /** Takes the oldest mail not taken yet, to that recipient if one is named. Rejects after `withinMs`. */
  next(to?: string, withinMs?: number): Promise<ReceivedMail>;
  all(): readonly ReceivedMail[];
  stop(): Promise<void>;
}

const plainSubject = (subject: string): string => subject.replace(/ (?:for|with|of) Gatehouse\b/, "");

/**
 * Starts a real SMTP server that keeps its mails, on a free port of loopback unless an address is named. It is plain unless `options` say
 * otherwise.
 */
export async function startMailbox(options: SMTPServerOptions = {}, address = "127.0.0.1"): Promise<Mailbox> {
  const received: ReceivedMail[] = [];
  const unread = new Set<ReceivedMail>();
  const arrivals = new EventTarget();
  const disabledCommands = options.onAuth ? ["STARTTLS"] : ["STARTTLS", "AUTH"];

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands,
    disableReverseLookup: true,
    ...options,
    onData(stream, session, done) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("error", done);
      stream.on("end", () => {
        const raw = Buffer.concat(chunks);
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        PostalMime.parse(raw).then((message) => {
          const { subject = "", text = "", html = "" } = message;
          const mail = {
            recipients,
            secure: session.secure,
            subject: plainSubject(subject),
            text,
            html,
            message,
            raw: raw.toString(),
          };
          received.push(mail);
          unread.add(mail);
          arrivals.dispatchEvent(new Event("mail"));
          done();
        }, done);
      });
    },
  });
  // A client that hangs up in the middle is the client's affair.
  server.on("error", () => {});
  const listening = Promise.withResolvers<void>();
  server.listen(0, address, listening.resolve);
  await listening.promise;
  const bound = server.server.address();
  if (bound === null || typeof bound === "string") throw new Error("the mailbox has no port");

  const take = (to: string | undefined): ReceivedMail | undefined => {
    const mail = unread.values().find(({ recipients }) => to === undefined || recipients.includes(to));
    if (mail !== undefined) unread.delete(mail);
    return mail;
  };

  return {
    port: bound.port,
    all: () => [...received],
    async next(to, withinMs = 60_000) {
      const timeout = AbortSignal.timeout(withinMs);
      for (;;) {
        const mail = take(to);
        if (mail !== undefined) return mail;
        if (timeout.aborted) throw new Error(`no mail${to === undefined ? "" : ` to ${to}`} within ${withinMs} ms`);
        const { promise, resolve } = Promise.withResolvers<void>();
        const awake = () => resolve();
        arrivals.addEventListener("mail", awake, { once: true });
        timeout.addEventListener("abort", awake, { once: true });
        await promise;
        arrivals.removeEventListener("mail", awake);
        timeout.removeEventListener("abort", awake);
      }
    },
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(resolve);
      return promise;
    },
  };
}
