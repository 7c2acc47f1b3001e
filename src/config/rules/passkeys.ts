import { thatHold, type Judged } from "./judged.ts";

/** Finds settings of which passkeys are taken that contradict each other. */
export function passkeyProblems({ reader, config: { auth } }: Judged): readonly string[] {
  const isAsked = auth.passkeyAttestation === "direct";
  return thatHold([
    isAsked &&
      auth.passkeyAaguids.length === 0 &&
      "AUTH_PASSKEY_ATTESTATION=direct needs AUTH_PASSKEY_AAGUIDS: without models no passkey could be added",
    ...(["AUTH_PASSKEY_AAGUIDS", "AUTH_PASSKEY_ROOTS"] as const).map(
      (name) =>
        !isAsked &&
        reader.isSet(name) &&
        `${name} is looked at with AUTH_PASSKEY_ATTESTATION=direct alone: set that too`,
    ),
  ]);
}

/** Warns of a policy that can be got round. */
export const passkeyPolicyWarnings = ({ config: { auth } }: Judged): readonly string[] =>
  thatHold([
    auth.passkeyAttestation === "direct" &&
      auth.passkeyRoots === undefined &&
      "AUTH_PASSKEY_ATTESTATION=direct without AUTH_PASSKEY_ROOTS: a program that pretends to be one of the models is believed",
  ]);
