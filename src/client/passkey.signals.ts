import type { NewPasskey, PasskeyOffer, PasskeyRequestOptions, PasskeySignal } from "./factors.ts";

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

/**
 * Has the browser make a passkey by itself, with the options of `getPasskeyOffer`: it opens no dialog. Resolves to undefined where none was
 * made, which is no failure that a person need know of. Browsers with `conditionalCreate` among their capabilities can; some wait until the
 * `signal` ends it, and none makes or uses another passkey meanwhile.
 */
export async function offerPasskey(options: PasskeyOffer, signal: AbortSignal): Promise<NewPasskey | undefined> {
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    // The types of the browser's functions know `mediation` for `get` alone.
    const unasked = { mediation: "conditional", publicKey, signal };
    const made = await navigator.credentials.create(unasked);
    const json: object | undefined = made instanceof PublicKeyCredential ? made.toJSON() : undefined;
    return json !== undefined && isNew(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

const isNew = (json: object): json is NewPasskey => "response" in json;

/** Tells the one who keeps a passkey that nobody has it, after a sign-in that failed with `unknownPasskey`, or where a new one was not taken. */
export async function forgetPasskey(
  { rpId }: Pick<PasskeyRequestOptions, "rpId">,
  { id }: Pick<NewPasskey, "id">,
): Promise<void> {
  await signals().signalUnknownCredential?.({ rpId, credentialId: id });
}

/** Tells those who keep passkeys of the account which ones there are, and what it is called, by the answer of `getPasskeySignal`. */
export async function tellPasskeys(signal: PasskeySignal): Promise<void> {
  await signals().signalAllAcceptedCredentials?.(signal);
  await signals().signalCurrentUserDetails?.(signal);
}
