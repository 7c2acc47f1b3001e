import { createHmac } from "node:crypto";
import { expect } from "bun:test";
import { createClient, type Answer, type Client } from "./client.ts";
import type { Rows } from "./rows.ts";
import type { Mailbox } from "./smtp.ts";

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** Returns the path of an auth route: `auth("login")`. */
export const auth = (route: string): string => `/api/v1/auth/${route}`;

export const jwtSecret = "a signing key of this test run of 32 bytes or more";

/** Settings for tests in which one address sends all requests, and which read mails instead of returned tokens. */
export const calm = {
  API_JWT_SECRET_KEY: jwtSecret,
  AUTH_IP_RATE_LIMIT_ATTEMPTS: "100000",
  AUTH_IP_LOGIN_FAILURES: "100000",
  AUTH_PASSWORD_RESET_RETURN_TOKEN: "false",
  AUTH_EMAIL_VERIFICATION_RETURN_TOKEN: "false",
} as const;

/** Settings that send the target's mail to that mailbox. */
export const mailTo = ({ port }: Mailbox) => ({
  MAIL_DRIVER: "smtp",
  MAIL_SMTP_HOST: "127.0.0.1",
  MAIL_SMTP_PORT: String(port),
  MAIL_SMTP_TLS: "off",
});

export interface Person {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** The browser that registered. */
  readonly client: Client;
  /** Signs in with another browser. */
  login(fields?: { readonly password?: string; readonly remember?: boolean }): Promise<Client>;
}

/** Registers people under unique names: `ada1`, `grace2`, … */
export function createPeople(url: string) {
  let count = 0;

  return {
    async register(name: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Person> {
      count += 1;
      const username = `${name}${count}`;
      const email = `${username}@example.test`;
      const password = `a long walk by the sea, ${count}`;
      const client = createClient(url);
      const answer = await client.post(auth("register"), { username, email, password, ...fields });
      if (answer.status !== 200) throw new Error(`${username} could not register: ${answer.status} ${answer.text}`);
      return {
        id: answer.textAt("user.id"),
        username: answer.textAt("user.username"),
        email: answer.textAt("user.email"),
        password,
        client,
        async login(credentials = {}) {
          const browser = createClient(url);
          const loggedIn = await browser.post(auth("login"), { login: email, password, ...credentials });
          if (loggedIn.status !== 200) throw new Error(`${username} could not log in: ${loggedIn.text}`);
          return browser;
        },
      };
    },
  };
}

export interface Secrets {
  readonly access: string;
  readonly refresh: string;
}

/** Returns the two cookies of a browser. */
export function secretsOf(client: Client): Secrets {
  const access = client.cookie("auth_access");
  const refresh = client.cookie("auth_refresh");
  if (access === undefined || refresh === undefined) throw new Error("not signed in");
  return { access, refresh };
}

/** Returns a browser that has only these cookies. */
export function browserWith(url: string, { access, refresh }: Partial<Secrets>): Client {
  const client = createClient(url);
  if (access !== undefined) client.setCookie("auth_access", access);
  if (refresh !== undefined) client.setCookie("auth_refresh", refresh);
  return client;
}

/** Whether the service still serves this browser. Its cookies stay as they are. */
export const isServed = async (client: Client): Promise<boolean> => {
  const { status } = await client.copy().get(auth("me"));
  if (status !== 200 && status !== 401) throw new Error(`unexpected status ${status}`);
  return status === 200;
};

/** Whether the explicit refresh accepts this browser's secret. Rotates the secret if so. */
export const refreshes = async (client: Client): Promise<boolean> =>
  (await client.post(auth("refresh"))).status === 200;

/** Returns the session list as that browser sees it. */
export async function listed(client: Client): Promise<ReadonlyMap<string, unknown>[]> {
  const sessions = (await client.get(auth("sessions"))).at("sessions");
  if (!Array.isArray(sessions)) throw new Error("no sessions");
  return sessions.map((session: unknown) => new Map<string, unknown>(Object.entries(Object(session))));
}

/** Whether the answer deletes both cookies. */
export const isCleared = (answer: Answer): boolean =>
  cookieNames(answer).join() === "auth_access,auth_refresh" &&
  answer.setCookies.every(({ value, attributes }) => value === "" && attributes.get("max-age") === "0");

/** Expects both cookies to be worthless, together and alone. */
export async function expectEnded(url: string, secrets: Secrets): Promise<void> {
  expect(await isServed(browserWith(url, secrets))).toBe(false);
  expect(await isServed(browserWith(url, { access: secrets.access }))).toBe(false);
  expect(await isServed(browserWith(url, { refresh: secrets.refresh }))).toBe(false);
  expect(await refreshes(browserWith(url, secrets))).toBe(false);
}

export const cookieNames = (answer: Answer): string[] => answer.setCookies.map(({ name }) => name).toSorted();

export const expectRefusal = (answer: Answer, status: number, error: string, code: string): void => {
  const { request_id, ...told } = {
    request_id: answer.at("request_id"),
    ok: answer.at("ok"),
    error: answer.at("error"),
    code: answer.at("code"),
  };
  expect({ status: answer.status, ...told }).toEqual({ status, ok: false, error, code });
  expect(request_id).toEqual(answer.headers.get("x-request-id"));
};

/** Returns everything by which an observer could tell two answers apart, except what always differs. */
export function appearance(answer: Answer) {
  const requestId = answer.headers.get("x-request-id") ?? "no request id";
  const headers = [...answer.headers].filter(([name]) => name !== "x-request-id" && name !== "date");
  return { status: answer.status, body: answer.text.replaceAll(requestId, "REQUEST"), headers };
}

/** The subject of a mail that signs in: its code comes first, so that a lock screen shows it. */
export const signInSubject = /^\d{6} is your code$/;

/** Returns the token in the link of the next mail to that address. */
export async function mailedToken(mailbox: Mailbox, to: string, subject: string | RegExp): Promise<string> {
  const mail = await nextMail(mailbox, to, subject);
  const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`no token in "${mail.subject}"`);
  return token;
}

