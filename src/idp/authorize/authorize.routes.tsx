/** @jsxImportSource #html */
import { Elysia } from "elysia";
import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import { minute, second } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import { formOf, hidden, queryOf, type RequestFacts } from "../../http/index.ts";
import { leadTo } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import { tokenField } from "../../http/pages/form.tokens.ts";
import type { IdpFrame, Visit } from "../pages/frame.tsx";
import { LeavingCard } from "../pages/leaving.tsx";
import { SendingCard, UnknownCard } from "../pages/pages.tsx";
import { cards, headOf } from "../pages/question.ts";
import { limited, OAuthError } from "../protocol/errors.ts";
import type { OnRefusal } from "../protocol/refusal.ts";
import { readAnyParams, writeParams, type Params } from "../protocol/params.ts";
import { scopesOf, type Asker } from "../client/client.ts";
import { sourceOf } from "../client/redirect.uri.ts";
import { fingerprint } from "./asked.ts";
import type { Authorization } from "./authorization.ts";
import { textOfDisclosed } from "./consents.ts";
import { notOwn, roleMissing } from "./decision.ts";
import type { Answer, Outcome } from "./outcome.ts";
import { nowhereOf, nowhereTitle, refusalOf } from "./nowhere.ts";
import { NoDestination, type AuthorizationRequest } from "./request.ts";

interface AuthorizeOptions {
  readonly auth: Pick<ProviderAuth, "browsingOf" | "clientOf" | "limit">;
  readonly authorization: Authorization;
  readonly frame: IdpFrame;
  readonly forms: ReturnType<typeof createFormTokens>;
  readonly facts: RequestFacts;
  readonly onRefusal: OnRefusal;
}

export const authorizePath = "/oauth2/authorize";
export const consentPath = "/oauth2/consent";

/** The scopes and resource servers that a page has shown. */
const shownField = "shown";
/** Fields of the form of a page. A request can't bring them along: they would speak for the person. */
const ofPage: ReadonlySet<string> = new Set([tokenField, "decision", shownField]);

const requestIn = (form: URLSearchParams): Params =>
  readAnyParams(new URLSearchParams([...form].filter(([name]) => !ofPage.has(name))));

/** The address stays as it was registered, character by character: a parser could write it in another way. */
const addressOf = ({ to: { redirectUri }, params }: Answer): string =>
  `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${writeParams(Object.entries(params))}`;

/** What a client wishes of the sign-in page. */
type Wishes = Partial<Pick<AuthorizationRequest, "loginHint" | "locales">>;

