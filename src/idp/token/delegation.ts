import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

/** A claim that a client asks for by name (OpenID Connect Core §5.5). */
const Wanted = Type.Record(Type.String(), Type.Unknown());

/** What a person has let a client have. It lies in the session's row, as JSON. */
const Delegation = Type.Object({
  scope: Type.String(),
  /** The resource servers that access tokens are for (RFC 8707). */
  resources: Type.Array(Type.String()),
  /** Claims that were asked for by name, besides those of scopes. */
  id_token: Type.Optional(Wanted),
  userinfo: Type.Optional(Wanted),
  /** The thumbprint of the key that tokens are bound to (RFC 9449). */
  jkt: Type.Optional(Type.String()),
});
export type Delegation = Readonly<Static<typeof Delegation>>;

export const writeDelegation = (delegation: Delegation): string => JSON.stringify(delegation);

export function readDelegation(text: string | null): Delegation {
  const parsed: unknown = JSON.parse(text ?? "null");
  if (!Value.Check(Delegation, parsed)) throw new Error("what a program was granted is not readable");
  return parsed;
}
