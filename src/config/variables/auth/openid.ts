import { accepts, productName, text, urlText, type Kind } from "../kinds/kinds.ts";
import { variablesOf, type Named } from "../kinds/variable.ts";

const oauth = variablesOf("OAuth");

const splitScopes = (value: string): readonly string[] => value.split(" ").filter((scope) => scope !== "");
/** The characters of a scope (RFC 6749 §3.3). */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const scopes: Kind<readonly string[]> = {
  complaint: accepts((value) => {
    const words = splitScopes(value);
    return words.includes("openid") && words.every((word) => scopeToken.test(word));
  }, "must be scopes separated by spaces, openid among them"),
  read: splitScopes,
};

/** Turns ACME_LOGIN into "Acme Login". */
const nameInWords = (name: string): string =>
  name
    .split("-")
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(" ");

/** Variables of any OpenID provider, whose addresses come from discovery. It is present once issuer, client id and secret name it. */
export const openIdVariables = {
  prefix: "AUTH_OIDC",
  what: "provider",
  each: {
    issuer: oauth("AUTH_OIDC_<NAME>_ISSUER", urlText, {
      description:
        "Makes an OpenID provider of that name: its issuer to the letter, as its discovery document says it. https outside local and testing",
    }),
    clientId: oauth("AUTH_OIDC_<NAME>_CLIENT_ID", text, { description: "Its client id" }),
    clientSecret: oauth("AUTH_OIDC_<NAME>_CLIENT_SECRET", text, {
      description: "Its client secret",
      secret: true,
    }),
    scopes: oauth("AUTH_OIDC_<NAME>_SCOPES", scopes, {
      fallback: "openid email profile",
      description: "What it is asked for, separated by spaces, openid among them",
    }),
    displayName: oauth("AUTH_OIDC_<NAME>_DISPLAY_NAME", productName, {
      otherwise: ({ resource }) => nameInWords(resource),
      description: "What people call it: stands on its button and in mails. Its name in words",
    }),
  },
} as const satisfies Named;
