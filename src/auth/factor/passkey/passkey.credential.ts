import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { decodeUtf8 } from "../../../core/text/text.ts";

/** Base64url without padding, as WebAuthn's JSON has all bytes. */
const bytes = (most: number) => Type.String({ maxLength: most, pattern: "^[\\w-]+$" });
/** The length in base64url of 1,023 bytes (WebAuthn, "Credential ID"). */
const credentialIdLength = 1_364;
const clientDataLength = 4_096;
const ofBrowser = {
  id: bytes(credentialIdLength),
  rawId: bytes(credentialIdLength),
  type: Type.Literal("public-key"),
};

/** The fields of WebAuthn's `RegistrationResponseJSON` that are read. Other fields from the browser are dropped. */
export const RegistrationCredential = Type.Object({
  ...ofBrowser,
  response: Type.Object({
    clientDataJSON: bytes(clientDataLength),
    attestationObject: bytes(32_768),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32, pattern: "^[a-z-]+$" }), { maxItems: 8 })),
  }),
});
export type RegistrationCredential = Static<typeof RegistrationCredential>;

/** The fields of WebAuthn's `AuthenticationResponseJSON` that are read. Other fields from the browser are dropped. */
export const AuthenticationCredential = Type.Object({
  ...ofBrowser,
  response: Type.Object({
    clientDataJSON: bytes(clientDataLength),
    authenticatorData: bytes(8_192),
    signature: bytes(2_048),
    userHandle: Type.Optional(Type.Union([bytes(128), Type.Null()])),
  }),
});
export type AuthenticationCredential = Static<typeof AuthenticationCredential>;

/** Returns the value where it has the form of an answer of WebAuthn. */
export const readCredential = <T extends TSchema>(schema: T, value: unknown): Static<T> | undefined =>
  Value.Check(schema, value) ? value : undefined;

const ClientData = Type.Object({
  type: Type.String(),
  challenge: Type.String(),
  origin: Type.String(),
  crossOrigin: Type.Optional(Type.Boolean()),
  topOrigin: Type.Optional(Type.String()),
});
export type ClientData = Static<typeof ClientData>;

/** Returns the browser's word on what it has asked the authenticator for, and on which page. Undefined where the text is no client data. */
export function readClientData(credential: {
  readonly response: { readonly clientDataJSON: string };
}): ClientData | undefined {
  const text = decodeUtf8(Buffer.from(credential.response.clientDataJSON, "base64url"));
  try {
    const value: unknown = JSON.parse(text ?? "");
    return Value.Check(ClientData, value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
