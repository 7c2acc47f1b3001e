import type { Browsing, ProviderAuth } from "../../auth/index.ts";
import type { Clock } from "../../core/clock.ts";
import { OAuthError, toOAuthError } from "../protocol/errors.ts";
import { readParams, writeParams, type Params } from "../protocol/params.ts";
import type { Client } from "../client/client.ts";
import type { Tokens } from "../token/tokens.ts";
import { askedParam, type AskedMarks } from "./asked.ts";
import type { Codes } from "./codes.ts";
import type { ConsentRepository } from "./consent.repository.ts";
import { decide } from "./decision.ts";
import type { Pushed } from "./pushed.ts";
import { destinationOf, readRequest, type AuthorizationRequest, type Destination } from "./request.ts";

interface AuthorizationOptions {
  readonly find: (id: string) => Promise<Client | undefined>;
  readonly auth: Pick<ProviderAuth, "journal">;
  readonly tokens: Pick<Tokens, "issuer" | "readHint">;
  readonly codes: Codes;
  readonly consents: ConsentRepository;
  readonly pushed: Pushed;
  readonly marks: AskedMarks;
  readonly onRefusal: (client: Client, error: OAuthError, viewer: Browsing | undefined) => void;
  readonly clock: Clock;
}

/** What a client is told, at the address that it has registered. */
export interface Answer {
  readonly kind: "answer";
  readonly to: Pick<Destination, "redirectUri" | "mode" | "client">;
  readonly params: Readonly<Record<string, string>>;
}

/** What becomes of a request. `entries` is the request as it can be sent again. */
export type Outcome =
  | Answer
  | {
      readonly kind: "sign_in";
      readonly isProof: boolean;
      readonly entries: Params["entries"];
      readonly request: AuthorizationRequest;
    }
  | {
      readonly kind: "consent";
      readonly entries: Params["entries"];
      readonly request: AuthorizationRequest;
      readonly viewer: Browsing;
    }
  | {
      readonly kind: "no_role";
      readonly request: AuthorizationRequest;
      readonly viewer: Browsing;
      readonly answer: Answer;
    };

/** Addresses longer than this are kept on the server: pages carry them on, and not every page takes longer ones. */
const longestCarried = 1_500;

