/** @jsxImportSource #html */
import { Elysia } from "elysia";
import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import { AppError } from "../../core/errors.ts";
import { isId } from "../../core/ids.ts";
import type { ProgramFlaw } from "../../core/people/program.flaws.ts";
import { formOf, hidden, queryOf, type RequestFacts } from "../../http/index.ts";
import { leadTo } from "../../http/pages/answer.ts";
import { tokenField, type createFormTokens } from "../../http/pages/form.tokens.ts";
import type { Client, FindClient } from "../client/client.ts";
import { sourceOf } from "../client/redirect.uri.ts";
import type { IdpFrame, Visit } from "../pages/frame.tsx";
import { LeavingCard } from "../pages/leaving.tsx";
import { SignedOutCard, SignOutCard } from "../pages/pages.tsx";
import { OAuthError } from "../protocol/errors.ts";
import type { OnRefusal, Refusal } from "../protocol/refusal.ts";
import { readParams, writeParams, type Params } from "../protocol/params.ts";
import { fingerprint } from "../authorize/asked.ts";
import type { Tokens } from "../token/tokens.ts";

interface LogoutOptions {
  readonly auth: Pick<ProviderAuth, "browsingOf" | "clientOf" | "delegations" | "endBrowsing">;
  readonly find: FindClient;
  readonly tokens: Pick<Tokens, "readHint">;
  readonly frame: IdpFrame;
  readonly forms: ReturnType<typeof createFormTokens>;
  readonly facts: RequestFacts;
  readonly onLogout: (client: Client | undefined) => void;
  readonly onRefusal: OnRefusal;
}

export const logoutPath = "/oauth2/logout";
const confirmPath = "/oauth2/logout/confirm";

/** A request to sign out that is sound in itself. */
interface LogoutRequest {
  readonly client: Client | undefined;
  /** The session that the ID token in the request is of. */
  readonly sid: string | undefined;
  /** Where the browser goes afterwards; undefined for a page of our own. */
  readonly returnTo: string | undefined;
}

/** A request to sign out that nothing can be done for. Operators learn of what it names and is not registered. */
class UnreadableLogout extends OAuthError {
  readonly of: Pick<Refusal, "client" | "asked">;
  constructor(why: ProgramFlaw, description: string, of: UnreadableLogout["of"] = {}) {
    super("invalid_request", description, { why });
    this.of = of;
  }
}

