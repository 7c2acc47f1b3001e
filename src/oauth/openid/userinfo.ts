import { Type, type Static } from "@sinclair/typebox";
import { ExchangeFailure } from "../exchange/failure.ts";
import { readJson, type Outbound } from "../exchange/outbound.ts";
import { shaped } from "../exchange/shape.ts";

const Userinfo = Type.Object({
  sub: Type.String(),
  email: Type.Optional(Type.String()),
  email_verified: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  name: Type.Optional(Type.String()),
  preferred_username: Type.Optional(Type.String()),
  picture: Type.Optional(Type.String()),
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
  const answer = readJson(await send(url, { method: "GET", headers }));
  const info = shaped(Userinfo, answer, "provider_response_invalid");
  if (info.sub !== subject) throw new ExchangeFailure("userinfo_subject");
  return info;
}
