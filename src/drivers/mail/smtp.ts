import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { second } from "../../core/clock.ts";
import { MailRefused, type Mailer } from "./index.ts";
import { createWayOut } from "../way.out.ts";
import { refuseForgery } from "./message.ts";
import { reasonInWords } from "./smtp.words.ts";

export interface SmtpConfig {
  /** The sender, as a header field: `Gatehouse <no-reply@example.com>`. */
  readonly from: string;
  readonly smtp: {
    readonly host: string;
    readonly port: number;
    /** Empty for no authentication. */
    readonly username: string;
    readonly password: string;
    /**
     * `implicit` is TLS from the first byte, `off` is none, and `auto` is implicit on port 465 and STARTTLS elsewhere, which a server that
     * is not on this host must offer. Otherwise somebody on the way could remove the offer and read a reset link in the clear.
     */
    readonly tls: "auto" | "implicit" | "off";
  };
}

export interface SmtpLimits {
  /** The limit of the connection, and also of the name lookup, the greeting and each silence of the server. */
  readonly timeoutMs: number;
  /** The limit of a whole delivery, the wait for a connection included. */
  readonly sendMs: number;
  readonly connections: number;
  /** How many mails may wait for a connection; one more is refused. */
  readonly waiting: number;
}

const defaults: SmtpLimits = { timeoutMs: 10 * second, sendMs: 60 * second, connections: 4, waiting: 100 };
const submissionsPort = 465; // RFC 8314
/** Fields that nodemailer adds to an error that stands for a reply of the server. */
const Reply = Type.Object({
  response: Type.String(),
  responseCode: Type.Number(),
  command: Type.Optional(Type.String()),
});
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

interface Security {
  readonly secure: boolean;
  readonly ignoreTLS?: boolean;
  readonly requireTLS?: boolean;
  readonly tls?: { readonly rejectUnauthorized: boolean };
}

function security({ host, port, tls }: SmtpConfig["smtp"]): Security {
  if (tls === "off") return { secure: false, ignoreTLS: true };
  // On the loopback interface a certificate proves nothing more, and a local relay usually has a self-signed one.
  const trust = { tls: { rejectUnauthorized: !loopback.test(host) } };
  if (tls === "implicit" || port === submissionsPort) return { secure: true, ...trust };
  return { secure: false, requireTLS: !loopback.test(host), ...trust };
}

/** Says in words how the connection to the relay is kept from others. */
export function securityInWords(smtp: SmtpConfig["smtp"]): string {
  const { secure, ignoreTLS = false, requireTLS = false } = security(smtp);
  if (secure) return "TLS from the first byte";
  if (ignoreTLS) return "no TLS";
  return requireTLS ? "STARTTLS, which the relay has to offer" : "STARTTLS where the relay offers it";
}

/** Delivers through one relay over a bounded pool of connections. */
export function createSmtpMailer(config: SmtpConfig, overrides: Partial<SmtpLimits> = {}): Mailer {
  const { timeoutMs, sendMs, connections, waiting } = { ...defaults, ...overrides };
  const { host, port, username, password } = config.smtp;
  const connection = {
    host,
    port,
    ...security(config.smtp),
    ...(username === "" ? {} : { auth: { user: username, pass: password } }),
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    logger: false,
  };
  const createPool = async () => {
    const { createTransport } = await import("nodemailer");
    return createTransport(
      {
        ...connection,
        pool: true,
        maxConnections: connections,
        maxMessages: 100,
        // The job queue retries a mail, so nodemailer does not.
        maxRequeues: 0,
        idleTimeout: 30 * second,
        socketCloseTimeout: second,
      },
      { from: config.from, disableFileAccess: true, disableUrlAccess: true },
    );
  };
  let pool: ReturnType<typeof createPool> | undefined;
  let inHand = 0;
  const wayOut = createWayOut(host);
  /** What a relay has answered is its own. Where nothing was answered, the way there may be shut. */
  const whyNot = async (error: unknown): Promise<string> =>
    (Value.Check(Reply, error) ? undefined : await wayOut()) ?? reasonInWords(error, config.smtp);

  async function deliver(mail: Parameters<Mailer["send"]>[0]): Promise<string> {
    pool ??= createPool();
    const transport = await pool;
    const expiry = Promise.withResolvers<never>();
    const timer = setTimeout(() => expiry.reject(new Error(`no delivery within ${sendMs} ms`)), sendMs);
    try {
      const sent = transport.sendMail({
        // An address given as an object is not parsed for further recipients.
        to: { name: "", address: mail.to },
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        // With the HTML in one part, a multipart/related: programs show them there, and not as files that were sent along.
        attachments: (mail.images ?? []).map(({ cid, name, type, body }) => ({
          cid,
          filename: name,
          contentType: type,
          contentDisposition: "inline" as const,
          content: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
        })),
        headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834: no vacation notice in reply
      });
      return (await Promise.race([sent, expiry.promise])).response;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    driver: "smtp",
    async send(mail) {
      refuseForgery(mail);
      if (inHand >= connections + waiting) throw new Error("mail refused: too many mails are waiting for the relay");
      inHand += 1;
      try {
        return await deliver(mail);
      } catch (cause) {
        const message = `mail was not accepted by ${host}:${port}: ${await whyNot(cause)}`;
        throw Value.Check(Reply, cause)
          ? new MailRefused(message, {
              answer: cause.response,
              code: cause.responseCode,
              command: cause.command,
              cause,
            })
          : new Error(message, { cause });
      } finally {
        inHand -= 1;
      }
    },
    async greet() {
      const { createTransport } = await import("nodemailer");
      const transport = createTransport(connection);
      try {
        await transport.verify();
      } catch (cause) {
        throw new Error(await whyNot(cause), { cause });
      } finally {
        transport.close();
      }
    },
    async close() {
      (await pool)?.close();
    },
  };
}