/** Signing out for a client (OpenID Connect RP-Initiated Logout 1.0). */
export function logoutRoutes(options: LogoutOptions) {
  const { auth, find, tokens, frame, forms, facts, onLogout, onRefusal } = options;
  const { href } = frame;

  /** Throws for an ID token that is not ours, for a client that it is not about, and for an address that is not registered. */
  async function read({ request }: Visit, params: Params): Promise<LogoutRequest> {
    const asker = auth.clientOf(request);
    const [hint, clientId, uri, state] = ["id_token_hint", "client_id", "post_logout_redirect_uri", "state"].map(
      params.get,
    );
    const claims = hint === undefined ? undefined : await tokens.readHint(hint);
    if (hint !== undefined && claims === undefined)
      throw new UnreadableLogout("wrong_id_token_hint", "id_token_hint is no ID token of this issuer.");
    const audience = typeof claims?.aud === "string" ? claims.aud : undefined;
    if (clientId !== undefined && audience !== undefined && clientId !== audience)
      throw new UnreadableLogout("wrong_id_token_hint", "client_id is not the client of the ID token.");
    const id = clientId ?? audience;
    const client = id === undefined ? undefined : await find(id, asker);
    if (id !== undefined && client === undefined)
      throw new UnreadableLogout("unknown_client", "No client has this client_id.", { asked: id });
    const sid = typeof claims?.["sid"] === "string" ? claims["sid"] : undefined;
    if (uri === undefined) return { client, sid, returnTo: undefined };
    if (client === undefined || !client.settings.post_logout_redirect_uris.includes(uri))
      throw new UnreadableLogout("unknown_redirect_uri", "post_logout_redirect_uri is not registered.", {
        client,
        asked: uri,
      });
    const mark = uri.includes("?") ? "&" : "?";
    return {
      client,
      sid,
      returnTo: state === undefined ? uri : `${uri}${mark}${writeParams([["state", state]])}`,
    };
  }

  /**
   * Whether the ID token in a request is of a session below the browser's, which its program may have left, but which nobody has taken from it.
   * An older one proves nothing: programs keep them for good.
   */
  async function isOfSession({ client, sid }: LogoutRequest, viewer: Browsing): Promise<boolean> {
    const row = sid === undefined || !isId(sid) ? undefined : await auth.delegations.find(sid);
    if (row === undefined || row.parentId !== viewer.id || row.clientId !== client?.id) return false;
    return row.revokedAt === null || row.revokedReason === "client_ended";
  }

  /** Leads on, or says that nobody is signed in. `isOwn`: the session that has just ended had one of the client below it. */
  function leave(visit: Visit, { client, returnTo }: LogoutRequest, isOwn = false): string {
    const words = frame.wordsFor(visit);
    // Anybody could make a link that ends at a client that nobody here has checked (OpenID Connect RP-Initiated Logout 1.0 §3).
    const isTrusted = client?.origin === "operator" || isOwn;
    if (returnTo !== undefined && !isTrusted)
      return frame.show(visit, {
        title: words.signedOut.title,
        content: (
          <LeavingCard
            words={words}
            text={words.leaving.signedOut}
            to={returnTo}
            home={{ href: href("/login"), text: words.signedOut.again }}
          />
        ),
      });
    if (returnTo !== undefined) {
      visit.set.headers["referrer-policy"] = "no-referrer";
      return leadTo(visit.set, returnTo);
    }
    return frame.show(visit, {
      title: words.signedOut.title,
      content: <SignedOutCard words={words} again={href("/login")} />,
    });
  }

  async function signOut(visit: Visit, viewer: Browsing, asked: LogoutRequest, isOwn: boolean): Promise<string> {
    await auth.endBrowsing(viewer, visit.request, visit.set);
    onLogout(asked.client);
    return leave(visit, asked, isOwn);
  }

  const subjectOf = ({ id }: Browsing, entries: Params["entries"]): string => `${id}.logout.${fingerprint(entries)}`;

  async function handle(visit: Visit, params: Params): Promise<string> {
    const asked = await read(visit, params);
    const viewer = await auth.browsingOf(visit.request, visit.set);
    if (viewer === undefined) return leave(visit, asked);
    // Such an ID token shows that the request comes from somebody whom this person has signed in to, here and now.
    if (await isOfSession(asked, viewer)) return signOut(visit, viewer, asked, true);
    const words = frame.wordsFor(visit);
    return frame.show(visit, {
      title: words.signOut.title,
      ...(asked.returnTo !== undefined && { leadsTo: sourceOf(asked.returnTo) }),
      viewer,
      content: (
        <SignOutCard
          words={words}
          client={asked.client}
          action={href(confirmPath)}
          stay={href("/account")}
          token={forms.tokenOf(subjectOf(viewer, params.entries))}
          fields={params.entries}
        />
      ),
    });
  }

  async function orPage(visit: Visit, work: () => Promise<string>): Promise<string> {
    if (facts.method(visit.request) === "HEAD") {
      visit.set.headers["allow"] = "GET, POST";
      throw new AppError("method_not_allowed");
    }
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      onRefusal(visit.request, { error, ...(error instanceof UnreadableLogout && error.of) });
      const { badSignOut, unknown } = frame.wordsFor(visit);
      return frame.show(visit, {
        title: badSignOut.title,
        status: 400,
        content: (
          <>
            <p>{badSignOut.text}</p>
            <p class="soft">{badSignOut.advice}</p>
            <p class="reference">{unknown.reference({ id: facts.requestId(visit.request) })}</p>
            <p class="aside">
              <a href={href("/account")}>{badSignOut.toAccount}</a>
            </p>
          </>
        ),
      });
    }
  }

  return (
    new Elysia({ name: "idp/logout" })
      .get(logoutPath, (visit) => orPage(visit, () => handle(visit, readParams(queryOf(visit.request)))), hidden)
      // A form of another site comes without the cookies of this one. After a redirect the browser sends them.
      .post(
        logoutPath,
        (visit) =>
          orPage(visit, async () => {
            visit.set.headers["referrer-policy"] = "no-referrer";
            return leadTo(visit.set, href(`${logoutPath}?${formOf(visit.body).toString()}`));
          }),
        hidden,
      )
      .post(
        confirmPath,
        (visit) =>
          orPage(visit, async () => {
            if (facts.isCrossSite(visit.request)) throw new AppError("cross_site_request");
            const form = formOf(visit.body);
            const params = readParams(new URLSearchParams([...form].filter(([name]) => name !== tokenField)));
            const viewer = await auth.browsingOf(visit.request, visit.set);
            const asked = await read(visit, params);
            if (viewer === undefined) return leave(visit, asked);
            forms.check(subjectOf(viewer, params.entries), form);
            return signOut(visit, viewer, asked, await isOfSession(asked, viewer));
          }),
        hidden,
      )
  );
}

export const logoutForms = { awaited: [logoutPath], own: [confirmPath] } as const;
