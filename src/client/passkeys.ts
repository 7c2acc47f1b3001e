import type { PasskeyCode } from "./codes.ts";
import type {
  NewPasskey,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyDescriptor,
  PasskeyRequestOptions,
  PasskeyUse,
} from "./factors.ts";
import type { Failure, Result } from "./result.types.ts";

export type * from "./codes.ts";
export type * from "./factors.ts";
export type * from "./types.ts";
export * from "./passkey.signals.ts";

/** Whether this browser can make and use passkeys. Browsers can only on pages with TLS and on localhost. */
export const canUsePasskeys = (): boolean => typeof PublicKeyCredential === "function";

/** Whether the browser suggests passkeys at a field with `autocomplete="username webauthn"`, beside the names that it knows. */
export const canAutofillPasskeys = async (): Promise<boolean> =>
  canUsePasskeys() &&
  "isConditionalMediationAvailable" in PublicKeyCredential &&
  (await PublicKeyCredential.isConditionalMediationAvailable());

/** Has the browser make a passkey with the options of `getPasskeyCreationOptions`. */
export const createPasskey = (options: PasskeyCreationOptions): Promise<Result<{ credential: NewPasskey }>> =>
  attempt(() => navigator.credentials.create({ publicKey: creationOptions(options) }), isNew);

/** Has the browser use a passkey with the options of `getPasskeyRequestOptions`, or with the `passkey_options` of another answer. */
export const getPasskey = (
  options: PasskeyRequestOptions | undefined,
  { isAutofill = false, signal }: PasskeyUse = {},
): Promise<Result<{ credential: PasskeyAnswer }>> =>
  attempt(
    () =>
      navigator.credentials.get({
        publicKey: requestOptions(options),
        ...(isAutofill && { mediation: "conditional" }),
        ...(signal && { signal }),
      }),
    isAnswer,
  );

const isNew = (json: object): json is NewPasskey => "response" in json;
const isAnswer = (json: object): json is PasskeyAnswer => "response" in json;

const sentences: Readonly<Record<PasskeyCode | "aborted", string>> = {
  passkey_cancelled: "no passkey was given",
  passkey_exists: "this device has a passkey of the account already",
  passkey_unsupported: "this browser can't use a passkey here",
  aborted: "the call was aborted",
};

const failure = (code: PasskeyCode | "aborted"): Failure => ({ ok: false, code, error: sentences[code], status: 0 });

/** Browsers name the cause of a failure. A closed dialog and an expired wait have one name. */
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

async function attempt<T extends object>(
  ask: () => Promise<Credential | null>,
  is: (json: object) => json is T,
): Promise<Result<{ credential: T }>> {
  if (!canUsePasskeys()) return failure("passkey_unsupported");
  try {
    const given = await ask();
    if (!(given instanceof PublicKeyCredential)) return failure("passkey_cancelled");
    const credential = written(given);
    return is(credential) ? { ok: true, credential } : failure("passkey_unsupported");
  } catch (error) {
    return failure(codeOf(error));
  }
}

// The functions below turn base64url into bytes and back, since JSON has no bytes. Browsers have had the conversion since 2024 or 2025.

function creationOptions(options: PasskeyCreationOptions): PublicKeyCredentialCreationOptions {
  if ("parseCreationOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const { challenge, user, excludeCredentials, ...others } = options;
  return {
    ...others,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(described),
  };
}

function requestOptions(options: PasskeyRequestOptions | undefined): PublicKeyCredentialRequestOptions {
  if (options === undefined) throw new TypeError("the account has no passkey");
  if ("parseRequestOptionsFromJSON" in PublicKeyCredential)
    return PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const { challenge, allowCredentials, ...others } = options;
  return { ...others, challenge: bytesOf(challenge), allowCredentials: allowCredentials.map(described) };
}

/** Leaves out the transports, which are only a hint. */
const described = ({ type, id }: PasskeyDescriptor): PublicKeyCredentialDescriptor => ({ type, id: bytesOf(id) });

function written(credential: PublicKeyCredential): object {
  try {
    return credential.toJSON();
  } catch {
    // Older browsers have no `toJSON`, and some extensions that keep passkeys break it.
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
