/** @jsxImportSource #html */
import { Elysia } from "elysia";
import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { formOf, hidden, isCrossSite, queryOf, type RequestFacts } from "../../http/index.ts";
import { leadTo } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import { tokenField } from "../../http/pages/form.tokens.ts";
import type { IdpFrame, Visit } from "../pages/frame.tsx";
import { ConsentCard, isChecked, NoRoleCard, SendingCard, UnknownCard, type Nowhere } from "../pages/pages.tsx";
import { OAuthError } from "../protocol/errors.ts";
import { readAnyParams, writeParams, type Params } from "../protocol/params.ts";
import type { Client } from "../client/client.ts";
import { sourceOf } from "../client/redirect.uri.ts";
import type { IdpWords } from "../pages/words.ts";
import { fingerprint } from "./asked.ts";
import type { Answer, Authorization, Outcome } from "./authorization.ts";
import { NoDestination, type AuthorizationRequest } from "./request.ts";

interface AuthorizeOptions {
  readonly auth: Pick<ProviderAuth, "browsingOf" | "clientOf" | "limit">;
  readonly authorization: Authorization;
  readonly frame: IdpFrame;
  readonly forms: ReturnType<typeof createFormTokens>;
  readonly appUrl: URL;
  readonly facts: RequestFacts;
  /** Told of a request that leads nobody anywhere. */
  readonly onUnknown: (reason: Nowhere, error: NoDestination | OAuthError, request: Request) => void;
}

export const authorizePath = "/oauth2/authorize";
export const consentPath = "/oauth2/consent";

/** Fields of the form of a page. A request can't bring them along: they would speak for the person. */
const ofPage: ReadonlySet<string> = new Set([tokenField, "decision"]);

const requestIn = (form: URLSearchParams): Params =>
  readAnyParams(new URLSearchParams([...form].filter(([name]) => !ofPage.has(name))));

/** Says what a page is about, and to whom it speaks. A name that nobody here has checked is no title. */
export function headOf(words: IdpWords, isConsent: boolean, client: Client, { displayName }: Browsing) {
  if (!isConsent) return { title: words.noRole.title(client.name) };
  const { title, strangerTitle, as } = words.consent;
  return { title: isChecked(client) ? title(client.name) : strangerTitle, subtitle: as(displayName) };
}

/** What a client wishes of the sign-in page. */
type Wishes = Partial<Pick<AuthorizationRequest, "loginHint" | "locales">>;

function nowhereOf(error: NoDestination | OAuthError): Nowhere {
  if (error instanceof NoDestination) return error.reason;
  return error.code === "invalid_request_uri" ? "request_over" : "invalid_request";
}

function titleOf({ unknown }: IdpWords, reason: Nowhere): string {
  if (reason === "request_over") return unknown.over;
  return reason === "unknown_client" ? unknown.title : unknown.unable;
}

