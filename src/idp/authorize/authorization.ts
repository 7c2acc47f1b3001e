import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { invalidRequest, OAuthError, toOAuthError } from "../protocol/errors.ts";
import { readParams, requireOnce, writeParams, type Params } from "../protocol/params.ts";
import { scopesOf, type Asker, type Client, type FindClient } from "../client/client.ts";
import type { Tokens } from "../token/tokens.ts";
import { askedParam, type AskedMarks } from "./asked.ts";
import type { Codes } from "./codes.ts";
import type { ConsentRow } from "./consent.repository.ts";
import { textOfDisclosed, type Consents } from "./consents.ts";
import { consentDenied, decide } from "./decision.ts";
import type { Pushed } from "./pushed.ts";
import type { Answer, Outcome, Said } from "./outcome.ts";
import { destinationOf, NoDestination, readRequest, type AuthorizationRequest, type Destination } from "./request.ts";

interface AuthorizationOptions {
  readonly find: FindClient;
  readonly auth: Pick<ProviderAuth, "journal">;
  readonly tokens: Pick<Tokens, "issuer" | "readHint">;
  readonly codes: Codes;
  readonly consents: Consents;
  readonly pushed: Pushed;
  readonly marks: AskedMarks;
  readonly clock: Clock;
}

/** Addresses longer than this are kept on the server: pages carry them on, and not every page takes longer ones. */
const longestCarried = 1_500;

/** Returns what a client gets. By a session of staff in the person's name it gets nothing that goes on without them. */
function grantedTo({ impersonator }: Browsing, { delegation, isStanding }: AuthorizationRequest) {
  if (impersonator === null) return { delegation, isStanding };
  const scope = scopesOf(delegation.scope)
    .filter((each) => each !== "offline_access")
    .join(" ");
  return { delegation: { ...delegation, scope }, isStanding: false };
}

