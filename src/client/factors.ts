import type { FactorName, Timestamp } from "./model.ts";

/** What somebody shows: a `code`, or as `credential` what `getPasskey` resolves to. */
export interface FactorAnswer {
  method: FactorName;
  code?: string;
  credential?: object;
}

/** What a sign-in waits for. */
export interface LoginChallenge {
  /** The second factors of the account. */
  methods: FactorName[];
  /** Seconds that are left. */
  expires_in: number;
  /** For `getPasskey`, where `methods` has `passkey`. */
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
  /** Whether its provider keeps it on other devices, too. */
  synced: boolean;
  /** How its authenticator is reached, such as `internal` or `usb`. */
  transports: string[];
  /** The domain that it works for. */
  rp_id: string;
}

/** What `createPasskey` takes, and `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export interface PasskeyCreationOptions {
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: "public-key"; alg: number }[];
  timeout: number;
  excludeCredentials: PasskeyDescriptor[];
  authenticatorSelection: { residentKey: "required"; requireResidentKey: true; userVerification: "required" };
  attestation: "none";
  extensions: { credProps: true };
}

/** What `getPasskey` takes, and `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export interface PasskeyRequestOptions {
  rpId: string;
  challenge: string;
  timeout: number;
  allowCredentials: PasskeyDescriptor[];
  userVerification: "required";
}

/** What a browser has made, as JSON. */
export interface NewPasskey {
  id: string;
  rawId: string;
  type: "public-key";
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** What a passkey has signed, as JSON. */
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

/** For an authenticator app: each of the three holds the same secret. */
export interface TotpSetup {
  /** For people who type it, in base32. */
  secret: string;
  otpauth_uri: string;
  /** A QR code of the address. */
  qr_svg: string;
}

export interface PasskeyUse {
  /** Asks for nothing by itself, but waits until somebody picks a passkey among what the browser offers for a field. */
  isAutofill?: boolean;
  /** Ends the wait with the code `aborted`. A browser waits for one passkey at a time. */
  signal?: AbortSignal;
}
