import { minute } from "../../../core/clock.ts";
import { p256Key } from "../kinds/keys.ts";
import { duration, microsoftTenant, text, urlText } from "../kinds/kinds.ts";
import { openIdVariables } from "./openid.ts";
import { variablesOf, whenSet, type Circumstances, type Section } from "../kinds/variable.ts";

const oauth = variablesOf("OAuth");

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
    clientSecret: oauth("AUTH_OAUTH_GITHUB_CLIENT_SECRET", text, {
      description: "GitHub: its client secret",
      secret: true,
    }),
    authUrl: oauth("AUTH_OAUTH_GITHUB_AUTH_URL", urlText, {
      fallback: "https://github.com/login/oauth/authorize",
      description: "GitHub: where the browser is sent",
    }),
    tokenUrl: oauth("AUTH_OAUTH_GITHUB_TOKEN_URL", urlText, {
      fallback: "https://github.com/login/oauth/access_token",
      description: "GitHub: where the code is exchanged",
    }),
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
    clientSecret: oauth("AUTH_OAUTH_GOOGLE_CLIENT_SECRET", text, {
      description: "Google: the client secret",
      secret: true,
    }),
    authUrl: oauth("AUTH_OAUTH_GOOGLE_AUTH_URL", urlText, {
      fallback: "https://accounts.google.com/o/oauth2/v2/auth",
      description: "Google: where the browser is sent",
    }),
    tokenUrl: oauth("AUTH_OAUTH_GOOGLE_TOKEN_URL", urlText, {
      fallback: "https://oauth2.googleapis.com/token",
      description: "Google: where the code is exchanged",
    }),
    jwksUrl: oauth("AUTH_OAUTH_GOOGLE_JWKS_URL", urlText, {
      fallback: "https://www.googleapis.com/oauth2/v3/certs",
      description: "Google: the keys that ID tokens are signed with",
    }),
    issuer: oauth("AUTH_OAUTH_GOOGLE_ISSUER", urlText, {
      fallback: "https://accounts.google.com",
      description: "Google: who ID tokens must be from",
    }),
  }),
  microsoft: whenSet(["clientId", "clientSecret"], {
    clientId: oauth("AUTH_OAUTH_MICROSOFT_CLIENT_ID", text, { description: "Microsoft: the application id" }),
    clientSecret: oauth("AUTH_OAUTH_MICROSOFT_CLIENT_SECRET", text, {
      description: "Microsoft: the client secret",
      secret: true,
    }),
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
    privateKey: oauth("AUTH_OAUTH_APPLE_PRIVATE_KEY", p256Key, {
      description: "Apple: the key itself, the text of the .p8 file; line breaks may be written as \\n",
      secret: true,
    }),
    authUrl: oauth("AUTH_OAUTH_APPLE_AUTH_URL", urlText, {
      fallback: "https://appleid.apple.com/auth/authorize",
      description: "Apple: where the browser is sent",
    }),
    tokenUrl: oauth("AUTH_OAUTH_APPLE_TOKEN_URL", urlText, {
      fallback: "https://appleid.apple.com/auth/token",
      description: "Apple: where the code is exchanged",
    }),
    jwksUrl: oauth("AUTH_OAUTH_APPLE_JWKS_URL", urlText, {
      fallback: "https://appleid.apple.com/auth/keys",
      description: "Apple: the keys that ID tokens are signed with",
    }),
    issuer: oauth("AUTH_OAUTH_APPLE_ISSUER", urlText, {
      fallback: "https://appleid.apple.com",
      description: "Apple: who ID tokens must be from",
    }),
  }),
  openId: openIdVariables,
} as const satisfies Section;