/** The authorization endpoint, and the page on which somebody lets a client in. */
export function authorizeRoutes(options: AuthorizeOptions) {
  const { auth, authorization, frame, forms, appUrl, facts, onUnknown } = options;
  const { href } = frame;

  const chargeFor =
    ({ request }: Visit) =>
    (): Promise<void> =>
      auth.limit("oauth-request", auth.clientOf(request));

  /** The token of a page's form: of this session, and for this request alone. */
  const subjectOf = ({ id }: Browsing, entries: Params["entries"]): string => `${id}.${fingerprint(entries)}`;

  function lead({ set }: Visit, path: string): string {
    // The address that a browser comes from holds the request, which concerns nobody else.
    set.headers["referrer-policy"] = "no-referrer";
    return leadTo(set, path);
  }

  function send(visit: Visit, answer: Answer): string {
    const { to, params } = answer;
    const words = frame.wordsFor(visit, to.locales);
    if (to.mode === "form_post")
      return frame.show(visit, {
        title: words.sending.title,
        locales: to.locales,
        leadsTo: sourceOf(to.redirectUri),
        isSent: true,
        content: <SendingCard words={words} answer={answer} />,
      });
    // The address stays as it was registered, character by character: a parser could write it in another way.
    const mark = to.redirectUri.includes("?") ? "&" : "?";
    return lead(visit, `${to.redirectUri}${mark}${writeParams(Object.entries(params))}`);
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

  async function show(visit: Visit, sent: Params, outcome: Outcome): Promise<string> {
    if (outcome.kind === "answer") return send(visit, outcome);
    const { request } = outcome;
    const back = await authorization.comeBack(sent, outcome, chargeFor(visit));
    if (outcome.kind === "sign_in") {
      const how = outcome.isProof ? "reauthenticate" : outcome.isKnown ? "select_account" : undefined;
      return lead(visit, signInPath(back, how, request));
    }
    const { locales } = request;
    const words = frame.wordsFor(visit, locales);
    const { viewer } = outcome;
    const { entries } = sent;
    const asking = {
      words,
      request,
      entries,
      viewer,
      token: forms.tokenOf(subjectOf(viewer, entries)),
      action: href(consentPath),
      otherAccount: signInPath(back, "reauthenticate", { locales }),
    };
    const isConsent = outcome.kind === "consent";
    return frame.show(visit, {
      ...headOf(words, isConsent, request.client, viewer),
      locales,
      leadsTo: sourceOf(request.redirectUri),
      status: isConsent ? 200 : 403,
      content: isConsent ? <ConsentCard {...asking} /> : <NoRoleCard {...asking} />,
    });
  }

  /** Shows a page for what can't be told to any client. */
  async function orPage(visit: Visit, work: () => Promise<string>): Promise<string> {
    const { request, set } = visit;
    if (facts.method(request) === "HEAD") {
      set.headers["allow"] = "GET, POST";
      throw new AppError("method_not_allowed");
    }
    try {
      return await work();
    } catch (error) {
      const isKnown = error instanceof NoDestination || error instanceof OAuthError;
      if (!isKnown) throw error;
      const reason = nowhereOf(error);
      onUnknown(reason, error, request);
      const words = frame.wordsFor(visit);
      return frame.show(visit, {
        title: titleOf(words, reason),
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
          orPage(visit, async () => {
            const sent = requestIn(queryOf(visit.request));
            const viewer = await auth.browsingOf(visit.request, visit.set);
            return show(visit, sent, await authorization.handle({ sent, viewer, call: visit.request }));
          }),
        hidden,
      )
      // A form of another site comes without the cookies of this one. After a redirect the browser sends them.
      .post(
        authorizePath,
        (visit) =>
          orPage(visit, async () => {
            const sent = requestIn(formOf(visit.body));
            // Only its client is told of such a fault, so nobody has to be known.
            if (sent.isRepeated) {
              const outcome = await authorization.handle({ sent, viewer: undefined, call: visit.request });
              return show(visit, sent, outcome);
            }
            const entries = await authorization.addressed(sent, chargeFor(visit));
            return lead(visit, href(`${authorizePath}?${writeParams(entries)}`));
          }),
        hidden,
      )
      .post(
        consentPath,
        (visit) =>
          orPage(visit, async () => {
            const { request, set } = visit;
            if (isCrossSite(request, appUrl.origin)) throw new AppError("cross_site_request");
            const form = formOf(visit.body);
            const sent = requestIn(form);
            const viewer = await auth.browsingOf(request, set);
            // Who has signed out meanwhile, or is somebody else by now, is asked anew.
            const isAnswered = viewer !== undefined && forms.isOf(subjectOf(viewer, sent.entries), form);
            const decision = form.get("decision") === "allow" ? "allow" : "deny";
            if (!isAnswered) return lead(visit, href(`${authorizePath}?${writeParams(sent.entries)}`));
            return show(visit, sent, await authorization.handle({ sent, viewer, said: decision, call: request }));
          }),
        hidden,
      )
  );
}
