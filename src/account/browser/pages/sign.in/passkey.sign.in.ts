import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Failure, PasskeyAnswer, Result, User } from "../../../../client/index.ts";
import { canAutofillPasskeys, getPasskey } from "../../../../client/passkeys.ts";
import { useAccount } from "../../context.ts";
import { usePasskeySupport } from "../../factors/support.ts";
import { useSending } from "../../sending.ts";
import { useEndSignIn } from "./ending.ts";

export interface PasskeySignIn {
  /** Whether this browser can. */
  readonly isPossible: boolean;
  readonly isBusy: ReadonlySignal<boolean>;
  readonly refusal: ReadonlySignal<Failure | undefined>;
  /** Has the browser ask for a passkey at once. */
  readonly ask: () => void;
}

/** What the server gives the browser to sign runs out after five minutes. */
const offeredMs = 4 * 60_000;

/**
 * Signs in with a passkey and without a name: when a button asks for one, and when somebody picks one among what the browser
 * offers for the first field. `isRemembered` says whether the session is to outlive the browser.
 */
export function usePasskeySignIn(isRemembered: () => boolean): PasskeySignIn {
  const { client } = useAccount();
  const isPossible = usePasskeySupport();
  const end = useEndSignIn();
  const { isBusy, refusal, send } = useSending(() => false);
  /** Ends the browser's offer. It can wait for one passkey at a time, and must not fill in one on another page. */
  const offer = useRef<AbortController | undefined>(undefined);

  const verify = async (credential: PasskeyAnswer): Promise<Result<{ user: User }>> =>
    end(await client.loginWithPasskey({ credential, remember: isRemembered() }));

  /** Returns whether to go on offering: somebody has picked a passkey that was refused, or the time was up. */
  async function offerOnce(stopped: AbortSignal): Promise<boolean> {
    const asked = await client.getPasskeyRequestOptions();
    if (!asked.ok || stopped.aborted) return false;
    const lap = AbortSignal.any([stopped, AbortSignal.timeout(offeredMs)]);
    const given = await getPasskey(asked.options, { isAutofill: true, signal: lap });
    if (!given.ok) return lap.aborted && !stopped.aborted && !document.hidden;
    await send(
      () => verify(given.credential),
      () => {},
    );
    return refusal.value !== undefined;
  }

  async function startOffer(): Promise<void> {
    stopOffer();
    const { signal } = (offer.current = new AbortController());
    if (!isPossible || !(await canAutofillPasskeys())) return;
    while (!signal.aborted && (await offerOnce(signal)));
  }
  const stopOffer = (): void => offer.current?.abort();

  useEffect(() => {
    // A page that nobody looks at asks for nothing; one that is come back to does again.
    const look = (): void => {
      if (!document.hidden && !isBusy.value) void startOffer();
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      stopOffer();
    };
  }, []);

  async function ask(): Promise<void> {
    stopOffer();
    await send(
      async () => {
        const asked = await client.getPasskeyRequestOptions();
        const given = asked.ok ? await getPasskey(asked.options) : asked;
        return given.ok ? verify(given.credential) : given;
      },
      () => {},
    );
    if (refusal.value !== undefined) void startOffer();
  }
  return { isPossible, isBusy, refusal, ask: () => void ask() };
}