/** Returns the next mail to that address with that subject; others are skipped. */
export async function nextMail(mailbox: Mailbox, to: string, subject: string | RegExp) {
  for (;;) {
    const mail = await mailbox.next(to);
    if (typeof subject === "string" ? mail.subject === subject : subject.test(mail.subject)) return mail;
  }
}

/** Expects the refusal to state its end correctly to the second: `serves` is false before it and true afterwards. */
export async function expectHonestRetry(
  rows: Rows,
  refusal: Answer,
  status: number,
  serves: () => Promise<boolean>,
): Promise<void> {
  const told = performance.now();
  expect(refusal.status).toBe(status);
  expect(refusal.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
  const waitMs = Number(refusal.headers.get("retry-after")) * second;
  rows.letPass(Math.max(0, waitMs - 2 * second - (performance.now() - told)));
  expect(await serves()).toBe(false);
  rows.letPass(2 * second);
  expect(await serves()).toBe(true);
}

const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");

/** Makes a JWT as anyone with the key could. */
export function forge(claims: unknown, key = jwtSecret, header: unknown = { alg: "HS256", typ: "JWT" }): string {
  const body = `${encode(header)}.${encode(claims)}`;
  return `${body}.${createHmac("sha256", key).update(body).digest("base64url")}`;
}

export function claimsOf(token: string): Record<string, unknown> {
  const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  return typeof claims === "object" && claims !== null ? { ...claims } : {};
}

/**
 * The chance that a time of `b` is longer than one of `a` (area under the ROC curve): 0.5 if nothing tells them apart. Outliers count no
 * more than other samples.
 */
export function separability(a: readonly number[], b: readonly number[]): number {
  let longer = 0;
  for (const x of a) for (const y of b) longer += y > x ? 1 : y === x ? 0.5 : 0;
  return longer / (a.length * b.length);
}

/** Runs `work` on every item, `width` at a time. */
export async function inParallel<T>(
  width: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
