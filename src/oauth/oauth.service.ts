import {
  isTermsDue,
  type Client,
  type FederatedAuth,
  type SessionRow,
  type SignedIn,
  type SignIn,
  type TermsDue,
} from "../auth/index.ts";
import { AppError, invalidFields } from "../core/errors.ts";
import { FieldFault } from "../core/fields.ts";
import type { Log } from "../observe/index.ts";
import { ExchangeFailure } from "./exchange/failure.ts";
import type { IdentityService } from "./identity/identity.service.ts";
import { pathAfterSignIn } from "./next.ts";
import type { Profile } from "./exchange/profiles.ts";
import { countedAs, type Provider } from "./provider.ts";
import { readProfile } from "./newcomer.ts";
import type { Start } from "./start.ts";
import type { StateRow, Step } from "./state.repository.ts";
import type { Purpose, StateService } from "./state.service.ts";

interface OAuthServiceOptions {
  readonly auth: FederatedAuth;
  readonly states: StateService;
  readonly identities: IdentityService;
  readonly appOrigin: string;
  /** The destination of a sign-in that was started without `next`. */
  readonly home: string;
  readonly log: Log;
}

/** A newcomer who has yet to accept the terms. */
interface Newcomer extends TermsDue {
  readonly profile: Profile;
}

/** A state that a browser brings back. */
interface Answered {
  readonly state: string | undefined;
  readonly browser: string | undefined;
}

/** An authorization response (RFC 6749 §4.1.2), by query or by form, and the cookie of the browser that brought it. */
export interface AuthorizationResponse {
  readonly params: URLSearchParams;
  readonly browser: string | undefined;
}

/** Refusals of a provider for other reasons than that the person said no (RFC 6749 §4.1.2.1). The log repeats no other text. */
const operatorFaults: ReadonlySet<string> = new Set([
  "invalid_request",
  "unauthorized_client",
  "unsupported_response_type",
  "invalid_scope",
  "server_error",
  "temporarily_unavailable",
]);

const longest = { state: 128, code: 4_096, iss: 512 } as const;

/** A parameter that comes twice counts as missing, because parameters must not be repeated (RFC 6749 §3.1). */
function single(params: URLSearchParams, name: keyof typeof longest): string | undefined {
  const [value = "", ...others] = params.getAll(name);
  return value === "" || others.length > 0 || value.length > longest[name] ? undefined : value;
}

const missing = (field: string): AppError =>
  invalidFields({ [field]: new FieldFault("required", "is required, once") });

const otherIssuer = (): AppError =>
  invalidFields({ iss: new FieldFault("invalid_value", "is not the issuer of this provider") });

