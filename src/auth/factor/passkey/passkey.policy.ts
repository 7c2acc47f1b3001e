import type { X509Certificate } from "node:crypto";
import type { Config } from "../../../config/index.ts";
import { nodeCrypto } from "../../../core/crypto.ts";
import type { Clock } from "../../../core/clock.ts";

interface PasskeyPolicyOptions {
  readonly config: Pick<Config["auth"], "passkeyOffer" | "passkeyAttestation" | "passkeyAaguids" | "passkeyRoots">;
  readonly clock: Clock;
}

/** What an authenticator says of itself (WebAuthn, "Attestation Statement"): its format, and certificates in DER, its own one first. */
interface Statement {
  readonly format: string;
  readonly certificates: unknown;
}

/** Makers have a root and at most two authorities below it. */
const longestChain = 4;

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

/** Returns the certificates; none for what can't be read as certificates. */
function read(certificates: unknown): readonly X509Certificate[] {
  if (!Array.isArray(certificates) || certificates.length > longestChain || !certificates.every(isBytes)) return [];
  const { X509Certificate: Certificate } = nodeCrypto();
  try {
    const found = certificates.map((each) => new Certificate(each));
    // A certificate as text would be found within another one, which is what the library reads: the signature would be checked by its key.
    return found.every(({ raw }, at) => raw.equals(certificates[at] ?? new Uint8Array())) ? found : [];
  } catch {
    return [];
  }
}

const isIssued = (certificate: X509Certificate, { by }: { readonly by: X509Certificate }): boolean =>
  by.ca && certificate.checkIssued(by) && certificate.verify(by.publicKey);

/** Which authenticators may make passkeys: any, or those of certain models, whose makers' certificates show that they are. */
export function createPasskeyPolicy({ config, clock }: PasskeyPolicyOptions) {
  const isAsked = config.passkeyAttestation === "direct";
  const models = new Set(config.passkeyAaguids);
  const { passkeyRoots: pems } = config;

  const isValid = ({ validFrom, validTo }: X509Certificate): boolean =>
    Date.parse(validFrom) <= clock.now() && clock.now() <= Date.parse(validTo);

  /** Whether each certificate is issued by the next one, and the last by a maker that the operator trusts, if any is named. */
  function isVouchedFor(chain: readonly X509Certificate[]): boolean {
    const last = chain.at(-1);
    if (last === undefined || !chain.every(isValid)) return false;
    const isChain = chain.every((each, at) => {
      const by = chain[at + 1];
      return by === undefined || isIssued(each, { by });
    });
    if (!isChain || pems === undefined) return isChain;
    const roots = pems.map((pem) => new (nodeCrypto().X509Certificate)(pem)).filter(isValid);
    return roots.some((root) => root.raw.equals(last.raw) || isIssued(last, { by: root }));
  }

  return {
    /** What browsers are to hand on of what an authenticator says of itself. */
    attestation: config.passkeyAttestation,

    /** Whether browsers may make a passkey by themselves: such a one comes without a word on its authenticator. */
    offers: config.passkeyOffer && !isAsked,

    /** Whether a new passkey may come from that model. `isSigned` checks the signature of the statement. */
    async allows(
      model: string,
      { format, certificates }: Statement,
      isSigned: () => Promise<boolean>,
    ): Promise<boolean> {
      if (!isAsked) return true;
      // Other formats vouch for computers and phones, and the library would ask the hosts that their certificates name.
      if (!models.has(model) || format !== "packed") return false;
      return isVouchedFor(read(certificates)) && isSigned();
    },
  };
}

export type PasskeyPolicy = ReturnType<typeof createPasskeyPolicy>;
