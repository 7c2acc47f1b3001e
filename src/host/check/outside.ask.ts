import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as http from "node:http";
import * as https from "node:https";
import { isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { hostOf } from "../../core/address/url.parts.ts";
import { readBounded } from "../../core/pace/stream.ts";

const answerLimitMs = 5_000;
const mostBytes = 64 * 1024;

/** What a server showed of itself, before anything was judged. */
export interface Shown {
  readonly validFrom: Date;
  readonly validTo: Date;
  /** Names and addresses that it is for, as the certificate has them. */
  readonly names: string;
  readonly isForName: boolean;
  /** Why the system's store of roots does not lead to it, as the TLS library calls that. */
  readonly doubt: string | undefined;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly text: string;
  /** Undefined for a connection without TLS. */
  readonly certificate: Shown | undefined;
}

/** Where systems keep the roots that they trust, the first that there is. */
const stores = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"] as const;

/** Reads the system's store of roots. Undefined where there is none: then those of the runtime count. */
export async function systemRoots(): Promise<string | undefined> {
  for (const path of stores) {
    const text = await readFile(path, "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  return undefined;
}

function shownBy(socket: TLSSocket, host: string): Shown | undefined {
  const { raw } = socket.getPeerCertificate();
  // A session that is resumed shows none.
  if (raw === undefined) return undefined;
  const certificate = new X509Certificate(raw);
  const names = (certificate.subjectAltName ?? certificate.subject).replaceAll(/\b(?:DNS|IP Address):/g, "");
  const isForName = (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
  const doubt = socket.authorized ? undefined : String(socket.authorizationError);
  const [validFrom, validTo] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  return { validFrom, validTo, names, isForName, doubt };
}

/** Sends a request to one address of a host, whatever its certificate says of it. Rejects with the system's error where nobody answers in time. */
export function askAt(address: string, url: URL, ca: string | undefined): Promise<OutsideAnswer> {
  const host = hostOf(url);
  const isSecure = url.protocol === "https:";
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>();
  const options = {
    host: address,
    port: url.port === "" ? (isSecure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, connection: "close", accept: "application/json" },
    signal: AbortSignal.timeout(answerLimitMs),
    agent: false,
  } as const;
  const onAnswer = (answer: http.IncomingMessage): void => {
    const certificate = answer.socket instanceof TLSSocket ? shownBy(answer.socket, host) : undefined;
    const tooLarge = (): Error => new Error("its answer is too large to be one of Gatehouse");
    readBounded(bytesOf(answer), { mostBytes, tooLarge }).then(
      (bytes) => resolve({ status: answer.statusCode ?? 0, text: new TextDecoder().decode(bytes), certificate }),
      reject,
    );
  };
  const request = isSecure
    ? https.request(
        { ...options, ...(isIP(host) === 0 && { servername: host }), rejectUnauthorized: false, ...(ca && { ca }) },
        onAnswer,
      )
    : http.request(options, onAnswer);
  request.on("error", reject);
  request.end();
  return promise;
}

const bytesOf = (answer: http.IncomingMessage): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      answer.on("data", (chunk: Uint8Array) => controller.enqueue(chunk));
      answer.on("end", () => controller.close());
      answer.on("error", (error) => controller.error(error));
    },
    cancel: () => void answer.destroy(),
  });