/** The authorization endpoint, and the page on which somebody lets a client in. */
export function authorizeRoutes(options: AuthorizeOptions) {
  const { auth, authorization, frame, forms, facts, onRefusal } = options;
  const { href } = frame;

  const chargeFor =
    ({ request }: Visit) =>
    (): Promise<void> =>
      auth.limit("oauth-request", auth.clientOf(request));

  /** The token of a page's form: of this session, for this request alone, and for what was shown of it. */
  const subjectOf = ({ id }: Browsing, entries: Params["entries"], shown: string): string =>
    `${id}.${fingerprint(entries)}.${shown}`;

  function lead({ set }: Visit, path: string): string {
    // The address that a browser comes from holds the request, which concerns nobody else.
    set.headers["referrer-policy"] = "no-referrer";
    return leadTo(set, path);
  }

  function send(visit: Visit, answer: Answer): string {
    const { to } = answer;
    const words = frame.wordsFor(visit, to.locales);
    if (answer.isAskedFirst)
      return frame.show(visit, {
        title: words.leaving.title,
        locales: to.locales,
        status: 400,
        content: (
          <LeavingCard
            words={words}
            text={words.leaving.wrong}
            to={addressOf(answer)}
            home={{ href: href("/account"), text: words.unknown.toAccount }}
          />
        ),
      });
    if (to.mode === "form_post")
      return frame.show(visit, {
        title: words.sending.title,
        locales: to.locales,
        leadsTo: sourceOf(to.redirectUri),
        isSent: true,
        content: <SendingCard words={words} answer={answer} />,
      });
    return lead(visit, addressOf(answer));
  }

  /** Returns the way to the sign-in page, which proves who is there anew, or lets who is signed in choose, where `how` says so. */
  function signInPath(
    entries: Params["entries"],
    how: "reauthenticate" | "select_account" | undefined,
    { loginHint, locales }: Wishes,
  ): string {
    const wishes = { login_hint: loginHint?.slice(0, 320), ui_locales: locales?.slice(0, 100) };
    return href(
      `/login?${writeParams([
        ["next", href(`${authorizePath}?${writeParams(entries)}`)],
        ...(how === undefined ? [] : [[how, "true"] as const]),
        ...Object.entries(wishes).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      ])}`,
    );
  }

  async function show(visit: Visit, sent: Params, outcome: Outcome, viewer: Browsing | undefined): Promise<string> {
    if (outcome.kind === "answer") {
      const { refusal, to } = outcome;
      if (refusal !== undefined) onRefusal(visit.request, { error: refusal, client: to.client, person: viewer });
      return send(visit, outcome);
    }
    const { request } = outcome;
    if (outcome.kind === "no_role" || outcome.kind === "not_own") {
      const error = outcome.kind === "no_role" ? roleMissing() : notOwn();
      onRefusal(visit.request, { error, client: request.client, person: viewer });
    }
    const back = await authorization.comeBack(sent, outcome, chargeFor(visit));
    if (outcome.kind === "sign_in") {
      const how = outcome.isProof ? "reauthenticate" : outcome.isKnown ? "select_account" : undefined;
      return lead(visit, signInPath(back, how, request));
    }
    const { locales } = request;
    const words = frame.wordsFor(visit, locales);
    const { viewer: person } = outcome;
    const { entries } = sent;
    const shown = textOfDisclosed(request.disclosed);
    const asking = {
      words,
      request,
      entries: [...entries, [shownField, shown]] as const,
      viewer: person,
      token: forms.tokenOf(subjectOf(person, entries, shown)),
      action: href(consentPath),
      otherAccount: signInPath(back, "reauthenticate", { locales }),
    };
    const Card = cards[outcome.kind];
    return frame.show(visit, {
      ...headOf(words, outcome.kind, request.client, person),
      locales,
      leadsTo: sourceOf(request.redirectUri),
      status: outcome.kind === "consent" ? 200 : 403,
      viewer: person,
      content: <Card {...asking} />,
    });
  }

  /** Shows a page for what can't be told to any client. */
  async function orPage(visit: Visit, work: (asker: Asker) => Promise<string>): Promise<string> {
    const { request, set } = visit;
    if (facts.method(request) === "HEAD") {
      set.headers["allow"] = "GET, POST";
      throw new AppError("method_not_allowed");
    }
    try {
      return await work(auth.clientOf(request));
    } catch (error) {
      const words = frame.wordsFor(visit);
      if (error instanceof AppError && error.reason === "rate_limited") {
        const { retryAfterSeconds = 0 } = error;
        set.headers["retry-after"] = String(retryAfterSeconds);
        onRefusal(request, { error: limited(retryAfterSeconds) });
        const { title, text } = words.tooMany;
        const content = <p>{text({ count: Math.ceil((retryAfterSeconds * second) / minute) })}</p>;
        return frame.show(visit, { title, status: 429, content });
      }
      if (!(error instanceof NoDestination || error instanceof OAuthError)) throw error;
      const reason = nowhereOf(error);
      onRefusal(request, refusalOf(error));
      return frame.show(visit, {
        title: nowhereTitle(words, reason),
        status: 400,
        content: (
          <UnknownCard words={words} reason={reason} requestId={facts.requestId(request)} account={href("/account")} />
        ),
      });
    }
  }

  return (
    new Elysia({ name: "idp/authorize" })
      .get(
        authorizePath,
        (visit) =>
          orPage(visit, async (asker) => {
            const sent = requestIn(queryOf(visit.request));
            const viewer = await auth.browsingOf(visit.request, visit.set);
            return show(visit, sent, await authorization.handle(sent, viewer, asker), viewer);
          }),
        hidden,
      )
      // A form of another site comes without the cookies of this one. After a redirect the browser sends them.
      .post(
        authorizePath,
        (visit) =>
          orPage(visit, async (asker) => {
            const sent = requestIn(formOf(visit.body));
            // Only its client is told of such a fault, so nobody has to be known.
            if (sent.isRepeated)
              return show(visit, sent, await authorization.handle(sent, undefined, asker), undefined);
            const entries = await authorization.addressed(sent, asker, chargeFor(visit));
            return lead(visit, href(`${authorizePath}?${writeParams(entries)}`));
          }),
        hidden,
      )
      .post(
        consentPath,
        (visit) =>
          orPage(visit, async (asker) => {
            const { request, set } = visit;
            if (facts.isCrossSite(request)) throw new AppError("cross_site_request");
            const form = formOf(visit.body);
            const sent = requestIn(form);
            const viewer = await auth.browsingOf(request, set);
            // Who has signed out meanwhile, or is somebody else by now, is asked anew.
            const shown = form.get(shownField) ?? "";
            const isAnswered = viewer !== undefined && forms.isOf(subjectOf(viewer, sent.entries, shown), form);
            const decision = form.get("decision") === "allow" ? scopesOf(shown) : "deny";
            if (!isAnswered) return lead(visit, href(`${authorizePath}?${writeParams(sent.entries)}`));
            return show(visit, sent, await authorization.handle(sent, viewer, asker, decision), viewer);
          }),
        hidden,
      )
  );
}
