import { keyAlgorithms } from "./passkey.check.ts";
import { passkeyChallengeTtlMs } from "./passkey.challenges.ts";
import type { PasskeyHint, PasskeyRequest } from "../method.ts";
import type { PasskeyRow } from "./passkey.repository.ts";
import type { PasskeyPolicy } from "./passkey.policy.ts";
import type { RelyingParty } from "./relying.party.ts";

const descriptor = ({ credentialId, transports }: PasskeyRow) => ({
  type: "public-key" as const,
  id: credentialId,
  ...(transports === "" ? {} : { transports: transports.split(" ") }),
});

/** Where browsers look for a passkey first (WebAuthn level 3, "User-agent Hints"), by how its authenticator is reached. */
const hintOf: Readonly<Record<string, PasskeyHint>> = {
  internal: "client-device",
  hybrid: "hybrid",
  usb: "security-key",
  nfc: "security-key",
  ble: "security-key",
  "smart-card": "security-key",
};

/** Returns the hints for those passkeys, that of the one used last first. A passkey that can be anywhere gives none. */
function hintsOf(passkeys: readonly PasskeyRow[]): PasskeyHint[] {
  const byUse = passkeys.toSorted((a, b) => (b.lastUsedAt ?? b.createdAt) - (a.lastUsedAt ?? a.createdAt));
  const hints = byUse.flatMap(({ transports }) => transports.split(" ").flatMap((each) => hintOf[each] ?? []));
  return [...new Set(hints)];
}

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
  { attestation }: Pick<PasskeyPolicy, "attestation">,
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
  // Computers and phones say nothing of their model that is taken.
  hints: attestation === "direct" ? ["security-key" as const] : [],
  attestation,
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
  hints: hintsOf(allowed),
  userVerification: "required" as const,
});
