import { errorCode } from "../../core/errors.ts";

export interface Settings {
  readonly port: number;
  readonly tls: "auto" | "implicit" | "off";
}

/** What TLS libraries say of bytes that are not TLS. */
const notTls = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|EPROTO/i;

/** Says what came of a connection to a relay. Where a setting mends it, that is named; other errors stay as they are. */
export function reasonInWords(error: unknown, { port, tls }: Settings): string {
  const said = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  if (notTls.test(said))
    return tls === "implicit"
      ? `port ${port} does not begin with TLS: with MAIL_SMTP_TLS=auto TLS is begun by STARTTLS there; TLS from the first byte is usual on port 465`
      : `port ${port} does not begin with TLS, as one with that number should: see MAIL_SMTP_PORT, which is usually 587 for STARTTLS`;
  if (code === "ETLS")
    return `the relay offers no STARTTLS on port ${port} (${said}): TLS from the first byte is usual on port 465; MAIL_SMTP_TLS=off sends passwords and links in the clear`;
  if (code === "ETIMEDOUT" && /^(?:Greeting never received|Timeout)$/.test(said))
    return `it is connected, and greets nobody on port ${port}: if TLS begins with the first byte there, set MAIL_SMTP_TLS=implicit`;
  if (/certificate|altnames/i.test(said)) return `the certificate of the relay is refused: ${said}`;
  return said;
}
