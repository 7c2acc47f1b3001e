import type { Occurrence } from "../../core/audit.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { HookFlaw } from "../../core/flaws.ts";
import type { Place } from "../../core/pace/fair.turns.ts";
import { createNews } from "../../core/pace/news.ts";
import type { HookPoint } from "../../core/people/hook.points.ts";
import { placeOf, type Client } from "../client.ts";
import { byNobody, type Journal } from "../journal.ts";
import { emailKey, mailAddress } from "../user/identifiers.ts";

type GivenClaims = Readonly<Record<string, unknown>>;

/** The programs of the operator that are asked before something is done. Implemented by `webhook`. */
export interface Hooks {
  isAsked(point: HookPoint): boolean;
  ask(
    point: HookPoint,
    data: Readonly<Record<string, unknown>>,
    place: Place,
  ): Promise<
    | { readonly decision: "allow"; readonly claims: GivenClaims }
    | { readonly decision: "deny"; readonly message: string | undefined; readonly hasFailed: boolean }
  >;
}

interface GateOptions {
  readonly hooks: Hooks;
  /** Returns a stored account as services see it, without what is private; null for one that is not stored. */
  readonly shownAccount: (userId: string) => Promise<object | null>;
  readonly journal: Pick<Journal, "commit">;
  readonly clock: Clock;
}

/** Somebody about whom hooks are asked. */
export interface Asked {
  readonly user: {
    readonly id: string;
    readonly email: string;
    readonly username: string;
    readonly displayName: string;
    readonly locale: string | null;
  };
  /** Undefined where a token is signed: the request may be anybody's who holds the session. */
  readonly client?: Client | undefined;
  /** The way by which the person came. */
  readonly method: string | null;
  readonly sessionId?: string;
}

/** Returns an address with its domain in lower case and ASCII: a hook that looks at the domain finds one spelling of it. */
const addressOf = (email: string): string => mailAddress({ email, emailKey: emailKey(email) ?? email });

/** Returns the place of a question in the turns of a hook: who has proven to be somebody waits for no stranger. */
const placeOfAsked = (point: HookPoint, { user, client }: Asked): Place => {
  const provenFor = point === "before.register" ? undefined : user.id;
  return client === undefined ? { path: [user.id], provenFor } : placeOf(client, provenFor);
};

/**
 * Asks the hooks of a point, outside any transaction, and writes down where they refuse. Each function is undefined where nobody is asked.
 * They throw `denied_by_hook`.
 */
export function createHookGate({ hooks, shownAccount, journal, clock }: GateOptions) {
  const isNews = createNews(clock);
  /** Questions about tokens that are under way, by session. */
  const underWay = new Map<string, Promise<GivenClaims>>();

  function occurrenceOf(point: HookPoint, { user, client, sessionId }: Asked, isStored: boolean, reason: HookFlaw) {
    const by = client === undefined ? ({ actor: "system" } as const) : byNobody(client);
    const user_id = isStored ? user.id : null;
    const refused = { by, outcome: "failure", reason } as const;
    const each: Readonly<Record<HookPoint, Occurrence>> = {
      "before.register": { topic: "auth.registration-refused", payload: { user_id }, ...refused },
      "before.sign-in": { topic: "auth.login-failed", payload: { user_id, reason, count: 1 }, ...refused },
      "before.token": { topic: "auth.token-refused", payload: { user_id }, sessionId, ...refused },
    };
    return each[point];
  }

  const asking =
    (point: HookPoint) =>
    async (asked: Asked): Promise<GivenClaims> => {
      const { user, client, method, sessionId } = asked;
      const account = point === "before.register" ? null : await shownAccount(user.id);
      const question = {
        email: addressOf(user.email),
        username: user.username,
        display_name: user.displayName,
        locale: user.locale,
        ip_address: client?.address ?? null,
        user_agent: client?.userAgent ?? null,
        method,
        ...(account !== null && { user: account }),
        ...(sessionId !== undefined && { session_id: sessionId }),
      };
      const verdict = await hooks.ask(point, question, placeOfAsked(point, asked));
      if (verdict.decision === "allow") return verdict.claims;
      const flaw = verdict.hasFailed ? "hook_failed" : "denied_by_hook";
      if (point !== "before.token" || sessionId === undefined || isNews(sessionId))
        await journal.commit({ tell: [occurrenceOf(point, asked, account !== null, flaw)] });
      const about = account === null ? {} : { userId: user.id };
      throw new AppError("denied_by_hook", { message: verdict.message, flaw, ...about });
    };
  const ifAsked = (point: HookPoint) => (hooks.isAsked(point) ? asking(point) : undefined);

  /** Asks once for all requests that a browser sends at the same moment, each without the token that it lacks. */
  function sharing(ask: (asked: Asked) => Promise<GivenClaims>) {
    return (asked: Asked & { readonly sessionId: string }): Promise<GivenClaims> => {
      const { sessionId } = asked;
      const shared = underWay.get(sessionId);
      if (shared !== undefined) return shared;
      const answer = ask(asked).finally(() => underWay.delete(sessionId));
      underWay.set(sessionId, answer);
      return answer;
    };
  }
  const beforeToken = ifAsked("before.token");

  return {
    /** Whether somebody is asked about a sign-in, which also signs a token. */
    isAskedAtSignIn: hooks.isAsked("before.sign-in") || hooks.isAsked("before.token"),
    beforeRegister: ifAsked("before.register"),
    beforeSignIn: ifAsked("before.sign-in"),
    beforeToken: beforeToken && sharing(beforeToken),
  };
}

export type HookGate = ReturnType<typeof createHookGate>;
