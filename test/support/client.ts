import { noteSecret, refuseLeaks } from "./seen.ts";

export interface SetCookie {
  readonly name: string;
  readonly value: string;
  /** Attributes by name in lower case; a flag has an empty value. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it is not JSON. */
  readonly json: unknown;
  /** Returns the value at a path such as `user.id` in the JSON body; undefined if there is none. */
  at(path: string): unknown;
  /** Returns the value there, and throws where it is no text. */
  textAt(path: string): string;
  readonly setCookies: readonly SetCookie[];
}

export interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged; takes precedence over a JSON body. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
  /** Whether to send cookies. Default true. */
  readonly cookies?: boolean;
  readonly signal?: AbortSignal;
}

export interface Client {
  readonly url: string;
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, json?: unknown, options?: RequestOptions): Promise<Answer>;
  request(method: string, path: string, json?: unknown, options?: RequestOptions): Promise<Answer>;
  cookie(name: string): string | undefined;
  setCookie(name: string, value: string): void;
  deleteCookie(name: string): void;
  /** Returns another browser with the same cookies. */
  copy(): Client;
}

interface StoredCookie {
  readonly value: string;
  /** Epoch milliseconds; undefined for a cookie that ends with the browser. */
  readonly expiresAt: number | undefined;
}

/** A browser as far as cookies matter: it obeys Max-Age and deletion, and follows no redirect. It sends Secure cookies over HTTP too. */
export function createClient(url: string, stored: ReadonlyMap<string, StoredCookie> = new Map()): Client {
  const jar = new Map(stored);

  function cookieHeader(): string {
    const now = Date.now();
    for (const [name, { expiresAt }] of jar) if (expiresAt !== undefined && expiresAt <= now) jar.delete(name);
    return [...jar].map(([name, { value }]) => `${name}=${value}`).join("; ");
  }

  function store({ name, value, attributes }: SetCookie): void {
    noteSecret(url, value);
    const maxAge = attributes.get("max-age");
    const expires = attributes.get("expires");
    const expiresAt =
      maxAge !== undefined
        ? Date.now() + Number(maxAge) * 1000
        : expires !== undefined
          ? Date.parse(expires)
          : undefined;
    if (expiresAt !== undefined && expiresAt <= Date.now()) jar.delete(name);
    else jar.set(name, { value, expiresAt });
  }

  async function request(method: string, path: string, json?: unknown, options: RequestOptions = {}): Promise<Answer> {
    noteSecretsOf(url, json);
    const headers = new Headers();
    if (json !== undefined && options.body === undefined) headers.set("content-type", "application/json");
    const cookies = options.cookies === false ? "" : cookieHeader();
    if (cookies !== "") headers.set("cookie", cookies);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    const body = options.body ?? (json === undefined ? null : JSON.stringify(json));
    const signal = options.signal ?? AbortSignal.timeout(60_000);
    const response = await fetch(new URL(path, url), { method, headers, body, redirect: "manual", signal });
    const setCookies = response.headers.getSetCookie().map(parseSetCookie);
    for (const cookie of setCookies) store(cookie);
    const text = await response.text();
    if (response.status >= 400 || path === "/metrics") refuseLeaks(url, `${method} ${path} ${response.status}`, text);
    const answered = answer(response, text, setCookies);
    noteSecretsOf(url, answered.json);
    return answered;
  }

  return {
    url,
    get: (path, options) => request("GET", path, undefined, options),
    post: (path, json, options) => request("POST", path, json, options),
    request,
    cookie: (name) => jar.get(name)?.value,
    setCookie: (name, value) => void jar.set(name, { value, expiresAt: undefined }),
    deleteCookie: (name) => void jar.delete(name),
    copy: () => createClient(url, jar),
  };
}

const secretFields = [
  "password",
  "new_password",
  "current_password",
  "access_token",
  "refresh_token",
  "id_token",
  "device_token",
] as const;
function noteSecretsOf(url: string, json: unknown): void {
  if (typeof json !== "object" || json === null) return;
  for (const field of secretFields) noteSecret(url, Reflect.get(json, field));
  if ("tokens" in json) noteSecretsOf(url, json.tokens);
}

function answer(response: Response, text: string, setCookies: readonly SetCookie[]): Answer {
  const json = parseJson(text);
  const at = (path: string): unknown =>
    path.split(".").reduce<unknown>((value, key) => {
      return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
    }, json);
  return {
    status: response.status,
    headers: response.headers,
    text,
    json,
    at,
    textAt(path) {
      const value = at(path);
      if (typeof value !== "string") throw new Error(`no text at ${path} in ${response.status} ${text.slice(0, 500)}`);
      return value;
    },
    setCookies,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseSetCookie(header: string): SetCookie {
  const [pair = "", ...rest] = header.split(";").map((part) => part.trim());
  const split = (text: string): [string, string] => {
    const equals = text.indexOf("=");
    return equals === -1 ? [text, ""] : [text.slice(0, equals), text.slice(equals + 1)];
  };
  const [name, value] = split(pair);
  const attributes = rest.map(split).map(([key, text]): [string, string] => [key.toLowerCase(), text]);
  return { name, value, attributes: new Map(attributes) };
}
