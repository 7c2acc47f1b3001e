import type { FactorFlaw } from "../../../core/flaws.ts";
import {
  readClientData,
  type AuthenticationCredential,
  type ClientData,
  type RegistrationCredential,
} from "./passkey.credential.ts";
import type { FactorRefusal } from "../method.ts";
import type { PasskeyPolicy } from "./passkey.policy.ts";
import type { RelyingParty } from "./relying.party.ts";
import type { Assertion, NewPasskey, PasskeyRow } from "./passkey.repository.ts";

/** COSE algorithms of new keys, the preferred ones first: Ed25519, ECDSA on P-256, and RSA for Windows Hello. */
export const keyAlgorithms = [-8, -7, -257] as const;
/** An RSA key of 4,096 bits with room to spare: a huge key makes each check of a signature slow. */
const mostKeyBytes = 640;
const mostAuthenticatorData = 4_096;

const decoded = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const sha256 = (text: string): Buffer => Buffer.from(new Bun.CryptoHasher("sha256").update(text).digest());

/** What a browser was given to make a passkey by. `isOffered`: it was to make one by itself, where nobody need be present or verified. */
interface Given {
  readonly challenge: string;
  readonly isOffered: boolean;
}

/** The library is loaded at its first use: it takes a while, and a service without passkeys never needs it. */
async function library() {
  const [server, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { ...server, ...helpers };
}

/**
 * Checks what authenticators have signed. The library verifies all of it. Some checks come before the library's, so that each refusal has a
 * reason of a closed set; and one is made only here, since the library lets it pass: pages inside pages of other origins.
 */
export function createPasskeyChecks(
  { id: rpId, accepts }: Pick<RelyingParty, "id" | "accepts">,
  { allows }: Pick<PasskeyPolicy, "allows">,
) {
  const rpIdHash = sha256(rpId);

  function flawOfClient(data: ClientData | undefined, type: string): FactorFlaw | undefined {
    if (data === undefined) return "malformed_credential";
    if (data.type !== type) return "wrong_ceremony";
    if (data.crossOrigin === true || data.topOrigin !== undefined) return "cross_origin";
    return accepts(data.origin) ? undefined : "wrong_origin";
  }

  /** The origin that a page was found to be of, for the library, which compares it with itself. */
  const foundOrigin = (credential: Parameters<typeof readClientData>[0]): string =>
    readClientData(credential)?.origin ?? "";

  function flawOfAuthenticator(data: Uint8Array, isOffered = false): FactorFlaw | undefined {
    if (data.byteLength < 37 || data.byteLength > mostAuthenticatorData) return "malformed_credential";
    if (!rpIdHash.equals(data.subarray(0, 32))) return "wrong_rp_id";
    const flags = data[32] ?? 0;
    const [isPresent, isVerified] = [(flags & 1) !== 0, (flags & 4) !== 0];
    return isOffered || (isPresent && isVerified) ? undefined : "not_verified";
  }

  /** Reads a new passkey. Throws for a text that is no attestation object, and for another challenge or algorithm. */
  async function read(
    credential: RegistrationCredential,
    { challenge, isOffered }: Given,
  ): Promise<NewPasskey | FactorRefusal> {
    const { decodeAttestationObject, isoCBOR, verifyRegistrationResponse } = await library();
    const { clientDataJSON, attestationObject, transports = [] } = credential.response;
    const object = decodeAttestationObject(decoded(attestationObject));
    const authData = object.get("authData");
    const flaw = flawOfAuthenticator(authData, isOffered);
    if (flaw !== undefined) return { refused: flaw };
    const verify = (shown: string) =>
      verifyRegistrationResponse({
        response: {
          ...credential,
          clientExtensionResults: {},
          response: { clientDataJSON, attestationObject: shown },
        },
        expectedChallenge: challenge,
        expectedOrigin: foundOrigin(credential),
        expectedRPID: rpId,
        supportedAlgorithmIDs: [...keyAlgorithms],
        requireUserPresence: !isOffered,
        requireUserVerification: !isOffered,
      });
    // Unless the policy asks for it, no certificate is read. No address in one is ever called.
    const unattested = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    const { registrationInfo } = await verify(encoded(isoCBOR.encode(unattested)));
    if (registrationInfo === undefined) return { refused: "malformed_credential" };
    const { aaguid, credential: made, credentialDeviceType, credentialBackedUp } = registrationInfo;
    if (made.id !== credential.id || made.publicKey.byteLength > mostKeyBytes)
      return { refused: "malformed_credential" };
    const statement = { format: object.get("fmt"), certificates: object.get("attStmt").get("x5c") };
    const isSigned = async (): Promise<boolean> => {
      try {
        return (await verify(attestationObject)).verified;
      } catch {
        return false;
      }
    };
    if (!(await allows(aaguid, statement, isSigned))) return { refused: "authenticator_not_allowed" };
    return {
      credentialId: made.id,
      publicKey: encoded(made.publicKey),
      counter: made.counter,
      aaguid,
      transports,
      backupEligible: credentialDeviceType === "multiDevice",
      backedUp: credentialBackedUp,
    };
  }

  return {
    /** Checks a registration and returns the new passkey. The caller checks that the challenge was given to this browser. */
    async registered(credential: RegistrationCredential, given: Given): Promise<NewPasskey | FactorRefusal> {
      const flaw = flawOfClient(readClientData(credential), "webauthn.create");
      if (flaw !== undefined) return { refused: flaw };
      try {
        return await read(credential, given);
      } catch {
        return { refused: "malformed_credential" };
      }
    },

    /** Checks the answer of a sign-in. A counter that fell back is told only where the authenticator has really signed. */
    async asserted(
      credential: AuthenticationCredential,
      passkey: Pick<PasskeyRow, "credentialId" | "publicKey" | "counter" | "handle" | "name">,
      challenge: string,
    ): Promise<Assertion | FactorRefusal> {
      const { userHandle, ...signed } = credential.response;
      const flaw =
        flawOfClient(readClientData(credential), "webauthn.get") ??
        flawOfAuthenticator(decoded(signed.authenticatorData));
      if (flaw !== undefined) return { refused: flaw };
      if (typeof userHandle === "string" && userHandle !== passkey.handle) return { refused: "foreign_user_handle" };
      const { verifyAuthenticationResponse } = await library();
      try {
        const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
          response: { ...credential, clientExtensionResults: {}, response: signed },
          expectedChallenge: challenge,
          expectedOrigin: foundOrigin(credential),
          expectedRPID: rpId,
          // The counter is given as 0, because the library compares counters before it looks at the signature.
          credential: { id: passkey.credentialId, publicKey: decoded(passkey.publicKey), counter: 0 },
        });
        if (!verified) return { refused: "wrong_signature" };
        const { newCounter: counter, credentialDeviceType, credentialBackedUp: backedUp } = info;
        const isCounting = counter > 0 || passkey.counter > 0;
        if (isCounting && counter <= passkey.counter) return { refused: "counter_fell_back", passkey: passkey.name };
        return { counter, backupEligible: credentialDeviceType === "multiDevice", backedUp };
      } catch {
        return { refused: "wrong_signature" };
      }
    },
  };
}

export type PasskeyChecks = ReturnType<typeof createPasskeyChecks>;