/** The authorization endpoint without HTTP (RFC 6749 §3.1, OpenID Connect Core §3.1.2). */
export function createAuthorization(options: AuthorizationOptions) {
  const { find, auth, tokens, codes, consents, pushed, marks, onRefusal, clock } = options;

  function answer(to: Destination, params: Readonly<Record<string, string | undefined>>): Answer {
    const all = { ...params, state: to.state, iss: tokens.issuer };
    const known = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    return { kind: "answer", to, params: Object.fromEntries(known) };
  }

  /** Reads a request, wherever its parameters are. Throws `NoDestination`, or what the client is told. */
  async function read(sent: Params) {
    const id = sent.get("client_id");
    const client = id === undefined ? undefined : await find(id);
    const uri = sent.get("request_uri");
    const ahead = uri === undefined || client === undefined ? undefined : await pushed.read(uri, client.id);
    // Where a request was sent ahead, the address says no more than whose it is and whether its person was asked.
    const asked = sent.get(askedParam);
    if (ahead === undefined) return { client, ahead, params: sent };
    const mark: Params["entries"] = asked === undefined ? [] : [[askedParam, asked]];
    return { client, ahead, params: readParams(new URLSearchParams(writeParams([...ahead.params.entries, ...mark]))) };
  }

  const hintedBy = async (hint: string | undefined): Promise<string | null | undefined> =>
    hint === undefined ? undefined : ((await tokens.readHint(hint))?.sub ?? null);

  /** Makes the code by which the client gets its session. */
  async function allow(
    request: AuthorizationRequest,
    viewer: Browsing,
    aheadId: string | undefined,
    consent: boolean,
  ): Promise<Answer> {
    const { client, redirectUri, challenge, nonce, delegation, isStanding, scope } = request;
    const { code, statement } = codes.make(client, viewer, {
      redirectUri,
      delegation,
      isStanding,
      ...(challenge !== undefined && { challenge }),
      ...(nonce !== undefined && { nonce }),
    });
    const granted = { userId: viewer.userId, clientId: client.id, scope, grantedAt: clock.now() };
    const applied = await auth.journal.commit({
      statements: [
        ...(consent ? [consents.grant(granted)] : []),
        statement,
        ...(aheadId === undefined ? [] : [pushed.use(aheadId)]),
      ],
    });
    if (!applied.applied) throw new OAuthError("invalid_request", "The request was used already.");
    return answer(request, { code });
  }

  /** Decides over a request that names an address to answer to. `allowed`: the person has just said yes. */
  async function outcomeOf(
    destination: Destination,
    { params, aheadId }: { readonly params: Params; readonly aheadId: string | undefined },
    viewer: Browsing | undefined,
    isAllowed: boolean,
  ): Promise<Outcome> {
    const request = readRequest(destination, params);
    if (destination.client.settings.fapi && aheadId === undefined)
      throw new OAuthError("invalid_request", "This client sends its requests ahead (RFC 9126).");
    const consented = viewer && (await consents.find(viewer.userId, request.client.id))?.scope;
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
    if (decision.kind === "sign_in") return { kind: "sign_in", isProof: decision.isProof, entries, request };
    if (viewer === undefined) throw new Error("nobody is signed in, and nobody was asked to");
    if (decision.kind === "no_role") {
      const refusal = new OAuthError("access_denied", "The person may not use this client.", { why: "role_missing" });
      onRefusal(request.client, refusal, viewer);
      return { kind: "no_role", request, viewer, answer: answer(request, { error: refusal.code }) };
    }
    if (decision.kind === "consent" && !isAllowed) return { kind: "consent", entries, request, viewer };
    return allow(request, viewer, aheadId, decision.kind === "consent");
  }

  /** Does the work for a request. Throws `NoDestination`; whatever else is wrong is told to the client. */
  async function handle(sent: Params, viewer: Browsing | undefined, said?: "allow" | "deny"): Promise<Outcome> {
    const { client, ahead, params } = await read(sent);
    const destination = destinationOf(client, params);
    try {
      if (said === "deny")
        throw new OAuthError("access_denied", "The person did not allow it.", { why: "consent_denied" });
      return await outcomeOf(destination, { params, aheadId: ahead?.id }, viewer, said === "allow");
    } catch (error) {
      const refusal = toOAuthError(error);
      if (!(refusal instanceof OAuthError)) throw error;
      onRefusal(destination.client, refusal, viewer);
      return answer(destination, { error: refusal.code, error_description: refusal.message });
    }
  }

  return {
    handle,

    /** Returns the parameters by which a request comes back from the sign-in page, which shows that its person was asked. */
    async comeBack(
      sent: Params,
      { entries, request }: { readonly entries: Params["entries"]; readonly request: AuthorizationRequest },
    ) {
      const mark = marks.make(entries);
      const uri = sent.get("request_uri");
      const client: readonly [string, string] = ["client_id", request.client.id];
      if (uri !== undefined) {
        const { id } = await pushed.read(uri, request.client.id);
        await pushed.prolong(id);
        return [client, ["request_uri", uri], [askedParam, mark]] as const;
      }
      const own = entries.filter(([name]) => name !== askedParam);
      const length = new URLSearchParams(own.map(([name, value]): [string, string] => [name, value])).toString().length;
      if (length <= longestCarried) return [...own, [askedParam, mark] as const];
      const kept = await pushed.keep(request.client.id, own, pushed.interactionTtlMs);
      return [client, ["request_uri", kept.uri], [askedParam, mark]] as const;
    },
  };
}

export type Authorization = ReturnType<typeof createAuthorization>;
