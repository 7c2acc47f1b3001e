import type { Clock } from "../../../core/clock.ts";
import { factorBits, type FactorMethod } from "../method.ts";
import type { PasskeyChecks } from "./passkey.check.ts";
import { AuthenticationCredential, readClientData, readCredential } from "./passkey.credential.ts";
import { requestOptions } from "./passkey.options.ts";
import type { PasskeyRepository } from "./passkey.repository.ts";
import type { RelyingParty } from "./relying.party.ts";

interface PasskeyMethodOptions {
  readonly party: RelyingParty;
  readonly passkeys: PasskeyRepository;
  readonly checks: PasskeyChecks;
  readonly clock: Clock;
}

/** A passkey as the second factor of an account that is known already. */
export function createPasskeyMethod({ party, passkeys, checks, clock }: PasskeyMethodOptions): FactorMethod {
  const usable = async (userId: string) => (await passkeys.list(userId)).filter(({ rpId }) => rpId === party.id);

  return {
    name: "passkey",

    isSetUp: async ({ id, factors }) => (factors & factorBits.passkey) !== 0 && (await usable(id)).length > 0,

    async check(user, answer, { webauthnChallenge }) {
      const credential = readCredential(AuthenticationCredential, answer.credential);
      if (credential === undefined) return { refused: "malformed_credential" };
      if (webauthnChallenge === undefined || readClientData(credential)?.challenge !== webauthnChallenge)
        return { refused: "challenge_unknown" };
      const passkey = await passkeys.byCredential(credential.id);
      if (passkey === undefined || passkey.userId !== user.id) return { refused: "unknown_credential" };
      const assertion = await checks.asserted(credential, passkey, webauthnChallenge);
      return "refused" in assertion ? assertion : { guards: [passkeys.used(passkey, assertion, clock.now())] };
    },

    options: async (user, webauthnChallenge) => requestOptions(party, await usable(user.id), webauthnChallenge),
  };
}