/** The authorization endpoint without HTTP (RFC 6749 §3.1, OpenID Connect Core §3.1.2). */
export function createAuthorization(options: AuthorizationOptions) {
  const { find, auth, tokens, codes, consents, pushed, marks, clock } = options;

  function answer(to: Destination, params: Readonly<Record<string, string | undefined>>, isAskedFirst = false): Answer {
    const all = { ...params, state: to.state, iss: tokens.issuer };
    const known = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return { kind: "answer", to, params: Object.fromEntries(known), isAskedFirst };
  }

  const clientOf = async (sent: Params, asker: Asker): Promise<Client | undefined> => {
    const id = sent.get("client_id");
    return id === undefined ? undefined : find(id, asker);
  };

  /** Returns the request that was sent ahead, or what is wrong with its name. Undefined for one that is in the address. */
  async function aheadOf(sent: Params, client: Client | undefined) {
    const uri = sent.get("request_uri");
    if (uri === undefined || client === undefined) return undefined;
    try {
      return await pushed.read(uri, client.id);
    } catch (error) {
      if (error instanceof OAuthError) return error;
      throw error;
    }
  }

  /** Reads a request, wherever its parameters are. Throws `NoDestination`, or a fault where nothing says whom to tell. */
  async function read(sent: Params, asker: Asker) {
    const client = await clientOf(sent, asker);
    const ahead = await aheadOf(sent, client);
    if (ahead === undefined) return { ahead, params: sent, destination: destinationOf(client, sent) };
    if (ahead instanceof OAuthError) {
      if (sent.get("redirect_uri") === undefined) throw ahead;
      return { ahead, params: sent, destination: destinationOf(client, sent) };
    }
    // Where a request was sent ahead, the address says no more than whose it is and whether its person was asked.
    const asked = sent.get(askedParam);
    const mark: Params["entries"] = asked === undefined ? [] : [[askedParam, asked]];
    const params = readParams(new URLSearchParams(writeParams([...ahead.params.entries, ...mark])));
    return { ahead, params, destination: destinationOf(client, params) };
  }

  const hintedBy = async (hint: string | undefined): Promise<string | null | undefined> =>
    hint === undefined ? undefined : ((await tokens.readHint(hint))?.sub ?? null);

  /**
   * Makes the code by which the client gets its session. `consented`: what was allowed before, of which `isMore` says that somebody has just
   * allowed more. Undefined where that was taken back meanwhile.
   */
  async function allow(
    request: AuthorizationRequest,
    viewer: Browsing,
    aheadId: string | undefined,
    { consented, isMore }: { readonly consented: ConsentRow | undefined; readonly isMore: boolean },
  ): Promise<Answer | undefined> {
    const { client, redirectUri, challenge, nonce, disclosed } = request;
    const { code, statement } = codes.make(client, viewer, {
      redirectUri,
      ...grantedTo(viewer, request),
      ...(challenge !== undefined && { challenge }),
      ...(nonce !== undefined && { nonce }),
    });
    const whose = { userId: viewer.userId, clientId: client.id };
    const applied = await auth.journal.commit({
      statements: [
        ...(isMore ? [consents.add(whose, consented, disclosed)] : consents.hold(consented)),
        statement,
        ...(aheadId === undefined ? [] : [pushed.use(aheadId)]),
      ],
    });
    if (applied.applied) return answer(request, { code });
    if (await consents.isOver(whose, consented)) return undefined;
    throw invalidRequest("The request was used already.", "request_over");
  }

  /** Decides over a request that names an address to answer to. `allowed`: what the person has just said yes to. */
  async function outcomeOf(
    destination: Destination,
    { params, aheadId }: { readonly params: Params; readonly aheadId: string | undefined },
    viewer: Browsing | undefined,
    allowed: readonly string[] | undefined,
  ): Promise<Outcome> {
    const request = readRequest(destination, params);
    if (destination.client.settings.fapi && aheadId === undefined)
      throw new OAuthError("invalid_request", "This client sends its requests ahead (RFC 9126).");
    const consented = viewer && (await consents.find(viewer.userId, request.client.id));
    const facts = {
      request,
      viewer,
      askedAt: marks.read(params),
      hinted: await hintedBy(request.hint),
      consented,
      clock,
    };
    const decision = decide(facts);
    const { entries } = params;
    if (decision.kind === "sign_in")
      return { kind: "sign_in", isProof: decision.isProof, isKnown: viewer !== undefined, entries, request };
    if (viewer === undefined) throw new Error("nobody is signed in, and nobody was asked to");
    if (decision.kind === "no_role" || decision.kind === "not_own")
      return { kind: decision.kind, entries, request, viewer };
    const isMore = decision.kind === "consent";
    // What the client may have can have changed since the page was made: the yes is to what that one showed.
    const shown = scopesOf(textOfDisclosed(request.disclosed));
    if (isMore && !shown.every((each) => allowed?.includes(each) === true))
      return { kind: "consent", entries, request, viewer };
    const allowing = await allow(request, viewer, aheadId, { consented, isMore });
    return allowing ?? outcomeOf(destination, { params, aheadId }, viewer, allowed);
  }

  /** Whether somebody may be led to a client without a question: anybody could make a link to one that leads on by a mistake in it (RFC 9700 §4.11.2). */
  const isTrusted = async ({ id, origin }: Client, viewer: Browsing | undefined): Promise<boolean> =>
    origin === "operator" || (viewer !== undefined && (await consents.find(viewer.userId, id)) !== undefined);

  /** Does the work for a request. Throws `NoDestination`; whatever else is wrong is told to the client. */
  async function handle(sent: Params, viewer: Browsing | undefined, asker: Asker, said?: Said): Promise<Outcome> {
    const { ahead, params, destination } = await read(sent, asker);
    const aheadId = ahead instanceof OAuthError ? undefined : ahead?.id;
    try {
      requireOnce(sent);
      if (ahead instanceof OAuthError) throw ahead;
      if (said === "deny") throw consentDenied();
      return await outcomeOf(destination, { params, aheadId }, viewer, said);
    } catch (error) {
      const refusal = toOAuthError(error);
      if (!(refusal instanceof OAuthError)) throw error;
      if (aheadId !== undefined) await pushed.spend(aheadId);
      const isAskedFirst = said === undefined && !(await isTrusted(destination.client, viewer));
      const told = { error: refusal.code, error_description: refusal.message };
      return { ...answer(destination, told, isAskedFirst), refusal };
    }
  }

  /** Keeps a request on the server. Returns the parameters that stand for it in an address. `charge` is told before anything is written. */
  async function keep(
    clientId: string,
    entries: Params["entries"],
    charge: () => Promise<void>,
  ): Promise<Params["entries"]> {
    await charge();
    const { uri } = await pushed.keep(clientId, entries, pushed.interactionTtlMs);
    return [
      ["client_id", clientId],
      ["request_uri", uri],
    ];
  }

  return {
    handle,

    /** Returns a request that came as a form in the way that an address holds it. Throws what its person is told on a page. */
    async addressed(sent: Params, asker: Asker, charge: () => Promise<void>): Promise<Params["entries"]> {
      if (writeParams(sent.entries).length <= longestCarried) return sent.entries;
      const client = await clientOf(sent, asker);
      // Only a client that proves who it is sends requests ahead, and one that has to does not get round it here.
      if (client === undefined || client.settings.fapi || sent.get("request_uri") !== undefined)
        throw client === undefined
          ? new NoDestination("unknown_client", { asked: sent.get("client_id") })
          : invalidRequest("The request is too long.");
      return keep(client.id, sent.entries, charge);
    },

    /** Returns the parameters by which a request comes back from the sign-in page, which shows that its person was asked. */
    async comeBack(
      sent: Params,
      { entries, request }: { readonly entries: Params["entries"]; readonly request: AuthorizationRequest },
      charge: () => Promise<void>,
    ): Promise<Params["entries"]> {
      const mark = [askedParam, marks.make(entries)] as const;
      const uri = sent.get("request_uri");
      if (uri !== undefined) {
        const { id } = await pushed.read(uri, request.client.id);
        await pushed.prolong(id);
        return [["client_id", request.client.id], ["request_uri", uri], mark];
      }
      const own = entries.filter(([name]) => name !== askedParam);
      const isShort = writeParams(own).length <= longestCarried;
      return [...(isShort ? own : await keep(request.client.id, own, charge)), mark];
    },
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;
