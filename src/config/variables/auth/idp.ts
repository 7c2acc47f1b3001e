import { documentHosts } from "../kinds/document.hosts.ts";
import { choice, flag } from "../kinds/kinds.ts";
import { rsaKey, rsaPublicKeys } from "../kinds/keys.ts";
import { variablesOf, type Section } from "../kinds/variable.ts";

const provider = variablesOf("OAuth and OpenID provider");

export const idpVariables = {
  enabled: provider("IDP_ENABLED", flag, {
    otherwise: ({ local }) => String(local),
    description:
      "Lets other programs sign people in here, by OAuth 2.1 and OpenID Connect; needs API_JWT_PRIVATE_KEY and IDP_RSA_PRIVATE_KEY outside local. true locally, else false",
  }),
  rsaPrivateKey: provider("IDP_RSA_PRIVATE_KEY", rsaKey, {
    optional: true,
    description:
      "Signs ID tokens with RS256: an RSA key of 2048 to 4096 bits in PEM (PKCS #8), its line breaks as they are or written \\n. Made locally when it is first needed",
    secret: true,
  }),
  previousRsaPublicKeys: provider("IDP_PREVIOUS_RSA_PUBLIC_KEYS", rsaPublicKeys, {
    fallback: "",
    description:
      "Public halves of earlier and of coming RSA keys, in PEM, one after the other: they verify and are published but never sign",
  }),
  clientMetadataDocuments: provider("IDP_CLIENT_METADATA_DOCUMENTS", documentHosts, {
    fallback: "off",
    description:
      "Whether a program that nobody has registered may name itself by the https address of a document about it, as agents do: off, any, or the hosts of such documents, comma-separated; locally a loopback host that is named may be plain http",
  }),
  registration: provider("IDP_REGISTRATION", choice("off", "token", "open"), {
    fallback: "off",
    description:
      "Whether programs may register themselves (RFC 7591): off, token for those that an operator has given one, or open to everybody",
  }),
} as const satisfies Section;
