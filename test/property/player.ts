import { newestPasswords, newestSecrets } from "./claims.ts";
import type { Answer, History, Intent } from "./history.ts";
import type { Program, Step } from "./program.ts";

export interface Cookies {
  readonly session: string;
  readonly access: string;
  readonly refresh: string;
}

/** One process, as a client sees it. */
export interface Service {
  login(login: string, password: string): Promise<Answer>;
  hello(access: string): Promise<Answer>;
  fallback(refresh: string): Promise<Answer>;
  refresh(refresh: string): Promise<Answer>;
  logout(cookies: Cookies): Promise<Answer>;
  logoutAll(cookies: Cookies): Promise<Answer>;
  revoke(cookies: Cookies, target: string): Promise<Answer>;
  changePassword(cookies: Cookies, current: string, next: string): Promise<Answer>;
  requestReset(login: string): Promise<Answer>;
  confirmReset(token: string, next: string): Promise<Answer>;
}

export interface Account {
  readonly login: string;
  /** The newest password that the account's owner has been told is set. */
  password: string;
}

export interface Client {
  readonly name: string;
  /**
   * The newest cookies that the client was given, as a browser has them. They are kept when the session ends, because they must be refused
   * then.
   */
  cookies: Cookies;
  /** The newest reset token that the client was given. */
  grant?: string | undefined;
}

/** Returns the session that an access token names in its claim `sid`. */
export function sessionOf(access: string): string {
  const claims: unknown = JSON.parse(Buffer.from(access.split(".")[1] ?? "", "base64url").toString());
  const sid: unknown = typeof claims === "object" && claims !== null ? Reflect.get(claims, "sid") : undefined;
  if (typeof sid !== "string") throw new Error("the access token names no session");
  return sid;
}

interface PlayOptions {
  readonly history: History;
  readonly account: Account;
  readonly services: readonly Service[];
  readonly newPassword: () => string;
  readonly pause: (length: number) => Promise<void>;
  /** Runs tasks at the same time. */
  readonly together: (tasks: readonly (() => Promise<unknown>)[]) => Promise<unknown>;
  /** Called before each operation, so that an interleaving can start it when it likes. */
  readonly turn?: (() => Promise<void>) | undefined;
}

const unreachable = (step: never): never => step;

/** Plays clients of one account against the processes, and records what happens. */
export function createPlayer({ history, account, services, newPassword, pause, together, turn }: PlayOptions) {
  const user = account.login;

  async function ask(intent: Omit<Intent, "user">, send: () => Promise<Answer>): Promise<Answer> {
    await turn?.();
    return history.record({ ...intent, user }, send);
  }

  function adopt(client: Client, { access, secret, opened }: Answer): void {
    const { cookies } = client;
    client.cookies = {
      session: opened ?? cookies.session,
      access: access ?? cookies.access,
      refresh: secret ?? cookies.refresh,
    };
  }

  function serviceAt(place: number): Service {
    const service = services[place % services.length];
    if (service === undefined) throw new Error("no service to ask");
    return service;
  }

  async function show(
    client: Client,
    place: number,
    what: "hello" | "fallback" | "refresh",
    closing = false,
  ): Promise<Answer> {
    const service = (): Service => serviceAt(place);
    const { session, access, refresh } = client.cookies;
    const intent = { kind: what, by: `${client.name} at ${place % services.length}`, session, closing };
    const answer =
      what === "hello"
        ? await ask(intent, () => service().hello(access))
        : await ask({ ...intent, secret: refresh }, () => service()[what](refresh));
    adopt(client, answer);
    return answer;
  }

  async function login(client: Client, place: number, password = account.password, closing = false): Promise<Answer> {
    const by = `${client.name} at ${place % services.length}`;
    const answer = await ask({ kind: "login", by, password, closing }, () =>
      serviceAt(place).login(account.login, password),
    );
    adopt(client, answer);
    return answer;
  }

  async function setPassword(
    intent: Omit<Intent, "user" | "newPassword">,
    send: (next: string) => Promise<Answer>,
  ): Promise<Answer> {
    const next = newPassword();
    const answer = await ask({ ...intent, newPassword: next }, () => send(next));
    if (answer.outcome === "accepted") account.password = next;
    return answer;
  }

  async function take(step: Step, client: Client, place: number, clients: readonly Client[]): Promise<unknown> {
    const { cookies } = client;
    const { session } = cookies;
    const by = `${client.name} at ${place % services.length}`;
    // The service is chosen when it is asked: a process may have been replaced while the client waited for its turn.
    const service = (): Service => serviceAt(place);
    switch (step.do) {
      case "hello":
      case "fallback":
      case "refresh":
        return show(client, place, step.do);
      case "burst":
        return together(step.of.map((what, index) => () => show(client, place + index, what)));
      case "login":
        return login(client, place);
      case "logout":
        return ask({ kind: "logout", by, session }, () => service().logout(cookies));
      case "logout-all":
        return ask({ kind: "logout-all", by, session }, () => service().logoutAll(cookies));
      case "revoke": {
        const target = clients[step.whose % clients.length]?.cookies.session ?? session;
        return ask({ kind: "revoke", by, session, target }, () => service().revoke(cookies, target));
      }
      case "change-password": {
        const { password } = account;
        const intent = { kind: "change-password", by, session, password } as const;
        adopt(client, await setPassword(intent, (next) => service().changePassword(cookies, password, next)));
        return undefined;
      }
      case "reset-request":
        client.grant = (await ask({ kind: "reset-request", by }, () => service().requestReset(account.login))).grant;
        return undefined;
      case "reset-confirm": {
        const { grant } = client;
        if (grant === undefined) return undefined;
        const confirm = (at: number) => () =>
          setPassword({ kind: "reset-confirm", by, grant }, (next) => serviceAt(at).confirmReset(grant, next));
        return together(Array.from({ length: step.times }, (_, index) => confirm(place + index)));
      }
      case "pause":
        return pause(step.length);
      default:
        return unreachable(step);
    }
  }

  /** Shows every session and every secret that could still be good, one after the other, which makes visible what became of them. */
  async function close(clients: readonly Client[]): Promise<void> {
    const accesses = new Map<string, string>();
    const own = history.operations.filter((op) => op.user === user);
    for (const { session, answer } of own) {
      const of = answer.opened ?? session;
      if (of !== undefined && answer.access !== undefined) accesses.set(of, answer.access);
    }
    for (const [session, access] of accesses) {
      const client = { name: "closing", cookies: { session, access, refresh: "" } };
      await show(client, 0, "hello", true);
      for (const refresh of newestSecrets(history.operations, session)) {
        client.cookies = { session, access, refresh };
        await show(client, 1, "fallback", true);
        if ((await show(client, 0, "refresh", true)).outcome === "accepted") break;
      }
    }
    const [someone] = clients;
    if (someone === undefined) return;
    for (const password of newestPasswords(history.operations, user)) {
      const { outcome } = await login(someone, 1, password, true);
      if (outcome !== "accepted") continue;
      account.password = password;
      break;
    }
  }

  return {
    login,
    /** Runs the clients at the same time. Client `n` talks to process `n`, and its bursts go to all. */
    run: (program: Program, clients: readonly Client[]): Promise<unknown> =>
      together(
        clients.map((client, index) => async () => {
          for (const step of program[index]?.steps ?? []) await take(step, client, index, clients);
        }),
      ),
    close,
  };
}
