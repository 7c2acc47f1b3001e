import type { SessionRow } from "../auth/index.ts";
import type { Clock } from "../core/clock.ts";
import { randomToken, tokenHash } from "../core/crypto.ts";
import { AppError } from "../core/errors.ts";
import type { Database } from "../drivers/database/index.ts";
import { newSecrets } from "./exchange/exchange.ts";
import type { Profile } from "./exchange/profiles.ts";
import type { Provider } from "./provider.ts";
import { storedProfile } from "./newcomer.ts";
import type { StateKey, StateRepository, StateRow, Step } from "./state.repository.ts";

interface StateOptions {
  readonly database: Database;
  readonly states: StateRepository;
  readonly ttlMs: number;
  readonly clock: Clock;
}

interface Beginning {
  readonly browser: string;
  /** Where to go afterwards. */
  readonly next: string;
  readonly loginHint?: string | undefined;
  readonly purpose: Purpose;
}

/** The purpose of a sign-in besides signing in: linking to the user of a session, or accepting an invitation. */
export interface Purpose {
  readonly session?: SessionRow | undefined;
  readonly invitationHash?: string | undefined;
}

export interface Returning {
  readonly state: string;
  readonly provider: string;
  /** The cookie of the browser that came back. */
  readonly browser: string | undefined;
}

/** Remembers a sign-in between its two halves. A state has 256 random bits, is stored by hash, short-lived, and used once. */
export function createStateService({ database, states, ttlMs, clock }: StateOptions) {
  const keyOf = ({ state, provider, browser }: Returning & { browser: string }): StateKey => ({
    stateHash: tokenHash(state),
    provider,
    browserHash: tokenHash(browser),
  });

  const insert = (key: Returning & { browser: string }, row: StateRow) => {
    const now = clock.now();
    return database.batch([states.insert({ ...keyOf(key), ...row, now, expiresAt: now + ttlMs })]);
  };

  return {
    /**
     * Begins a sign-in. Resolves to where to send the browser. Throws `unauthorized` once the user of a linking is gone, or
     * ExchangeFailure.
     */
    async start(provider: Provider, { browser, next, loginHint, purpose }: Beginning): Promise<string> {
      const { session, invitationHash = null } = purpose;
      const secrets = newSecrets();
      const location = await provider.authorizationUrl({ ...secrets, loginHint });
      const key = { state: secrets.state, provider: provider.name, browser };
      const { applied } = await insert(key, {
        codeVerifier: secrets.codeVerifier,
        nonce: secrets.nonce,
        next,
        linkUserId: session?.userId ?? null,
        linkSessionId: session?.id ?? null,
        invitationHash,
        profile: null,
      });
      if (!applied) throw new AppError("unauthorized");
      return location;
    },

    /**
     * Keeps what a provider has said of a newcomer until they have accepted the terms. Resolves to the state with which they go on in the
     * same browser.
     */
    async keepNewcomer({ provider, browser }: Omit<Returning, "state">, answered: StateRow, profile: Profile) {
      if (browser === undefined) throw new AppError("invalid_oauth_state");
      const state = randomToken();
      const { next, invitationHash } = answered;
      const unused = { codeVerifier: "", nonce: "", linkUserId: null, linkSessionId: null };
      await insert({ provider, browser, state }, { ...unused, next, invitationHash, profile: storedProfile(profile) });
      return state;
    },

    /** Uses a state up. Throws `invalid_oauth_state` for one that is unknown, used, expired, or of another provider or browser. */
    async consume({ browser, ...returning }: Returning, step: Step): Promise<StateRow> {
      const row =
        browser === undefined ? undefined : await states.consume(keyOf({ ...returning, browser }), step, clock.now());
      if (row === undefined) throw new AppError("invalid_oauth_state");
      return row;
    },

    async purposeOf({ browser, ...returning }: Returning): Promise<"sign_in" | "link" | "invitation"> {
      const purpose = browser === undefined ? undefined : await states.purposeOf(keyOf({ ...returning, browser }));
      return purpose?.isLinking === 1 ? "link" : purpose?.isInvited === 1 ? "invitation" : "sign_in";
    },
  };
}

export type StateService = ReturnType<typeof createStateService>;
