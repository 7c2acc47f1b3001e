import { errorCode } from "../../../core/errors.ts";
import { StorageUnavailable } from "../index.ts";

/** Thrown for an answer that is no success. The server's text is left out: where a signature is refused it repeats what was signed. */
export class Refused extends Error {
  readonly status: number;
  /** The server's code, such as `NoSuchKey`; empty where it sent none. */
  readonly reason: string;
  constructor(status: number, word: string) {
    const reason = /^[A-Za-z\d]{1,64}$/.test(word) ? word : "";
    super(`the server answered ${status}${reason === "" ? "" : ` ${reason}`}`);
    this.name = "Refused";
    this.status = status;
    this.reason = reason;
  }
}

/** Thrown when no answer, or not all of it, came in the time that a call may take. */
export class Silent extends Error {
  constructor(ms: number) {
    super(`no answer for ${ms < 1_000 ? ms / 1_000 : Math.round(ms / 1_000)} seconds`);
    this.name = "Silent";
  }
}

/** Thrown for an answer that is of no use, however often it is asked for. */
export class Unfit extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Unfit";
  }
}

/** An answer that comes in drops would keep its reader waiting for as long as the server likes. */
export const slow = (received: number, size: number, ms: number): Unfit =>
  new Unfit(`it sends too slowly: ${received} of ${size} bytes in ${Math.round(ms / 1_000)} seconds`);

export const strange = (what: string): Unfit => new Unfit(`it answers as no server of S3 does: ${what}`);

/** Thrown when the connection failed. */
class Broken extends Error {
  readonly reason: string;
  constructor(reason: string, cause: unknown) {
    super(`the connection failed: ${reason}`, { cause });
    this.name = "Broken";
    this.reason = reason;
  }
}

/** Wraps the runtime's own errors of a connection, which carry a code. Any other error stays as it is. */
export function fromConnection(error: unknown): unknown {
  const code = errorCode(error);
  return code === "unknown error" ? error : new Broken(code, error);
}

const anotherRegion = "the bucket lies in another region, or at another address: see the endpoint and the region";
const reasons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    InvalidAccessKeyId: "the access key is not known there",
    XAdminUserNotFound: "the access key is not known there",
    SignatureDoesNotMatch: "the secret access key is not that of the access key",
    AccessDenied: "the access key has no right to do this",
    AllAccessDisabled: "the access key has no right to do this",
    RequestTimeTooSkewed: "its clock and that of this host are more than 15 minutes apart",
    NoSuchBucket: "there is no such bucket",
    PermanentRedirect: anotherRegion,
    TemporaryRedirect: anotherRegion,
    AuthorizationHeaderMalformed: anotherRegion,
    SlowDown: "it asks to be called less often",
    QuotaExceeded: "the bucket is full",
    XMinioStorageFull: "the bucket is full",
    BadDigest: "what arrived there is not what was sent",
    XAmzContentSHA256Mismatch: "what arrived there is not what was sent",
  }),
);

function wordsOf({ status, reason, message }: Refused): string {
  const words = reasons.get(reason);
  if (words !== undefined) return words;
  if (status === 301 || status === 307) return anotherRegion;
  if (status === 403) return "the access key has no right to do this";
  if (status === 507) return "the bucket is full";
  return message;
}

const certificate = /CERT|SIGNATURE|ALTNAME|SELF_SIGNED|TLS|SSL/;

/** What is added of an endpoint without TLS where the server may speak TLS alone. */
const perhapsTls = (place: string): string =>
  place.startsWith("http:") ? "; a server that speaks TLS wants an endpoint with https://" : "";

const refused = /^(?:ConnectionRefused|ECONNREFUSED)$/;

function networkWords(code: string, place: string): string {
  if (certificate.test(code)) return `its certificate is not accepted (${code})`;
  if (refused.test(code)) return "the connection is refused";
  if (code === "EPROTO") return "it speaks no TLS, which https:// in its endpoint asks for";
  if (code === "ECONNRESET" || code === "ConnectionClosed") return `the connection broke${perhapsTls(place)}`;
  if (code === "ENOTFOUND" || code === "FailedToOpenSocket") return "its address is not found or can't be reached";
  return `it can't be reached (${code})`;
}

/** Returns whether the same call may succeed in a moment. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refused
    ? error.status >= 500 ||
      error.status === 429 ||
      /^(?:RequestTimeout|BadDigest|XAmzContentSHA256Mismatch)$/.test(error.reason)
    : error instanceof Silent || (error instanceof Broken && !certificate.test(error.reason));

/** Returns whether it may be that nothing gets out to the server. One that refuses a connection was reached. */
export const isUnreached = (error: unknown): boolean =>
  error instanceof Silent ||
  (error instanceof Broken && !certificate.test(error.reason) && !refused.test(error.reason));

/** Turns an error that the operator can do something about into StorageUnavailable in plain words. Any other error stays as it is. */
export function translate(disk: string, place: string, error: unknown): unknown {
  const unavailable = (why: string): StorageUnavailable =>
    new StorageUnavailable(`storage disk "${disk}" (${place}): ${why}`, error);
  if (error instanceof StorageUnavailable) return error;
  if (error instanceof Refused) return unavailable(wordsOf(error));
  if (error instanceof Silent || error instanceof Unfit) return unavailable(error.message);
  if (error instanceof Broken) return unavailable(networkWords(error.reason, place));
  return error;
}