export function createOAuthService({ auth, states, identities, appOrigin, home, log }: OAuthServiceOptions) {
  /** Asks a provider. Why it can't be used goes to the log; the client learns only that it can't. */
  async function asking<T>(provider: Provider, work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ExchangeFailure)) throw error;
      log.warn("oauth exchange failed", { provider: provider.name, reason: error.reason, error });
      throw new AppError("oauth_exchange_failed", { why: error.reason });
    }
  }

  const askProfile = (
    provider: Provider,
    code: string,
    { codeVerifier, nonce }: StateRow,
    form: URLSearchParams,
  ): Promise<Profile> => asking(provider, () => provider.profile(code, { codeVerifier, nonce }, form));

  async function codeOf(provider: Provider, params: URLSearchParams): Promise<string> {
    const issuer = single(params, "iss");
    const isUnclear = params.has("iss") && issuer === undefined;
    // The answer of another provider at the address of this one is a mix-up attack (RFC 9207 §2.4).
    if (isUnclear || !(await asking(provider, () => provider.isFrom(issuer))))
      throw new AppError("invalid_oauth_state");
    if (params.has("error")) {
      const reason = params.get("error") ?? "";
      if (operatorFaults.has(reason))
        log.warn("oauth provider refused the request", { provider: provider.name, reason });
      throw new AppError("oauth_denied");
    }
    const code = single(params, "code");
    if (code === undefined) throw missing("code");
    return code;
  }

  async function spend(provider: Provider, { state, browser }: Answered, step: Step): Promise<StateRow> {
    try {
      if (state === undefined) throw missing("state");
      return await states.consume({ state, provider: provider.name, browser }, step);
    } catch (error) {
      auth.refused("oauth_sign_in", error, countedAs(provider));
      throw error;
    }
  }

  /** Signs in the person whom the provider has described. */
  async function signInAs(
    provider: Provider,
    profile: Profile,
    { invitationHash }: StateRow,
    client: Client,
    acceptedTerms?: string,
  ): Promise<SignIn | Newcomer> {
    const signIn =
      invitationHash === null
        ? await identities.signIn(provider, profile, client, acceptedTerms)
        : await identities.signInInvited(provider.name, profile, invitationHash, client, acceptedTerms);
    return signIn === "terms_due" ? { outcome: "terms_due", profile } : signIn;
  }

  async function complete(
    provider: Provider,
    params: URLSearchParams,
    state: StateRow,
    client: Client,
    sessionNow: () => Promise<SessionRow | undefined>,
  ): Promise<SignIn | Newcomer | undefined> {
    const { linkUserId, linkSessionId } = state;
    const code = await codeOf(provider, params);
    if (linkUserId === null) return signInAs(provider, await askProfile(provider, code, state, params), state, client);
    const session = await sessionNow();
    if (session?.id !== linkSessionId || session?.userId !== linkUserId) throw new AppError("invalid_oauth_state");
    await identities.link(provider, await askProfile(provider, code, state, params), session, client);
    return undefined;
  }

  const nextOf = ({ next }: Start): string => pathAfterSignIn(next, appOrigin) ?? home;

  return {
    /** Where the sign-in that is asked for leads in the end. */
    nextOf,

    /** Begins a sign-in or a linking. Resolves to where to send the browser. A linking takes a session that was freshly proven. */
    async start(provider: Provider, browser: string, asked: Start, client: Client, purpose: Purpose = {}) {
      const { loginHint, issuer } = asked;
      const begin = async (): Promise<string> => {
        if (issuer !== undefined && !(await asking(provider, () => provider.isFrom(issuer)))) throw otherIssuer();
        if (purpose.session !== undefined) await auth.requireFreshProof(purpose.session);
        await auth.limitStart(client, purpose.session !== undefined || purpose.invitationHash !== undefined);
        return asking(provider, () => states.start(provider, { browser, next: nextOf(asked), loginHint, purpose }));
      };
      return auth.watch("oauth_start", begin, countedAs(provider));
    },

    /** Resolves to the purpose of the sign-in that a response belongs to. Leaves the state as it is. */
    async purposeOf(provider: Provider, { params, browser }: AuthorizationResponse) {
      const state = single(params, "state");
      return state === undefined ? "sign_in" : states.purposeOf({ state, provider: provider.name, browser });
    },

    /**
     * Completes a sign-in. Uses up the state before it looks at anything else, so that no response is tried twice. `signIn` is undefined
     * after a linking: the session that asked for it goes on. `newcomer`: the state with which somebody goes on who has yet to accept the
     * terms.
     */
    async finish(
      provider: Provider,
      { params, browser }: AuthorizationResponse,
      client: Client,
      sessionNow: () => Promise<SessionRow | undefined>,
    ) {
      const state = await spend(provider, { state: single(params, "state"), browser }, "sign_in");
      const { next } = state;
      const flow = state.linkUserId === null ? "oauth_sign_in" : "oauth_link";
      const work = () => complete(provider, params, state, client, sessionNow);
      const result = await auth.watch(flow, work, countedAs(provider));
      if (!isTermsDue(result)) return { next, signIn: result };
      const newcomer = await states.keepNewcomer({ provider: provider.name, browser }, state, result.profile);
      return { next, newcomer };
    },

    /**
     * Makes the account of a newcomer to whom the provider has vouched, once they accept the terms. Other terms than those of today leave
     * the state as it is.
     */
    async register(
      provider: Provider,
      answered: Answered,
      acceptedTerms: string | undefined,
      client: Client,
    ): Promise<SignedIn> {
      auth.requireTerms(acceptedTerms);
      const state = await spend(provider, answered, "newcomer");
      const work = () => signInAs(provider, readProfile(state.profile ?? ""), state, client, acceptedTerms);
      const result = await auth.watch("oauth_sign_in", work, countedAs(provider));
      // Since then the person has made the account elsewhere, and given it a second factor: an ordinary sign-in asks for that.
      if (!("issued" in result)) throw new AppError("invalid_oauth_state");
      return result;
    },
  };
}

export type OAuthService = ReturnType<typeof createOAuthService>;
