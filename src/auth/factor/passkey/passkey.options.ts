import { keyAlgorithms } from "./passkey.check.ts";
import { passkeyChallengeTtlMs } from "./passkey.challenges.ts";
import type { PasskeyRequest } from "../method.ts";
import type { PasskeyRow } from "./passkey.repository.ts";
import type { RelyingParty } from "./relying.party.ts";

const descriptor = ({ credentialId, transports }: PasskeyRow) => ({
  type: "public-key" as const,
  id: credentialId,
  ...(transports === "" ? {} : { transports: transports.split(" ") }),
});

interface Registrant {
  readonly handle: string;
  readonly name: string;
  readonly displayName: string;
}

/**
 * Returns `PublicKeyCredentialCreationOptionsJSON` for a passkey that its authenticator finds by itself, and gives only to its verified
 * user.
 */
export const creationOptions = (
  { id, name }: RelyingParty,
  { handle, ...user }: Registrant,
  existing: readonly PasskeyRow[],
  challenge: string,
) => ({
  rp: { id, name },
  user: { id: handle, ...user },
  challenge,
  pubKeyCredParams: keyAlgorithms.map((alg) => ({ type: "public-key" as const, alg })),
  timeout: passkeyChallengeTtlMs,
  excludeCredentials: existing.map(descriptor),
  authenticatorSelection: {
    residentKey: "required" as const,
    requireResidentKey: true as const,
    userVerification: "required" as const,
  },
  attestation: "none" as const,
  extensions: { credProps: true as const },
});

/** Returns the options to ask for a passkey. Without `passkeys` the browser offers any that it finds for this service. */
export const requestOptions = (
  { id }: RelyingParty,
  allowed: readonly PasskeyRow[],
  challenge: string,
): PasskeyRequest => ({
  rpId: id,
  challenge,
  timeout: passkeyChallengeTtlMs,
  allowCredentials: allowed.map(descriptor),
  userVerification: "required" as const,
});
