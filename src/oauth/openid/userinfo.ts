import { Type, type Static } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ExchangeFailure } from "../exchange/failure.ts";
import { readJson, type Outbound } from "../exchange/outbound.ts";

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Userinfo = Type.Object({
  sub: Type.String(),
  email: optionalText,
  email_verified: Type.Optional(Type.Union([Type.Boolean(), Type.String(), Type.Null()])),
  name: optionalText,
  preferred_username: optionalText,
  picture: optionalText,
});
export type Userinfo = Static<typeof Userinfo>;

/**
 * Asks what the provider tells of the user besides the ID token (OpenID Connect Core §5.3). The answer must be about the same subject: one
 * about somebody else would give that person's address to the account. Rejects with ExchangeFailure.
 */
export async function askUserinfo(
  send: Outbound,
  url: string,
  accessToken: string,
  subject: string,
): Promise<Userinfo> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const info = readJson(await send(url, { method: "GET", headers }));
  if (!Value.Check(Userinfo, info)) throw new ExchangeFailure("provider_response_invalid");
  if (info.sub !== subject) throw new ExchangeFailure("userinfo_subject");
  return info;
}
