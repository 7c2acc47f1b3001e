import { effect, type ReadonlySignal } from "@preact/signals";
import type { Passkey, PasskeyAnswer, PasskeyRequestOptions } from "../../../client/index.ts";
import { forgetPasskey, passkeyCapabilities, tellPasskeys } from "../../../client/passkey.signals.ts";
import type { Account } from "../context.ts";

// What devices learn of passkeys while nobody waits for it. Pages load this file once they are shown.

/** What this page knew of the passkeys and of the account's names when it told devices last. */
let told = "";

/**
 * Has devices forget every passkey that the account no longer has here, and tells them what it is called. `isMaking` says whether a passkey
 * is being made, which a list from before it must not take away again: it is told anew afterwards. For the same reason devices of people
 * who had no passkey on this page are told nothing.
 */
export async function tellDevices(
  { client, session }: Account,
  passkeys: readonly Passkey[],
  isMaking: ReadonlySignal<boolean>,
): Promise<void> {
  const { username, display_name: name } = session.user.value ?? {};
  const known = JSON.stringify([passkeys.map(({ id }) => id), username, name]);
  if (known === told || (told === "" && passkeys.length === 0)) return;
  told = known;
  if ((await passkeyCapabilities())["signalAllAcceptedCredentials"] !== true) return;
  let isOld = false;
  const watch = effect(() => {
    isOld ||= isMaking.value;
  });
  const answer = await client.getPasskeySignal();
  watch();
  if (isOld) told = " ";
  // Browsers refuse it on pages that could not use the passkeys, too.
  else if (answer.ok && answer.signal !== null) await tellPasskeys(answer.signal).catch(() => undefined);
}

/** Has the device forget a passkey that nobody has. */
export const forget = (options: PasskeyRequestOptions, credential: PasskeyAnswer): Promise<void> =>
  forgetPasskey(options, credential);
