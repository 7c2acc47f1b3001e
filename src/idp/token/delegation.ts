import { Type, type Static } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";

/** What a person has let a client have. It lies in the session's row, as JSON. */
const Delegation = Type.Object({
  scope: Type.String(),
  /** The resource servers that access tokens are for (RFC 8707). */
  resources: Type.Array(Type.String()),
  /** Claims that were granted by their names, besides those of scopes (OpenID Connect Core §5.5). */
  id_token: Type.Optional(Type.Array(Type.String())),
  userinfo: Type.Optional(Type.Array(Type.String())),
  /** The thumbprint of the key that tokens are bound to (RFC 9449). */
  jkt: Type.Optional(Type.String()),
});
export type Delegation = Readonly<Static<typeof Delegation>>;

export const writeDelegation = (delegation: Delegation): string => JSON.stringify(delegation);

export function readDelegation(text: string | null): Delegation {
  const delegation = text === null ? undefined : jsonAs(Delegation, text);
  if (delegation === undefined) throw new Error("what a program was granted is not readable");
  return delegation;
}
