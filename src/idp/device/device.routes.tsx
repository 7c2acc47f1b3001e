/** @jsxImportSource #html */
import { Elysia } from "elysia";
import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import { minute, type Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { formOf, hidden, queryOf, type RequestFacts } from "../../http/index.ts";
import { leadTo } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import type { Consents } from "../authorize/consents.ts";
import { asksConsent, letsIn, type Client, type FindClient } from "../client/client.ts";
import type { IdpFrame, Visit } from "../pages/frame.tsx";
import { headOf } from "../pages/question.ts";
import { consentDenied, notOwn, roleMissing } from "../authorize/decision.ts";
import { invalidGrant } from "../protocol/errors.ts";
import { writeParams } from "../protocol/params.ts";
import type { OnRefusal } from "../protocol/refusal.ts";
import { devicePath } from "./device.endpoint.ts";
import { AnsweredCard, AskingCard, CodeCard } from "./device.pages.tsx";
import { disclosedBy, type Devices, type Waiting } from "./devices.ts";
import { readUserCode, writeUserCode } from "./user.code.ts";

interface DeviceRouteOptions {
  readonly auth: Pick<ProviderAuth, "browsingOf" | "clientOf" | "journal" | "limit" | "limitHourly">;
  readonly devices: Devices;
  readonly consents: Consents;
  readonly find: FindClient;
  readonly frame: IdpFrame;
  readonly forms: ReturnType<typeof createFormTokens>;
  readonly facts: Pick<RequestFacts, "isCrossSite">;
  readonly onRefusal: OnRefusal;
  readonly clock: Clock;
}

const decisionPath = "/oauth2/device";
/** What a person may try in an hour: nobody signs in so many devices, and there are 25 billion codes. */
const triesPerHour = 20;
const longestTyped = 64;

/** The page on which a person lets a device in that has no keyboard or browser of its own (RFC 8628 §3.3). */
export function deviceRoutes(options: DeviceRouteOptions) {
  const { auth, devices, consents, find, frame, forms, facts, onRefusal, clock } = options;
  const { href } = frame;

  const typedIn = (form: URLSearchParams): string => (form.get("user_code") ?? "").slice(0, longestTyped);
  const pagePath = (typed: string): string =>
    href(typed === "" ? devicePath : `${devicePath}?${writeParams([["user_code", typed]])}`);
  const signInPath = (typed: string, how: Parameters<typeof writeParams>[0] = []): string =>
    href(`/login?${writeParams([["next", pagePath(typed)], ...how])}`);
  const otherAccountPath = (typed: string): string => signInPath(typed, [["reauthenticate", "true"]]);
  const ofPage = ({ id }: Browsing): string => `${id}.device`;
  /** The token of an answer belongs to the code: no other can be tried by it. */
  const ofCode = (viewer: Browsing, code: string): string => `${ofPage(viewer)}.${code}`;

  function showCode(visit: Visit, viewer: Browsing, typed: string, { error = "", status = 200 } = {}): string {
    const words = frame.wordsFor(visit);
    return frame.show(visit, {
      title: words.device.title,
      subtitle: words.consent.as({ name: viewer.displayName }),
      status,
      content: (
        <CodeCard
          words={words}
          typed={typed}
          isThere={typed !== "" && error === ""}
          error={error === "" ? undefined : error}
          token={forms.tokenOf(ofPage(viewer))}
          action={href(devicePath)}
          otherAccount={otherAccountPath(typed)}
        />
      ),
    });
  }

  /** Returns whether a person may try one more code; otherwise they are shown how long to wait. */
  async function charge(visit: Visit, viewer: Browsing, typed: string): Promise<string | undefined> {
    try {
      await auth.limit("device-code", auth.clientOf(visit.request), { isProven: true });
      await auth.limitHourly("device-code", viewer.userId, triesPerHour);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== "rate_limited") throw error;
      const seconds = error.retryAfterSeconds ?? 0;
      visit.set.headers["retry-after"] = String(seconds);
      const { tooMany } = frame.wordsFor(visit).device;
      return showCode(visit, viewer, typed, {
        error: tooMany({ count: Math.ceil((seconds * 1000) / minute) }),
        status: 429,
      });
    }
  }

  function showAnswered(visit: Visit, title: string, text: string, status = 200): string {
    const words = frame.wordsFor(visit);
    const content = <AnsweredCard words={words} text={text} again={href(devicePath)} />;
    return frame.show(visit, { title, status, content });
  }

  const wrong = (visit: Visit, viewer: Browsing, typed: string): string =>
    showCode(visit, viewer, typed, { error: frame.wordsFor(visit).device.wrong, status: 400 });

  /** Resolves to false where the device waits no more. */
  async function answer(
    waiting: Waiting,
    client: Client,
    viewer: Browsing,
    state: "allowed" | "denied",
  ): Promise<boolean> {
    const statements = [devices.answer(waiting, viewer, state)];
    if (state === "denied" || !asksConsent(client)) return (await auth.journal.commit({ statements })).applied;
    const whose = { userId: viewer.userId, clientId: client.id };
    const before = await consents.find(whose.userId, whose.clientId);
    const remembered = consents.add(whose, before, disclosedBy(waiting));
    const done = await auth.journal.commit({ statements: [remembered, ...statements] });
    if (done.applied || !(await consents.isOver(whose, before))) return done.applied;
    return answer(waiting, client, viewer, state);
  }

  /** Tells a person that they may not use the client, and the device that it waits in vain. */
  async function refuseRole(visit: Visit, waiting: Waiting, client: Client, viewer: Browsing): Promise<string> {
    await answer(waiting, client, viewer, "denied");
    onRefusal(visit.request, { error: roleMissing(), client, person: viewer });
    const { noRole } = frame.wordsFor(visit);
    return showAnswered(visit, noRole.title({ app: client.name }), noRole.text({ name: viewer.username }), 403);
  }

  async function look(visit: Visit, viewer: Browsing, typed: string): Promise<string> {
    const refused = await charge(visit, viewer, typed);
    if (refused !== undefined) return refused;
    const waiting = await devices.waitingFor(typed);
    const client = waiting && (await find(waiting.row.clientId, auth.clientOf(visit.request)));
    const code = readUserCode(typed);
    if (waiting === undefined || client === undefined || code === undefined) {
      onRefusal(visit.request, {
        error: invalidGrant("No device waits for this code.", "unknown_user_code"),
        person: viewer,
      });
      return wrong(visit, viewer, typed);
    }
    if (!letsIn(client, viewer)) return refuseRole(visit, waiting, client, viewer);
    const words = frame.wordsFor(visit);
    return frame.show(visit, {
      ...headOf(words, "consent", client, viewer),
      content: (
        <AskingCard
          words={words}
          client={client}
          waiting={waiting}
          code={writeUserCode(code)}
          token={forms.tokenOf(ofCode(viewer, code))}
          action={href(decisionPath)}
          otherAccount={otherAccountPath(writeUserCode(code))}
          now={clock.now()}
        />
      ),
    });
  }

  async function decide(visit: Visit, viewer: Browsing, form: URLSearchParams): Promise<string> {
    const typed = typedIn(form);
    const code = readUserCode(typed);
    if (code === undefined || !forms.isOf(ofCode(viewer, code), form)) return leadTo(visit.set, pagePath(typed));
    const waiting = await devices.waitingFor(code);
    const client = waiting && (await find(waiting.row.clientId, auth.clientOf(visit.request)));
    if (waiting === undefined || client === undefined) return wrong(visit, viewer, typed);
    if (!letsIn(client, viewer)) return refuseRole(visit, waiting, client, viewer);
    const isAllowed = form.get("decision") === "allow";
    const isAnswered = await answer(waiting, client, viewer, isAllowed ? "allowed" : "denied");
    if (!isAnswered) return wrong(visit, viewer, typed);
    if (!isAllowed) onRefusal(visit.request, { error: consentDenied(), client, person: viewer });
    const { allowed, denied } = frame.wordsFor(visit).device;
    return showAnswered(visit, (isAllowed ? allowed : denied).title, (isAllowed ? allowed : denied).text);
  }

  /** Staff in the person's name let no device in: it would go on without them. */
  function refuseStaff(visit: Visit, viewer: Browsing): string {
    onRefusal(visit.request, { error: notOwn(), person: viewer });
    const { impersonation } = frame.wordsFor(visit);
    const content = <p>{impersonation.device({ person: viewer.displayName })}</p>;
    return frame.show(visit, { title: impersonation.deviceTitle, status: 403, viewer, content });
  }

  /** Does the work for who is signed in; leads everybody else to the sign-in page, and back. */
  async function forPerson(visit: Visit, typed: string, work: (viewer: Browsing) => Promise<string> | string) {
    const viewer = await auth.browsingOf(visit.request, visit.set);
    if (viewer === undefined || viewer.isFactorMissing) return leadTo(visit.set, signInPath(typed));
    return viewer.impersonator === null ? work(viewer) : refuseStaff(visit, viewer);
  }

  async function take(visit: Visit, form: URLSearchParams, work: (viewer: Browsing) => Promise<string> | string) {
    if (facts.isCrossSite(visit.request)) throw new AppError("cross_site_request");
    return forPerson(visit, typedIn(form), work);
  }

  return new Elysia({ name: "idp/device" })
    .get(
      devicePath,
      (visit) => {
        const typed = typedIn(queryOf(visit.request));
        return forPerson(visit, typed, (viewer) => showCode(visit, viewer, typed));
      },
      hidden,
    )
    .post(
      devicePath,
      (visit) => {
        const form = formOf(visit.body);
        const typed = typedIn(form);
        return take(visit, form, (viewer) =>
          forms.isOf(ofPage(viewer), form) ? look(visit, viewer, typed) : leadTo(visit.set, pagePath(typed)),
        );
      },
      hidden,
    )
    .post(
      decisionPath,
      (visit) => {
        const form = formOf(visit.body);
        return take(visit, form, (viewer) => decide(visit, viewer, form));
      },
      hidden,
    );
}

export const deviceForms = [devicePath, decisionPath] as const;
