import { effect, type ReadonlySignal } from "@preact/signals";
import type { Passkey, PasskeyAnswer, PasskeyRequestOptions } from "../../../client/index.ts";
import { forgetPasskey, offerPasskey, passkeyCapabilities, tellPasskeys } from "../../../client/passkey.signals.ts";
import { attempt } from "../acts/storage.ts";
import type { Account } from "../context.ts";

// What devices learn of passkeys, and make of them, while nobody waits for it. Pages load this file once they are shown.

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
  await endOffer();
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

const monthMs = 30 * 24 * 60 * 60 * 1000;
/** How long a browser may take to make a passkey by itself. Some never answer. */
const offerMs = 30_000;

/** When this browser was asked last to make a passkey for that person. */
function offered(userId: string) {
  const name = `passkey offered: ${userId}`;
  return {
    /** Whether that is a month ago. A browser that stores nothing is never asked: nobody could tell how often it was. */
    isDue: (): boolean =>
      attempt(() => {
        const last = localStorage.getItem(name) ?? "0";
        localStorage.setItem(name, last);
        return Math.abs(Date.now() - Number(last)) >= monthMs;
      }) ?? false,
    keep: (): void => attempt(() => localStorage.setItem(name, `${Date.now()}`)),
  };
}

/** Ends the offer that the browser has at this moment, and waits until it is over. */
let endOffer = (): Promise<unknown> => Promise.resolve();

/**
 * Has the browser make a passkey by itself, once a month, where it can and the service offers one. Ends that once the person is asked for
 * a passkey, makes one (`isMaking`) or signs out: a browser does one of these at a time. Resolves to whether the account has got one.
 */
export async function offer(account: Account, isMaking: ReadonlySignal<boolean>): Promise<boolean> {
  const { session, proof } = account;
  const { id } = session.user.peek() ?? {};
  if (id === undefined || !offered(id).isDue()) return false;
  if ((await passkeyCapabilities())["conditionalCreate"] !== true) return false;
  const end = new AbortController();
  const watch = effect(() => {
    if (isMaking.value || proof.question.value !== undefined || session.user.value?.id !== id) end.abort();
  });
  const making = make(account, id, AbortSignal.any([end.signal, AbortSignal.timeout(offerMs)])).finally(watch);
  endOffer = () => {
    end.abort();
    return making;
  };
  return making;
}

async function make({ client }: Account, userId: string, signal: AbortSignal): Promise<boolean> {
  const asked = await client.getPasskeyOffer();
  if (!asked.ok || asked.options === null || signal.aborted) return false;
  offered(userId).keep();
  const credential = await offerPasskey(asked.options, signal);
  if (credential === undefined) return false;
  const added = await client.addPasskey({ credential });
  // Without an answer nobody knows whether the account has it.
  if (!added.ok && added.status !== 0) {
    await forgetPasskey({ rpId: asked.options.rp.id }, credential).catch(() => undefined);
  }
  return added.ok;
}

/** Has the device forget a passkey that nobody has. */
export const forget = (options: PasskeyRequestOptions, credential: PasskeyAnswer): Promise<void> =>
  forgetPasskey(options, credential);
