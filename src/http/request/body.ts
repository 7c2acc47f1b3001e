import { Elysia } from "elysia";
import { second } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { readBounded } from "../../core/pace/stream.ts";
import { decodeUtf8 } from "../../core/text/text.ts";
import { withoutLastSlash } from "../routing/routing.ts";
import { isAwaitedForm, isForm, isJson } from "./csrf.ts";
import { excessIn } from "./json.bounds.ts";
import { jsonFaultIn } from "./json.fault.ts";

/** The most bytes of a body. */
const largestBodyBytes = 16 * 1024;
/** The most bytes of a body that may hold what an app keeps on an account. */
const roomyBodyBytes = 64 * 1024;
/**
 * The bytes of a body that cost nothing. Bytes beyond them count against a limit for all bodies under way: many slow senders must not fill
 * the memory.
 */
const ordinaryBodyBytes = 4 * 1024;
const mostSharedBytes = 8 * 1024 * 1024;
const deepestLevel = 20;
const mostFormFields = 64;
const longestReadMs = 30 * second;
// Keys that reach a prototype wherever code merges or copies an object carelessly.
const unsafeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const notJson = (): AppError =>
  new AppError("unsupported_media_type", { detail: "The body must be sent as application/json, not compressed." });

/** Keeps the faults of the bodies of requests until they are answered. */
export interface BodyFailures {
  keep(request: Request, failure: AppError): void;
  find(request: Request): AppError | undefined;
  /** Returns the fault and forgets it. The refusal of the request calls this once, when it is written. */
  take(request: Request): AppError | undefined;
}

export function createBodyFailures(): BodyFailures {
  const failures = new WeakMap<Request, AppError>();
  // Every request asks, and nearly always nothing is kept: a comparison is cheaper than a look-up.
  let kept = 0;
  const find = (request: Request): AppError | undefined => (kept === 0 ? undefined : failures.get(request));
  return {
    keep(request, failure) {
      failures.set(request, failure);
      kept += 1;
    },
    find,
    take(request) {
      const failure = find(request);
      if (failure !== undefined && failures.delete(request)) kept -= 1;
      return failure;
    },
  };
}

/**
 * Reads every body as one bounded JSON object. A form for a page of this host, or an awaited one, becomes its fields (see formOf); a form
 * for a route of JSON becomes an object of the same fields. The router parses a body before it asks the guard, but a caller who is not
 * signed in has to get 401 whatever was sent. A body that can't be read is therefore kept as a failure: it stands as an empty object until
 * the guard has spoken, and is refused after that. No route below `/-/` takes a body, and none is read there: a stranger's body must not
 * make a hidden route answer otherwise, or later, than an absent one.
 */
export const jsonBodies = (
  failures: BodyFailures,
  awaitedForms: ReadonlySet<string>,
  takesForm: (path: string) => boolean = () => false,
  takesFields: ReadonlySet<string> = new Set(),
  roomy: readonly string[] = [],
) => {
  const readBody = createBodyReader();
  const isRoomy = matching(roomy);
  return new Elysia({ name: "http/json-bodies" })
    .onParse({ as: "global" }, async ({ request, path }, contentType) => {
      if (path.startsWith("/-/")) return {};
      try {
        const isLarge = isRoomy(path);
        const bytes = await readBody(request, isLarge ? roomyBodyBytes : largestBodyBytes);
        const isSentAsForm = isForm(contentType);
        if (isAwaitedForm(request, awaitedForms) || (isSentAsForm && takesForm(path))) return formIn(bytes);
        if (isSentAsForm && takesFields.has(withoutLastSlash(path)) && !isEncoded(request))
          return fieldsOf(formIn(bytes));
        if (bytes.length === 0) return {};
        if (!isJson(contentType) || isEncoded(request)) throw notJson();
        if (isLarge) return new UnreadBody(bytes);
        const excess = excessIn(bytes, deepestLevel);
        if (excess !== undefined) throw unreadable(excess);
        return parseObject(bytes);
      } catch (error) {
        const failure = error instanceof AppError ? error : new AppError("invalid_payload");
        // A page shows the fault itself, in its own look: see formOf.
        if (takesForm(path)) return failure;
        failures.keep(request, failure);
        return {};
      }
    })
    .onBeforeHandle({ as: "global" }, ({ request }) => {
      const failure = failures.find(request);
      if (failure !== undefined) throw failure;
    });
};

/** Returns whether a path is one of these routes, whose last part may be a parameter, such as `/users/:id`. A slash at its end does not matter. */
function matching(routes: readonly string[]): (path: string) => boolean {
  const ends = (route: string): number => route.lastIndexOf("/") + 1;
  const [named, paths] = [routes.filter((route) => route.includes("/:")), new Set(routes)];
  const parents = new Set(named.map((route) => route.slice(0, ends(route))));
  return (path) => {
    const plain = path.endsWith("/") ? path.slice(0, -1) : path;
    return paths.has(plain) || parents.has(plain.slice(0, ends(plain)));
  };
}

