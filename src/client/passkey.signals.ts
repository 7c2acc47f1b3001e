import type { PasskeyAnswer, PasskeyRequestOptions, PasskeySignal } from "./factors.ts";

// A module of its own: few pages need it, and a bundler leaves it out of the others.

const hasPasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** What this browser can do with passkeys, by the names of WebAuthn level 3, such as `conditionalCreate` or `relatedOrigins`; empty where it does not say. */
export const passkeyCapabilities = async (): Promise<Readonly<Record<string, boolean>>> =>
  hasPasskeys() && "getClientCapabilities" in PublicKeyCredential ? PublicKeyCredential.getClientCapabilities() : {};

/** What browsers have for those who keep passkeys (WebAuthn level 3, "Signal Methods"). Older ones have none of it. */
interface Signals {
  signalUnknownCredential?: (options: { rpId: string; credentialId: string }) => Promise<void>;
  signalAllAcceptedCredentials?: (options: PasskeySignal) => Promise<void>;
  signalCurrentUserDetails?: (options: PasskeySignal) => Promise<void>;
}

const signals = (): Signals => (hasPasskeys() ? PublicKeyCredential : {});

/** Tells the one who keeps a passkey that nobody has it any more, after a sign-in that failed with `unknownPasskey`. */
export async function forgetPasskey(
  { rpId }: Pick<PasskeyRequestOptions, "rpId">,
  { id }: PasskeyAnswer,
): Promise<void> {
  await signals().signalUnknownCredential?.({ rpId, credentialId: id });
}

/** Tells those who keep passkeys of the account which ones there are, and what it is called, by the answer of `getPasskeySignal`. */
export async function tellPasskeys(signal: PasskeySignal): Promise<void> {
  await signals().signalAllAcceptedCredentials?.(signal);
  await signals().signalCurrentUserDetails?.(signal);
}
