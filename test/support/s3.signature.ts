import { createHash, createHmac } from "node:crypto";

// Signature Version 4 on the server's side, after Amazon's "Signature Calculations for the Authorization Header" and "Authenticating
// Requests: Using Query Parameters". It shares no code with the library that signs.

export interface SignedRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

interface Verifier {
  readonly secrets: ReadonlyMap<string, string>;
  readonly region: string;
  readonly now: number;
}

/** The answer to a refused request: its status and Amazon's code for the reason. */
export type Refusal = readonly [status: number, code: string];

const mostSkewMs = 15 * 60_000;
const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");
const hmac = (key: string | Uint8Array, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Percent-encodes every byte except unreserved characters (RFC 3986 §2.3). */
const encode = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`,
    )
    .join("");

interface Claim {
  readonly accessKeyId: string;
  readonly scope: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly date: string;
  readonly payloadHash: string;
  /** How long a presigned address holds after its date, in milliseconds. */
  readonly lifetimeMs: number | undefined;
}

function claimOf(headers: Headers, query: URLSearchParams): Claim | undefined {
  const header =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+),\s*SignedHeaders=([^,]+),\s*Signature=([\da-f]{64})$/.exec(
      headers.get("authorization") ?? "",
    );
  if (header !== null) {
    const [, accessKeyId = "", scope = "", names = "", signature = ""] = header;
    const [date, payloadHash] = [headers.get("x-amz-date") ?? "", headers.get("x-amz-content-sha256") ?? ""];
    return { accessKeyId, scope, signedHeaders: names.split(";"), signature, date, payloadHash, lifetimeMs: undefined };
  }
  if (query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") return undefined;
  const [accessKeyId = "", ...scope] = (query.get("X-Amz-Credential") ?? "").split("/");
  return {
    accessKeyId,
    scope: scope.join("/"),
    signedHeaders: (query.get("X-Amz-SignedHeaders") ?? "").split(";"),
    signature: query.get("X-Amz-Signature") ?? "",
    date: query.get("X-Amz-Date") ?? "",
    payloadHash: "UNSIGNED-PAYLOAD",
    lifetimeMs: Number(query.get("X-Amz-Expires")) * 1_000,
  };
}

function signatureOf({ method, target, headers }: SignedRequest, claim: Claim, secret: string): string {
  const [path = "", search = ""] = target.split("?");
  const canonicalQuery = [...new URLSearchParams(search)]
    .filter(([name]) => name !== "X-Amz-Signature")
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join("&");
  const canonicalPath = decodeURIComponent(path).split("/").map(encode).join("/");
  const canonicalHeaders = claim.signedHeaders
    .map((name) => `${name}:${(headers.get(name) ?? "").trim().replaceAll(/ +/g, " ")}\n`)
    .join("");
  const canonical = [
    method,
    canonicalPath,
    canonicalQuery,
    canonicalHeaders,
    claim.signedHeaders.join(";"),
    claim.payloadHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", claim.date, claim.scope, sha256(canonical)].join("\n");
  const key = claim.scope.split("/").reduce<string | Buffer>((made, each) => hmac(made, each), `AWS4${secret}`);
  return hmac(key, toSign).toString("hex");
}

function dateRefusal({ date, lifetimeMs }: Claim, now: number): Refusal | undefined {
  const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(at)) return [403, "AccessDenied"];
  if (lifetimeMs !== undefined && now > at + lifetimeMs) return [403, "AccessDenied"];
  const skew = lifetimeMs === undefined ? Math.abs(now - at) : at - now;
  return skew > mostSkewMs ? [403, "RequestTimeTooSkewed"] : undefined;
}

/** Refuses content that contradicts the checksums of its request. */
function contentRefusal({ headers, body }: SignedRequest, payloadHash: string): Refusal | undefined {
  if (payloadHash !== "UNSIGNED-PAYLOAD" && payloadHash !== sha256(body)) return [400, "XAmzContentSHA256Mismatch"];
  const sums = [
    [headers.get("content-md5"), createHash("md5")],
    [headers.get("x-amz-checksum-sha256"), createHash("sha256")],
  ] as const;
  const isWrong = sums.some(([sum, hash]) => sum !== null && sum !== hash.update(body).digest("base64"));
  return isWrong ? [400, "BadDigest"] : undefined;
}

/** Returns undefined for a request that its key has signed as it is. */
export function refusalOf(request: SignedRequest, { secrets, region, now }: Verifier): Refusal | undefined {
  const claim = claimOf(request.headers, new URLSearchParams(request.target.split("?")[1] ?? ""));
  if (claim === undefined) return [403, "AccessDenied"];
  const secret = secrets.get(claim.accessKeyId);
  if (secret === undefined) return [403, "InvalidAccessKeyId"];
  if (claim.scope !== `${claim.date.slice(0, 8)}/${region}/s3/aws4_request`)
    return [400, "AuthorizationHeaderMalformed"];
  // Every x-amz- header must be signed: otherwise somebody on the way could add one.
  const unsigned = [...request.headers.keys()].filter(
    (name) => name.startsWith("x-amz-") && !claim.signedHeaders.includes(name),
  );
  if (unsigned.length > 0 || !claim.signedHeaders.includes("host")) return [403, "AccessDenied"];
  return (
    dateRefusal(claim, now) ??
    (signatureOf(request, claim, secret) === claim.signature ? undefined : ([403, "SignatureDoesNotMatch"] as const)) ??
    contentRefusal(request, claim.payloadHash)
  );
}
