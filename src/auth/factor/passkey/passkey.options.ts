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

/** What both kinds of new passkeys share: their authenticator finds them by itself. */
const creation = (
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
  extensions: { credProps: true as const },
});
const found = { residentKey: "required" as const, requireResidentKey: true as const };

/**
 * Returns `PublicKeyCredentialCreationOptionsJSON` for a passkey that its authenticator finds by itself, and gives only to its verified
 * user.
 */
export const creationOptions = (
  { attestation }: Pick<PasskeyPolicy, "attestation">,
  ...about: Parameters<typeof creation>
) => ({
  ...creation(...about),
  authenticatorSelection: { ...found, userVerification: "required" as const },
  // Computers and phones say nothing of their model that is taken.
  hints: attestation === "direct" ? ["security-key" as const] : [],
  attestation,
});

/**
 * Returns the same for a passkey that the browser makes by itself (WebAuthn level 3, `conditionalCreate`), so that nobody may be there to
 * be verified or to be asked for the model.
 */
export const offerOptions = (...about: Parameters<typeof creation>) => ({
  ...creation(...about),
  authenticatorSelection: { ...found, userVerification: "preferred" as const },
  hints: [],
  attestation: "none" as const,
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
