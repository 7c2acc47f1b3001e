import { isPrivateHost } from "./hosts.ts";
import type { Reader } from "./reader.ts";
import { oauthVariables } from "./variables.oauth.ts";

/** Where one provider is, and who we are to it. Addresses are kept as they were written: issuers are compared to the letter. */
interface OAuthClient {
  readonly clientId: string;
  readonly authUrl: string;
  readonly tokenUrl: string;
  readonly issuer: string;
}

/** A provider that says who the user is in an ID token (OpenID Connect). */
interface OpenIdClient extends OAuthClient {
  readonly jwksUrl: string;
}

export interface OAuthConfig {
  readonly stateTtlMs: number;
  /** Only locally and in testing: elsewhere a provider is spoken to over https or not at all. */
  readonly plainHttp: boolean;
  readonly github:
    | (OAuthClient & { readonly clientSecret: string; readonly userinfoUrl: string; readonly emailsUrl: string })
    | undefined;
  readonly google: (OpenIdClient & { readonly clientSecret: string }) | undefined;
  readonly microsoft: (OpenIdClient & { readonly clientSecret: string; readonly tenant: string }) | undefined;
  readonly apple:
    | (OpenIdClient & { readonly teamId: string; readonly keyId: string; readonly privateKey: string })
    | undefined;
}

type OAuthVariable = (typeof oauthVariables)[number]["name"];

const required = {
  github: ["AUTH_OAUTH_GITHUB_CLIENT_ID", "AUTH_OAUTH_GITHUB_CLIENT_SECRET"],
  google: ["AUTH_OAUTH_GOOGLE_CLIENT_ID", "AUTH_OAUTH_GOOGLE_CLIENT_SECRET"],
  microsoft: ["AUTH_OAUTH_MICROSOFT_CLIENT_ID", "AUTH_OAUTH_MICROSOFT_CLIENT_SECRET"],
  apple: [
    "AUTH_OAUTH_APPLE_CLIENT_ID",
    "AUTH_OAUTH_APPLE_TEAM_ID",
    "AUTH_OAUTH_APPLE_KEY_ID",
    "AUTH_OAUTH_APPLE_PRIVATE_KEY",
  ],
} as const satisfies Record<string, readonly OAuthVariable[]>;

type ProviderName = keyof typeof required;
const providers = ["github", "google", "microsoft", "apple"] as const satisfies readonly ProviderName[];

export function readOAuth(reader: Reader, plainHttp: boolean): OAuthConfig {
  const { text } = reader;
  const isGiven = (provider: ProviderName): boolean => required[provider].every((name) => reader.isGiven(name));
  const tenant = text("AUTH_OAUTH_MICROSOFT_TENANT");
  const microsoft = `https://login.microsoftonline.com/${tenant}`;
  return {
    stateTtlMs: reader.durationMs("AUTH_OAUTH_STATE_TTL"),
    plainHttp,
    github: isGiven("github")
      ? {
          clientId: text("AUTH_OAUTH_GITHUB_CLIENT_ID"),
          clientSecret: text("AUTH_OAUTH_GITHUB_CLIENT_SECRET"),
          authUrl: text("AUTH_OAUTH_GITHUB_AUTH_URL"),
          tokenUrl: text("AUTH_OAUTH_GITHUB_TOKEN_URL"),
          userinfoUrl: text("AUTH_OAUTH_GITHUB_USERINFO_URL"),
          emailsUrl: text("AUTH_OAUTH_GITHUB_EMAILS_URL"),
          issuer: text("AUTH_OAUTH_GITHUB_ISSUER"),
        }
      : undefined,
    google: isGiven("google")
      ? {
          clientId: text("AUTH_OAUTH_GOOGLE_CLIENT_ID"),
          clientSecret: text("AUTH_OAUTH_GOOGLE_CLIENT_SECRET"),
          authUrl: text("AUTH_OAUTH_GOOGLE_AUTH_URL"),
          tokenUrl: text("AUTH_OAUTH_GOOGLE_TOKEN_URL"),
          jwksUrl: text("AUTH_OAUTH_GOOGLE_JWKS_URL"),
          issuer: text("AUTH_OAUTH_GOOGLE_ISSUER"),
        }
      : undefined,
    microsoft: isGiven("microsoft")
      ? {
          clientId: text("AUTH_OAUTH_MICROSOFT_CLIENT_ID"),
          clientSecret: text("AUTH_OAUTH_MICROSOFT_CLIENT_SECRET"),
          tenant: tenant.toLowerCase(),
          authUrl: text("AUTH_OAUTH_MICROSOFT_AUTH_URL", `${microsoft}/oauth2/v2.0/authorize`),
          tokenUrl: text("AUTH_OAUTH_MICROSOFT_TOKEN_URL", `${microsoft}/oauth2/v2.0/token`),
          jwksUrl: text("AUTH_OAUTH_MICROSOFT_JWKS_URL", `${microsoft}/discovery/v2.0/keys`),
          issuer: text("AUTH_OAUTH_MICROSOFT_ISSUER"),
        }
      : undefined,
    apple: isGiven("apple")
      ? {
          clientId: text("AUTH_OAUTH_APPLE_CLIENT_ID"),
          teamId: text("AUTH_OAUTH_APPLE_TEAM_ID"),
          keyId: text("AUTH_OAUTH_APPLE_KEY_ID"),
          privateKey: text("AUTH_OAUTH_APPLE_PRIVATE_KEY").replaceAll("\\n", "\n"),
          authUrl: text("AUTH_OAUTH_APPLE_AUTH_URL"),
          tokenUrl: text("AUTH_OAUTH_APPLE_TOKEN_URL"),
          jwksUrl: text("AUTH_OAUTH_APPLE_JWKS_URL"),
          issuer: text("AUTH_OAUTH_APPLE_ISSUER"),
        }
      : undefined,
  };
}

/**
 * A provider is configured whole or not at all; outside local and testing nothing of it is plain HTTP or at a private
 * address (SECURITY F-16). A name may stand for one, as a company's own GitHub does: its certificate says who answers.
 */
export function oauthProblems(reader: Reader, appUrl: URL, plainHttp: boolean): string[] {
  const problems: string[] = [];
  const unfit = (value: string): string | undefined => {
    if (!value.startsWith("https:")) return "must be https outside local and testing";
    const url = URL.parse(value);
    return url !== null && isPrivateHost(url)
      ? "must not be at a private address outside local and testing"
      : undefined;
  };
  for (const provider of providers) {
    const prefix = `AUTH_OAUTH_${provider.toUpperCase()}_`;
    const given = oauthVariables.filter(({ name }) => name.startsWith(prefix) && reader.isGiven(name));
    const [first] = given;
    if (first === undefined) continue;
    for (const name of required[provider]) {
      if (!reader.isGiven(name)) problems.push(`${name} is required with ${first.name}`);
    }
    if (plainHttp) continue;
    for (const { name, kind } of given) {
      const complaint = kind.type === "url" ? unfit(reader.text(name)) : undefined;
      if (complaint !== undefined) problems.push(`${name} ${complaint}`);
    }
    if (reader.isGiven("APP_URL") && appUrl.protocol !== "https:")
      problems.push("APP_URL must be https for OAuth: providers send sign-ins back to it");
  }
  return problems;
}

export const oauthSecrets = ({ github, google, microsoft, apple }: OAuthConfig): readonly string[] => [
  github?.clientSecret ?? "",
  google?.clientSecret ?? "",
  microsoft?.clientSecret ?? "",
  apple?.privateKey ?? "",
];
