import { useEffect, useRef } from "preact/hooks";
import type { PasskeyAnswer, PasskeyRequestOptions, Result, User } from "../../../../client/index.ts";
import { canAutofillPasskeys, getPasskey } from "../../../../client/passkeys.ts";
import { useAccount } from "../../context.ts";
import { useSending } from "../../acts/sending.ts";
import { usePasskeySupport } from "../../factors/passkeys.tsx";
import { useEndOrLeave } from "./own.provider.tsx";
import { kept } from "./ways.ts";

export type PasskeySignIn = ReturnType<typeof usePasskeySignIn>;

/** How long the browser offers passkeys for one challenge of the server, which expires after five minutes. */
const offeredMs = 4 * 60_000;

/**
 * Signs in with a passkey and without a name: when a button asks for a passkey, and when somebody picks one among the browser's suggestions
 * for the first field. `isRemembered` says whether the session outlives the browser.
 */
export function usePasskeySignIn(isRemembered: () => boolean) {
  const { client } = useAccount();
  const isPossible = usePasskeySupport();
  const end = useEndOrLeave();
  const { send, ...progress } = useSending();
  const { isBusy, refusal } = progress;
  /** Ends the browser's offer. A browser waits for one passkey at a time, and must not fill in a passkey on another page. */
  const offer = useRef<AbortController | undefined>(undefined);

  async function verify(credential: PasskeyAnswer, options: PasskeyRequestOptions): Promise<Result<{ user: User }>> {
    const result = kept(await client.loginWithPasskey({ credential, remember: isRemembered() }), "passkey");
    if (!result.ok && result.unknownPasskey)
      void import("../../factors/passkey.upkeep.ts").then(({ forget }) => forget(options, credential));
    return end(result);
  }

  /** Resolves to whether to offer again: after a passkey that was refused, and once the time is up. */
  async function offerOnce(stopped: AbortSignal): Promise<boolean> {
    const asked = await client.getPasskeyRequestOptions();
    if (!asked.ok || stopped.aborted) return false;
    const lap = AbortSignal.any([stopped, AbortSignal.timeout(offeredMs)]);
    const given = await getPasskey(asked.options, { isAutofill: true, signal: lap });
    if (!given.ok) return lap.aborted && !stopped.aborted && !document.hidden;
    await send(() => verify(given.credential, asked.options));
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
    // A hidden page offers nothing, and offers again once somebody looks at it.
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

  /** Has the browser ask for a passkey at once. */
  async function ask(): Promise<void> {
    stopOffer();
    await send(async () => {
      const asked = await client.getPasskeyRequestOptions();
      if (!asked.ok) return asked;
      const given = await getPasskey(asked.options);
      return given.ok ? verify(given.credential, asked.options) : given;
    });
    if (refusal.value !== undefined) void startOffer();
  }
  return { ...progress, isPossible, ask: (): void => void ask() };
}
