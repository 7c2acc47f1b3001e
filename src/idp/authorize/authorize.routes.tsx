/** @jsxImportSource #html */
import { Elysia } from "elysia";
import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { formOf, hidden, isCrossSite, type RequestFacts } from "../../http/index.ts";
import { leadTo } from "../../http/pages/answer.ts";
import type { createFormTokens } from "../../http/pages/form.tokens.ts";
import { tokenField } from "../../http/pages/form.tokens.ts";
import type { IdpFrame, Visit } from "../pages/frame.tsx";
import { ConsentCard, NoRoleCard, SendingCard, UnknownCard } from "../pages/pages.tsx";
import { OAuthError } from "../protocol/errors.ts";
import { readParams, writeParams, type Params } from "../protocol/params.ts";
import { queryOf } from "../protocol/query.ts";
import { sourceOf } from "../client/redirect.uri.ts";
import { fingerprint } from "./asked.ts";
import type { Answer, Authorization, Outcome } from "./authorization.ts";
import { NoDestination } from "./request.ts";

interface AuthorizeOptions {
  readonly auth: Pick<ProviderAuth, "browsingOf" | "clientOf" | "limit">;
  readonly authorization: Authorization;
  readonly frame: IdpFrame;
  readonly forms: ReturnType<typeof createFormTokens>;
  readonly appUrl: URL;
  readonly facts: RequestFacts;
  /** Told of a request that leads nobody anywhere. */
  readonly onUnknown: (reason: NoDestination["reason"] | "invalid_request", message: string) => void;
}

export const authorizePath = "/oauth2/authorize";
export const consentPath = "/oauth2/consent";

/** Fields of the form of a page that are no part of the request. */
const ofPage: ReadonlySet<string> = new Set([tokenField, "decision"]);

/** The authorization endpoint, and the page on which somebody lets a client in. */
export function authorizeRoutes(options: AuthorizeOptions) {
  const { auth, authorization, frame, forms, appUrl, facts, onUnknown } = options;
  const { href } = frame;

  /** The token of a page's form: of this session, and for this request alone. */
  const subjectOf = ({ id }: Browsing, entries: Params["entries"]): string => `${id}.${fingerprint(entries)}`;

  function lead({ set }: Visit, path: string): string {
    // The address that a browser comes from holds the request, which concerns nobody else.
    set.headers["referrer-policy"] = "no-referrer";
    return leadTo(set, path);
  }

  function send(visit: Visit, answer: Answer): string {
    const { to, params } = answer;
    const words = frame.wordsFor(visit.request);
    if (to.mode === "form_post")
      return frame.show(visit, {
        title: words.sending.title,
        leadsTo: sourceOf(to.redirectUri),
        isSent: true,
        content: <SendingCard words={words} answer={answer} />,
      });
    // The address stays as it was registered, character by character: a parser could write it in another way.
    const mark = to.redirectUri.includes("?") ? "&" : "?";
    return lead(visit, `${to.redirectUri}${mark}${writeParams(Object.entries(params))}`);
  }

  function signInPath(entries: Params["entries"], isProof: boolean, loginHint: string | undefined): string {
    const next = href(`${authorizePath}?${writeParams(entries)}`);
    return href(
      `/login?${writeParams([
        ["next", next],
        ...(isProof ? [["reauthenticate", "true"] as const] : []),
        ...(loginHint === undefined ? [] : [["login_hint", loginHint.slice(0, 320)] as const]),
      ])}`,
    );
  }

  async function show(visit: Visit, sent: Params, outcome: Outcome): Promise<string> {
    if (outcome.kind === "answer") return send(visit, outcome);
    const { request } = outcome;
    const comeBack = async (): Promise<Params["entries"]> =>
      authorization.comeBack(sent, outcome.kind === "sign_in" ? outcome : { entries: sent.entries, request });
    if (outcome.kind === "sign_in")
      return lead(visit, signInPath(await comeBack(), outcome.isProof, request.loginHint));
    const words = frame.wordsFor(visit.request);
    const { viewer } = outcome;
    const { entries } = sent;
    const asking = {
      words,
      request,
      entries,
      viewer,
      token: forms.tokenOf(subjectOf(viewer, entries)),
      action: href(consentPath),
      otherAccount: signInPath(await comeBack(), false, undefined),
    };
    const isConsent = outcome.kind === "consent";
    const { name } = request.client;
    return frame.show(visit, {
      title: isConsent ? words.consent.title(name) : words.noRole.title(name),
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
      const reason = error instanceof NoDestination ? error.reason : "invalid_request";
      onUnknown(reason, error.message);
      const words = frame.wordsFor(request);
      return frame.show(visit, {
        title: words.unknown.title,
        status: 400,
        content: <UnknownCard words={words} reason={reason} requestId={facts.requestId(request)} />,
      });
    }
  }

  return (
    new Elysia({ name: "idp/authorize" })
      .get(
        authorizePath,
        (visit) =>
          orPage(visit, async () => {
            const sent = readParams(queryOf(visit.request));
            const viewer = await auth.browsingOf(visit.request, visit.set);
            return show(visit, sent, await authorization.handle(sent, viewer));
          }),
        hidden,
      )
      // A form of another site comes without the cookies of this one. After a redirect the browser sends them.
      .post(
        authorizePath,
        (visit) => orPage(visit, async () => lead(visit, href(`${authorizePath}?${formOf(visit.body).toString()}`))),
        hidden,
      )
      .post(
        consentPath,
        (visit) =>
          orPage(visit, async () => {
            const { request, set } = visit;
            if (isCrossSite(request, appUrl.origin)) throw new AppError("cross_site_request");
            const form = formOf(visit.body);
            const sent = readParams(new URLSearchParams([...form].filter(([name]) => !ofPage.has(name))));
            const viewer = await auth.browsingOf(request, set);
            // Who has signed out meanwhile, or is somebody else by now, is asked anew.
            const isAnswered = viewer !== undefined && forms.isOf(subjectOf(viewer, sent.entries), form);
            const decision = form.get("decision") === "allow" ? "allow" : "deny";
            if (!isAnswered) return lead(visit, href(`${authorizePath}?${writeParams(sent.entries)}`));
            return show(visit, sent, await authorization.handle(sent, viewer, decision));
          }),
        hidden,
      )
  );
}
