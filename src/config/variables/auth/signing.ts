import { publicKeys, signingKey } from "../kinds/keys.ts";
import { list, text } from "../kinds/kinds.ts";
import { variablesOf, type Section } from "../kinds/variable.ts";

const tokensAndCookies = variablesOf("Tokens and cookies");

export const signingVariables = {
  jwtSecret: tokensAndCookies("API_JWT_SECRET_KEY", text, {
    description:
      "Signs refresh tokens, and access tokens where no private key does; at least 32 bytes. Generated locally",
    secret: true,
  }),
  jwtPreviousSecrets: tokensAndCookies("API_JWT_PREVIOUS_SECRET_KEYS", list, {
    fallback: "",
    description:
      "Earlier signing keys, comma-separated, in a file one a line: they verify but never sign, so that a key change signs nobody out",
    secret: true,
  }),
  jwtPrivateKey: tokensAndCookies("API_JWT_PRIVATE_KEY", signingKey, {
    optional: true,
    description:
      "Signs access tokens in place of API_JWT_SECRET_KEY, for other programs to verify: an Ed25519 or P-256 key in PEM (PKCS #8), its line breaks as they are or written \\n",
    secret: true,
  }),
  jwtPreviousPublicKeys: tokensAndCookies("API_JWT_PREVIOUS_PUBLIC_KEYS", publicKeys, {
    fallback: "",
    description:
      "Public halves of earlier and of coming private keys, in PEM, one after the other: they verify and are published but never sign",
  }),
} as const satisfies Section;
