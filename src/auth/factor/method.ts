import type { Occurrence } from "../../core/audit.ts";
import type { FactorFlaw } from "../../core/flaws.ts";
import type { Job } from "../../core/job.ts";
import type { Statement } from "../../drivers/database/index.ts";
import type { Client } from "../client.ts";
import type { UserRow } from "../user/user.repository.ts";

export const factorNames = ["totp", "recovery_code", "passkey"] as const;
export type FactorName = (typeof factorNames)[number];

/** The bits of `users.factors`. Recovery codes have no bit: they exist only beside another factor. */
export const factorBits = { totp: 1, passkey: 2 } as const satisfies Partial<Record<FactorName, number>>;

export interface FactorAnswer {
  readonly method: FactorName;
  readonly code?: string | undefined;
  readonly credential?: unknown;
}

/** A right answer, with the guards that use it up (a time step, a code, a counter), so that it counts once. */
export interface FactorProof {
  readonly guards: readonly Statement[];
  readonly jobs?: readonly Job[];
  readonly tell?: readonly Occurrence[];
}

export interface FactorRefusal {
  readonly refused: FactorFlaw;
  /** The owner's name for the passkey, where the refusal is told to them. */
  readonly passkey?: string;
  /** Statements that note what staff learn of the answer. */
  readonly notes?: readonly Statement[];
}

export interface FactorContext {
  /** The challenge that this sign-in or session has given the browser, for passkeys. */
  readonly webauthnChallenge: string | undefined;
  readonly client: Client;
}

export type PasskeyHint = "security-key" | "client-device" | "hybrid";

/** Options for a browser that asks for a passkey: `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export interface PasskeyRequest {
  rpId: string;
  challenge: string;
  timeout: number;
  /** Passkeys to ask for. Where the list is empty the browser offers those that it finds for this service. */
  allowCredentials: { type: "public-key"; id: string; transports?: string[] }[];
  /** Where to look for them, the likeliest place first. */
  hints: PasskeyHint[];
  userVerification: "required";
}

export interface FactorMethod {
  readonly name: FactorName;
  /** Returns whether the account has the factor. Makes no query where `user.factors` is 0. */
  isSetUp(user: UserRow): Promise<boolean>;
  /** Checks an answer. Writes nothing: the guards of the proof go into the batch that opens the session or renews its proof. */
  check(user: UserRow, answer: FactorAnswer, context: FactorContext): Promise<FactorProof | FactorRefusal>;
  /** Only for passkeys: returns options made with this challenge. */
  options?(user: UserRow, webauthnChallenge: string): Promise<PasskeyRequest>;
}
