import { minute } from "../../../core/clock.ts";
import { p256Key } from "../kinds/keys.ts";
import { duration, microsoftTenant, text, urlText, accepts, productName, type Kind } from "../kinds/kinds.ts";
import { variablesOf, whenSet, type Circumstances, type Section, type Named } from "../kinds/variable.ts";

const oauth = variablesOf("OAuth");
const secret = <const Name extends string>(name: Name, kind: Kind<string>, description: string) =>
  oauth(name, kind, { secret: true, description });

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
    clientSecret: secret("AUTH_OIDC_<NAME>_CLIENT_SECRET", text, "Its client secret"),
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

const addressOf =
  (what: string) =>
  <const Name extends string>(name: Name, provider: string, fallback: string) =>
    oauth(name, urlText, { fallback, description: `${provider}: ${what}` });
const browserSentTo = addressOf("where the browser is sent");
const codeExchangedAt = addressOf("where the code is exchanged");
const keysAt = addressOf("the keys that ID tokens are signed with");
const issuedBy = addressOf("who ID tokens must be from");

/** An address of the tenant that a setting names. */
const ofTenant =
  (path: string) =>
  ({ text }: Circumstances): string =>
    `https://login.microsoftonline.com/${text("AUTH_OAUTH_MICROSOFT_TENANT")}/${path}`;

/**
 * Variables of the built-in providers. A provider is present only with its client id and the proof that the client is ours. Its addresses
 * are for gateways, GitHub Enterprise and tests. They are kept as written, because issuers are compared character by character.
 */
export const oauthVariables = {
  stateTtlMs: oauth("AUTH_OAUTH_STATE_TTL", duration(1, 10 * minute), {
    fallback: "10m",
    description: "How long a sign-in that was sent to a provider may take to come back, 10m at most",
  }),
  github: whenSet(["clientId", "clientSecret"], {
    clientId: oauth("AUTH_OAUTH_GITHUB_CLIENT_ID", text, { description: "GitHub: the OAuth app's client id" }),
    clientSecret: secret("AUTH_OAUTH_GITHUB_CLIENT_SECRET", text, "GitHub: its client secret"),
    authUrl: browserSentTo("AUTH_OAUTH_GITHUB_AUTH_URL", "GitHub", "https://github.com/login/oauth/authorize"),
    tokenUrl: codeExchangedAt("AUTH_OAUTH_GITHUB_TOKEN_URL", "GitHub", "https://github.com/login/oauth/access_token"),
    userinfoUrl: oauth("AUTH_OAUTH_GITHUB_USERINFO_URL", urlText, {
      fallback: "https://api.github.com/user",
      description: "GitHub: who the user is",
    }),
    emailsUrl: oauth("AUTH_OAUTH_GITHUB_EMAILS_URL", urlText, {
      fallback: "https://api.github.com/user/emails",
      description: "GitHub: the user's addresses",
    }),
    issuer: oauth("AUTH_OAUTH_GITHUB_ISSUER", urlText, {
      fallback: "https://github.com/login/oauth",
      description: "GitHub: whose user ids these are; another one for GitHub Enterprise",
    }),
  }),
  google: whenSet(["clientId", "clientSecret"], {
    clientId: oauth("AUTH_OAUTH_GOOGLE_CLIENT_ID", text, { description: "Google: the client id" }),
    clientSecret: secret("AUTH_OAUTH_GOOGLE_CLIENT_SECRET", text, "Google: the client secret"),
    authUrl: browserSentTo("AUTH_OAUTH_GOOGLE_AUTH_URL", "Google", "https://accounts.google.com/o/oauth2/v2/auth"),
    tokenUrl: codeExchangedAt("AUTH_OAUTH_GOOGLE_TOKEN_URL", "Google", "https://oauth2.googleapis.com/token"),
    jwksUrl: keysAt("AUTH_OAUTH_GOOGLE_JWKS_URL", "Google", "https://www.googleapis.com/oauth2/v3/certs"),
    issuer: issuedBy("AUTH_OAUTH_GOOGLE_ISSUER", "Google", "https://accounts.google.com"),
  }),
  microsoft: whenSet(["clientId", "clientSecret"], {
    clientId: oauth("AUTH_OAUTH_MICROSOFT_CLIENT_ID", text, { description: "Microsoft: the application id" }),
    clientSecret: secret("AUTH_OAUTH_MICROSOFT_CLIENT_SECRET", text, "Microsoft: the client secret"),
    tenant: oauth("AUTH_OAUTH_MICROSOFT_TENANT", microsoftTenant, {
      fallback: "common",
      description: "Microsoft: who may sign in: common, organizations, consumers or the id of one tenant",
    }),
    authUrl: oauth("AUTH_OAUTH_MICROSOFT_AUTH_URL", urlText, {
      otherwise: ofTenant("oauth2/v2.0/authorize"),
      description: "Microsoft: where the browser is sent. The tenant's own",
    }),
    tokenUrl: oauth("AUTH_OAUTH_MICROSOFT_TOKEN_URL", urlText, {
      otherwise: ofTenant("oauth2/v2.0/token"),
      description: "Microsoft: where the code is exchanged. The tenant's own",
    }),
    jwksUrl: oauth("AUTH_OAUTH_MICROSOFT_JWKS_URL", urlText, {
      otherwise: ofTenant("discovery/v2.0/keys"),
      description: "Microsoft: the keys that ID tokens are signed with. The tenant's own",
    }),
    issuer: oauth("AUTH_OAUTH_MICROSOFT_ISSUER", urlText, {
      fallback: "https://login.microsoftonline.com/{tenantid}/v2.0",
      description: "Microsoft: who ID tokens must be from; {tenantid} stands for the tenant that the token names",
    }),
  }),
  apple: whenSet(["clientId", "teamId", "keyId", "privateKey"], {
    clientId: oauth("AUTH_OAUTH_APPLE_CLIENT_ID", text, { description: "Apple: the Services ID" }),
    teamId: oauth("AUTH_OAUTH_APPLE_TEAM_ID", text, { description: "Apple: the team id" }),
    keyId: oauth("AUTH_OAUTH_APPLE_KEY_ID", text, { description: "Apple: the id of the key" }),
    privateKey: secret(
      "AUTH_OAUTH_APPLE_PRIVATE_KEY",
      p256Key,
      "Apple: the key itself, the text of the .p8 file; line breaks may be written as \\n",
    ),
    authUrl: browserSentTo("AUTH_OAUTH_APPLE_AUTH_URL", "Apple", "https://appleid.apple.com/auth/authorize"),
    tokenUrl: codeExchangedAt("AUTH_OAUTH_APPLE_TOKEN_URL", "Apple", "https://appleid.apple.com/auth/token"),
    jwksUrl: keysAt("AUTH_OAUTH_APPLE_JWKS_URL", "Apple", "https://appleid.apple.com/auth/keys"),
    issuer: issuedBy("AUTH_OAUTH_APPLE_ISSUER", "Apple", "https://appleid.apple.com"),
  }),
  openId: openIdVariables,
} as const satisfies Section;