/**
 * A body that may be large, as it arrived. The router asks for a body before the guard has spoken, and parsing this one is work that nobody
 * may have done who is not signed in: the schema of the route reads it, after the guard.
 */
export class UnreadBody {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the object of JSON as it was sent, whatever its names and its depth. Throws `invalid_payload` for anything else. */
  read(): object {
    return objectIn(this.#bytes);
  }
}

const formIn = (bytes: Uint8Array): URLSearchParams => new URLSearchParams(new TextDecoder().decode(bytes));

/**
 * Returns the fields of a form; none where nothing was sent. Throws `unsupported_media_type` for a body that is no form, and the fault of a
 * body that could not be read.
 */
export function formOf(body: unknown): URLSearchParams {
  if (body instanceof URLSearchParams) return body;
  if (body instanceof AppError) throw body;
  const isEmpty = typeof body !== "object" || body === null || Object.keys(body).length === 0;
  if (isEmpty) return new URLSearchParams();
  throw new AppError("unsupported_media_type");
}

/**
 * Turns a form into the object that JSON would be, for the schema of its route. A field that comes several times has a list of its values.
 * One walk reads the form and stops at too many fields: the sender is not known yet, and looking up each of the thousands of names that a
 * body has room for takes seconds in which nobody is served.
 */
function fieldsOf(form: URLSearchParams): object {
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (const [name, value] of form) {
    count += 1;
    if (count > mostFormFields) throw unreadable(`The form has more than ${mostFormFields} fields.`);
    if (unsafeKeys.has(name)) continue;
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}

/** Whether a body is compressed. Such a body is refused (RFC 9110 §15.5.16): one that is small on the wire may unpack to a large one. */
function isEncoded(request: Request): boolean {
  const encoding = request.headers.get("content-encoding");
  return encoding !== null && encoding.trim().toLowerCase() !== "identity";
}

/**
 * Reads a short body, which ends where Content-Length says: the runtime refuses a request that is chunked as well. Reading it as a stream took
 * 14 µs more of the processor, of the 110 µs of a refresh by a program.
 */
async function readShort(request: Request): Promise<Uint8Array> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), longestReadMs);
  });
  try {
    return await Promise.race([request.bytes(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function createBodyReader() {
  let shared = 0;

  /** Reads a body up to the limit, whatever Content-Length says: a chunked body has none. */
  return async function readBody(request: Request, mostBytes: number): Promise<Uint8Array> {
    const tooLarge = (): AppError => new AppError("payload_too_large");
    const length = Number(request.headers.get("content-length") ?? 0);
    if (length > mostBytes) throw tooLarge();
    if (length > 0 && length <= ordinaryBodyBytes) return readShort(request);
    if (request.body === null) return new Uint8Array();
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(tooSlow()), longestReadMs);
    let taken = 0;
    function onGrowth(size: number): void {
      const beyond = Math.max(0, size - ordinaryBodyBytes);
      shared += beyond - taken;
      taken = beyond;
      if (shared > mostSharedBytes) throw new AppError("unavailable", { retryAfterSeconds: 1 });
    }
    try {
      const { signal } = deadline;
      return await readBounded(request.body, { mostBytes, tooLarge, signal, onGrowth });
    } finally {
      clearTimeout(timer);
      shared -= taken;
    }
  };
}

const tooSlow = (): AppError => unreadable("The body took too long to arrive.");
const unreadable = (detail: string): AppError => new AppError("invalid_payload", { detail });

/** Throws `invalid_payload` for anything but UTF-8 JSON of an object, at most 20 levels deep. */
const parseObject = (bytes: Uint8Array): object => clean(objectIn(bytes), 1);

/** Throws `invalid_payload` for anything but UTF-8 JSON of an object. */
function objectIn(bytes: Uint8Array): object {
  const value = parseJson(decode(bytes));
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unreadable("The body must be a JSON object.");
  return value;
}

function decode(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes);
  if (text === undefined) throw unreadable("The body is not UTF-8.");
  return text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { line, column } = jsonFaultIn(text, deepestLevel);
    throw unreadable(`The body is not JSON: see line ${line}, column ${column}.`);
  }
}

function clean(value: object, depth: number): object {
  if (depth > deepestLevel) throw unreadable(`The body is nested more than ${deepestLevel} levels deep.`);
  const inner = (item: unknown): unknown => (typeof item === "object" && item !== null ? clean(item, depth + 1) : item);
  if (Array.isArray(value)) return value.map(inner);
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) if (!unsafeKeys.has(key)) copy[key] = inner(item);
  return copy;
}
