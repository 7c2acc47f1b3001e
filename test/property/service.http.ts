import type { Answer } from "./history.ts";
import { sessionOf, type Cookies, type Service } from "./player.ts";

const limitMs = 20_000;
const passing: ReadonlySet<string> = new Set(["/api/v1/hello", "/api/v1/auth/login", "/api/v1/auth/refresh"]);

const broken: ReadonlySet<number> = new Set([502, 503, 504]);

export interface HttpService extends Service {
  register(email: string, password: string): Promise<Answer>;
}

interface HttpServiceOptions {
  /** Resolves when the process is known to be dead, once a connection to it broke. By default nobody knows. */
  readonly died?: () => Promise<void>;
  /** Called as soon as a change is acknowledged. A sign-in or a rotation is no change. */
  readonly acknowledged?: () => void;
  /**
   * Whether a proxy is in front of the process, and behind it a database that may break off between a commit and its answer: statuses 502
   * to 504 then leave open what was done.
   */
  readonly isRemote?: boolean;
}

/** Returns one process over HTTP. A connection that breaks is an unknown outcome; every status but 200 is a refusal with its code. */
export function createHttpService(
  url: string,
  { died, acknowledged, isRemote = false }: HttpServiceOptions = {},
): HttpService {
  async function ask(path: string, shown: Partial<Cookies>, json?: unknown): Promise<Answer> {
    const { access, refresh } = shown;
    const cookie = [
      ...(access === undefined ? [] : [`auth_access=${access}`]),
      ...(refresh === undefined ? [] : [`auth_refresh=${refresh}`]),
    ].join("; ");
    try {
      const response = await fetch(new URL(path, url), {
        method: path === "/api/v1/hello" ? "GET" : "POST",
        headers: { cookie, "content-type": "application/json" },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(limitMs),
        // A connection that was kept may break and be replaced unseen, and the request would be sent twice.
        keepalive: died === undefined && !isRemote,
      });
      const text = await response.text();
      if (isRemote && broken.has(response.status)) return { outcome: "unknown", reason: field(text, "code") };
      if (response.status === 200 && !passing.has(path)) acknowledged?.();
      return answerOf(response.status, response.headers, text);
    } catch (error) {
      await died?.();
      const reason = error instanceof Error ? error.message : String(error);
      return { outcome: "unknown", over: died !== undefined, reason };
    }
  }

  const post = (route: string, shown: Partial<Cookies>, json?: unknown): Promise<Answer> =>
    ask(`/api/v1/auth/${route}`, shown, json);
  const both = ({ access, refresh }: Cookies): Partial<Cookies> => ({ access, refresh });
  const opening = async (asked: Promise<Answer>): Promise<Answer> => {
    const answer = await asked;
    return answer.access === undefined ? answer : { ...answer, opened: sessionOf(answer.access) };
  };

  return {
    register: (email, password) => opening(post("register", {}, { email, password })),
    login: (login, password) => opening(post("login", {}, { login, password })),
    hello: (access) => ask("/api/v1/hello", { access }),
    fallback: (refresh) => ask("/api/v1/hello", { refresh }),
    refresh: (refresh) => post("refresh", { refresh }),
    logout: (cookies) => post("logout", both(cookies)),
    logoutAll: (cookies) => post("logout-all", both(cookies)),
    revoke: (cookies, target) => post(`sessions/${target}/revoke`, both(cookies)),
    changePassword: (cookies, current, next) =>
      post("change-password", both(cookies), { current_password: current, new_password: next }),
    requestReset: (login) => post("password-reset/request", {}, { login }),
    confirmReset: (token, next) => post("password-reset/confirm", {}, { token, new_password: next }),
  };
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  if (status !== 200) return { outcome: "refused", reason: field(text, "code") ?? `${status} ${text.slice(0, 200)}` };
  const cookies = new Map(
    headers.getSetCookie().map((header) => {
      const pair = header.split(";", 1)[0] ?? "";
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
  const given = (name: string): string | undefined => cookies.get(name) || undefined;
  return {
    outcome: "accepted",
    access: given("auth_access"),
    secret: given("auth_refresh"),
    grant: field(text, "reset_token"),
  };
}

function field(text: string, name: string): string | undefined {
  if (!text.startsWith("{")) return undefined;
  const body: unknown = JSON.parse(text);
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === "string" ? value : undefined;
}
