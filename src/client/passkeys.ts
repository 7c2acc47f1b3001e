import type { Failure, PasskeyCode, Result } from "./types.ts";

export type * from "./types.ts";

/** Whether this browser can make and use passkeys; it can on pages with TLS and on localhost alone. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** Whether it offers passkeys for a field with `autocomplete="username webauthn"`, beside the names that it knows. */
export const canAutofillPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() && (await PublicKeyCredential.isConditionalMediationAvailable?.()) === true;

/** Has the browser make a passkey, by the options of a registration. */
export const createPasskey = (options: object): Promise<Result<{ credential: object }>> =>
  attempt(() => navigator.credentials.create({ publicKey: creationOptions(options) }));

export interface PasskeyUse {
  /** Asks for nothing by itself, but waits until somebody picks a passkey among what the browser offers for a field. */
  isAutofill?: boolean;
  /** Ends the wait with the code `aborted`. A browser waits for one passkey at a time. */
  signal?: AbortSignal;
}

/** Has the browser use a passkey, by the options of a sign-in or of a fresh proof. */
export const getPasskey = (
  options: object,
  { isAutofill = false, signal }: PasskeyUse = {},
): Promise<Result<{ credential: object }>> =>
  attempt(() =>
    navigator.credentials.get({
      publicKey: requestOptions(options),
      ...(isAutofill && { mediation: "conditional" }),
      ...(signal && { signal }),
    }),
  );

const sentences: Readonly<Record<PasskeyCode | "aborted", string>> = {
  passkey_cancelled: "no passkey was given",
  passkey_exists: "this device has a passkey of the account already",
  passkey_unsupported: "this browser can't use a passkey here",
  aborted: "the call was aborted",
};

const failure = (code: PasskeyCode | "aborted"): Failure => ({ ok: false, code, error: sentences[code], status: 0 });

/** A browser says by a name why it has failed. That of a closed dialog is the same as that of a time that is up. */
function codeOf(error: unknown): PasskeyCode | "aborted" {
  switch (error instanceof Error ? error.name : "") {
    case "NotAllowedError":
      return "passkey_cancelled";
    case "InvalidStateError":
      return "passkey_exists";
    case "AbortError":
      return "aborted";
    default:
      return "passkey_unsupported";
  }
}

async function attempt(ask: () => Promise<Credential | null>): Promise<Result<{ credential: object }>> {
  if (!canUsePasskeys()) return failure("passkey_unsupported");
  try {
    const credential = await ask();
    if (!(credential instanceof PublicKeyCredential)) return failure("passkey_cancelled");
    return { ok: true, credential: written(credential) };
  } catch (error) {
    return failure(codeOf(error));
  }
}

// What follows turns bytes into base64url and back, as JSON has them. Browsers do it by themselves since 2024 or 2025.

type Descriptor = Omit<PublicKeyCredentialDescriptor, "id"> & { readonly id: string };

interface Creation extends Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials" | "extensions"
> {
  readonly challenge: string;
  readonly user: Omit<PublicKeyCredentialUserEntity, "id"> & { readonly id: string };
  readonly excludeCredentials?: Descriptor[];
}

interface Request extends Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials" | "extensions"> {
  readonly challenge: string;
  readonly allowCredentials?: Descriptor[];
}

const isRequest = (options: object): options is Request => "challenge" in options;
const isCreation = (options: object): options is Creation => "user" in options && isRequest(options);

function creationOptions(options: object): PublicKeyCredentialCreationOptions {
  if (!isCreation(options)) throw new TypeError("no options of a registration");
  if ("parseCreationOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { challenge, user, excludeCredentials = [], ...others } = options;
  return {
    ...others,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(described),
  };
}

function requestOptions(options: object): PublicKeyCredentialRequestOptions {
  if (!isRequest(options)) throw new TypeError("no options of a sign-in");
  if ("parseRequestOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { challenge, allowCredentials = [], ...others } = options;
  return { ...others, challenge: bytesOf(challenge), allowCredentials: allowCredentials.map(described) };
}

const described = ({ id, ...others }: Descriptor): PublicKeyCredentialDescriptor => ({ ...others, id: bytesOf(id) });

function written(credential: PublicKeyCredential): object {
  try {
    return credential.toJSON();
  } catch {
    // Missing in older browsers, and broken by some extensions that keep passkeys.
    const { id, rawId, type, authenticatorAttachment, response } = credential;
    const clientExtensionResults = credential.getClientExtensionResults();
    return {
      id,
      rawId: textOf(rawId),
      type,
      authenticatorAttachment,
      clientExtensionResults,
      response: writtenResponse(response),
    };
  }
}

function writtenResponse(response: AuthenticatorResponse): object {
  const clientDataJSON = textOf(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse)
    return {
      clientDataJSON,
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports(),
    };
  if (!(response instanceof AuthenticatorAssertionResponse)) return { clientDataJSON };
  const { authenticatorData, signature, userHandle } = response;
  return {
    clientDataJSON,
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
    ...(userHandle && { userHandle: textOf(userHandle) }),
  };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
