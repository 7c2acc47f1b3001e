import type { FactorName, Timestamp } from "./model.ts";

/** A proof by one second factor: a typed `code`, or the `credential` that `getPasskey` resolves to. */
export interface FactorAnswer {
  method: FactorName;
  code?: string;
  credential?: object;
}

/** The second step that a sign-in waits for. */
export interface LoginChallenge {
  /** The second factors of the account. */
  methods: FactorName[];
  /** Seconds until the challenge ends. */
  expires_in: number;
  /** Options for `getPasskey`; present where `methods` has `passkey`. */
  passkey_options?: PasskeyRequestOptions;
}

/** The user's second factors. */
export interface Mfa {
  /** Whether an authenticator app is set up. */
  totp: boolean;
  passkeys: Passkey[];
  recovery_codes_left: number;
}

export interface Passkey {
  id: string;
  name: string;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  /** Whether its provider also keeps it on other devices. */
  synced: boolean;
  /** How its authenticator is reached, such as `internal` or `usb`. */
  transports: string[];
  /** The domain that it works for. */
  rp_id: string;
}

/** Where a browser looks for a passkey first. */
export type PasskeyHint = "security-key" | "client-device" | "hybrid";

/** Options for `createPasskey` and for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  timeout: number;
  excludeCredentials: PasskeyDescriptor[];
  authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "required" };
  hints: PasskeyHint[];
  attestation: "none" | "direct";
  extensions: { credProps: true };
}

/** Options for `offerPasskey`, by which the browser makes a passkey by itself. */
export interface PasskeyOffer extends Omit<PasskeyCreationOptions, "authenticatorSelection" | "attestation"> {
  authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "preferred" };
  attestation: "none";
}

/** Options for `getPasskey` and for `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  rpId: string;
  challenge: string;
  timeout: number;
  allowCredentials: PasskeyDescriptor[];
  hints: PasskeyHint[];
  userVerification: "required";
}

/** The passkeys of an account and its names, for `tellPasskeys`: a browser passes them on to those who keep the passkeys. */
export interface PasskeySignal {
  rpId: string;
  userId: string;
  allAcceptedCredentialIds: string[];
  name: string;
  displayName: string;
}

/** A new passkey as the browser writes it in JSON. */
export interface NewPasskey {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** An answer that a passkey has signed, as JSON. */
export interface PasskeyAnswer {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; authenticatorData: string; signature: string; userHandle?: string | null };
}

export interface PasskeyDescriptor {
  type: "public-key";
  id: string;
  transports?: string[];
}

/** A new authenticator app. The three fields hold one secret in three forms. */
export interface TotpSetup {
  /** The secret in base32, for people who type it. */
  secret: string;
  otpauth_uri: string;
  /** The `otpauth_uri` as a QR code. */
  qr_svg: string;
}

export interface PasskeyUse {
  /** Opens no dialog: waits until somebody picks a passkey from the suggestions that the browser shows at a field. */
  isAutofill?: boolean;
  /** Ends the wait with the code `aborted`. A browser waits for one passkey at a time. */
  signal?: AbortSignal;
}
