import { authorities } from "../kinds/keys.ts";
import { choice, domain, flag, list, origins, type Kind } from "../kinds/kinds.ts";
import { variablesOf, type Section } from "../kinds/variable.ts";

const secondFactors = variablesOf("Second factors");

const aaguid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

/** Models of authenticators, by the numbers that their makers give them. */
const aaguids: Kind<readonly string[]> = {
  complaint: (value) =>
    list.read(value).every((each) => aaguid.test(each))
      ? undefined
      : "must be AAGUIDs such as 2fc0579f-8113-47ea-b116-bb5a8db9202a, with commas between",
  read: (value) => list.read(value).map((each) => each.toLowerCase()),
  lines: "items",
};

export const passkeyVariables = {
  webauthnRpId: secondFactors("AUTH_WEBAUTHN_RP_ID", domain, {
    optional: true,
    description:
      "Whom passkeys are made for: the host of APP_URL, which is the default, or a parent of it, so that both apps take the same ones. A change makes passkeys useless",
  }),
  webauthnOrigins: secondFactors("AUTH_WEBAUTHN_ORIGINS", origins, {
    fallback: "",
    description:
      "Origins besides APP_URL whose pages may use passkeys, comma-separated; https outside local and testing. Those of other domains than AUTH_WEBAUTHN_RP_ID are listed at /.well-known/webauthn",
  }),
  passkeyOffer: secondFactors("AUTH_PASSKEY_OFFER", flag, {
    fallback: "true",
    description:
      "Whether browsers that can are asked to make a passkey by themselves, once a month, after a password and a second factor. Not with AUTH_PASSKEY_ATTESTATION=direct",
  }),
  passkeyAttestation: secondFactors("AUTH_PASSKEY_ATTESTATION", choice("none", "direct"), {
    fallback: "none",
    description:
      "direct: new passkeys are taken from the models of AUTH_PASSKEY_AAGUIDS alone, which have to prove what they are",
  }),
  passkeyAaguids: secondFactors("AUTH_PASSKEY_AAGUIDS", aaguids, {
    fallback: "",
    description: "The models of authenticators that AUTH_PASSKEY_ATTESTATION=direct takes, as AAGUIDs, comma-separated",
  }),
  passkeyRoots: secondFactors("AUTH_PASSKEY_ROOTS", authorities, {
    optional: true,
    description:
      "Certificates by which their makers vouch for those models, in PEM, one after the other; without them a model is believed what it says of itself",
  }),
} as const satisfies Section;
