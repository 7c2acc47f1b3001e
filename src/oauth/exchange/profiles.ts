import { Type } from "@sinclair/typebox";
import type { JWTPayload } from "jose";
import type { OAuthConfig } from "../../config/index.ts";
import { jsonAs } from "../../core/text/json.ts";
import { ExchangeFailure } from "./failure.ts";
import type { IdTokenClaims } from "./id.token.ts";
import type { Userinfo } from "../openid/userinfo.ts";
import { readJson, type Outbound } from "./outbound.ts";
import { shaped } from "./shape.ts";

/** A person as the provider describes them. Issuer and subject identify; an email address never does, because it can change hands. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** Whether the provider itself says that the address is not proven, and does not merely leave that out. */
  readonly emailDoubted?: boolean | undefined;
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly avatarUrl: string | undefined;
}

type GitHubEndpoints = Pick<NonNullable<OAuthConfig["github"]>, "issuer" | "userinfoUrl" | "emailsUrl">;

const GitHubUser = Type.Object({
  login: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  avatar_url: Type.Optional(Type.String()),
});
const GitHubEmails = Type.Array(
  Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }),
  { maxItems: 1_000 },
);

/** Reads a profile from GitHub's API, since GitHub is no OpenID provider. Only an address that is primary and verified counts. */
export async function fromGitHub(send: Outbound, endpoints: GitHubEndpoints, accessToken: string): Promise<Profile> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/vnd.github+json" };
  const answer = readJson(await send(endpoints.userinfoUrl, { method: "GET", headers }));
  const subject = gitHubId(answer);
  const user = shaped(GitHubUser, answer, "provider_response_invalid");
  const emailsUrl = new URL(endpoints.emailsUrl);
  // The largest page: the primary address need not be among the first 30, which is the default.
  emailsUrl.searchParams.set("per_page", "100");
  const listed = readJson(await send(emailsUrl.href, { method: "GET", headers }));
  const emails = shaped(GitHubEmails, listed, "provider_response_invalid");
  return {
    issuer: endpoints.issuer,
    subject,
    email: emails.find(({ primary, verified }) => primary && verified)?.email,
    emailVerified: true,
    username: user.login,
    displayName: user.name,
    avatarUrl: user.avatar_url,
  };
}

/** Returns the number of the account. The login is no identity: one that was given up can be taken by somebody else. */
function gitHubId(user: unknown): string {
  const id: unknown = typeof user === "object" && user !== null && "id" in user ? user.id : undefined;
  if (typeof id !== "number" || !Number.isSafeInteger(id) || id <= 0) throw new ExchangeFailure("subject_missing");
  return String(id);
}

const isTrue = (claim: boolean | string | number | undefined): boolean =>
  claim === true || claim === 1 || claim === "1" || claim === "true";

const fromClaims = (claims: IdTokenClaims): Omit<Profile, "emailVerified" | "username"> => ({
  issuer: claims.issuer,
  subject: claims.sub,
  email: claims.email,
  displayName: claims.name,
  avatarUrl: claims.picture,
});

export const fromGoogle = (claims: IdTokenClaims): Profile => ({
  ...fromClaims(claims),
  emailVerified: isTrue(claims.email_verified),
  username: undefined,
});

/**
 * Reads Microsoft's claims. The administrator of a tenant can enter any address: it counts as verified only when the tenant has proven its
 * domain.
 */
export const fromMicrosoft = (claims: IdTokenClaims): Profile => ({
  ...fromClaims(claims),
  emailVerified: isTrue(claims.xms_edov),
  username: claims.preferred_username?.split("@")[0],
});

/**
 * Reads the claims of any OpenID provider. `info` is what the provider tells besides a token without an address. An address counts as
 * verified only by the provider's word for that very address.
 */
export function fromOpenId(claims: IdTokenClaims, info?: Userinfo): Profile {
  const { email, email_verified: verified } = info ?? claims;
  const username = claims.preferred_username ?? info?.preferred_username;
  return {
    issuer: claims.issuer,
    subject: claims.sub,
    email,
    emailVerified: isTrue(verified),
    emailDoubted: verified !== undefined && !isTrue(verified),
    username: username?.split("@")[0],
    displayName: claims.name ?? info?.name,
    avatarUrl: claims.picture ?? info?.picture,
  };
}

const AppleUser = Type.Object({
  name: Type.Object({ firstName: Type.Optional(Type.String()), lastName: Type.Optional(Type.String()) }),
});

/**
 * Reads Apple's claims. Apple sends the name once, beside the very first sign-in and unsigned: it is good for a greeting and nothing else.
 */
export function fromApple(claims: IdTokenClaims, posted: string | null): Profile {
  return {
    ...fromClaims(claims),
    emailVerified: isTrue(claims.email_verified),
    username: undefined,
    displayName: postedName(posted) ?? claims.name,
  };
}

function postedName(posted: string | null): string | undefined {
  const { firstName = "", lastName = "" } = jsonAs(AppleUser, posted ?? "")?.name ?? {};
  return `${firstName} ${lastName}`.trim() || undefined;
}

const anyTenant: ReadonlySet<string> = new Set(["common", "organizations"]);
/** The tenant of all personal accounts: `consumers` means this one alone, `organizations` every other one. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const tenantId = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/**
 * Makes the rules for Microsoft's issuers, since each tenant is one. The token names its tenant, and the configuration says which may sign
 * in.
 */
export function microsoftIssuer({ issuer, tenant }: { readonly issuer: string; readonly tenant: string }) {
  const named = (tid: string): string => issuer.replace("{tenantid}", () => tid);
  const isAllowed = (tid: string): boolean => {
    if (tenant === "organizations" && tid === personalTenant) return false;
    return anyTenant.has(tenant) || tid === (tenant === "consumers" ? personalTenant : tenant);
  };
  return {
    issuerFor({ tid }: JWTPayload): string | undefined {
      return typeof tid === "string" && tenantId.test(tid) && isAllowed(tid) ? named(tid) : undefined;
    },
    isFrom(name: string): boolean {
      const [before = "", after = ""] = issuer.split("{tenantid}");
      const tid = name.slice(before.length, name.length - after.length);
      return name === issuer || (tenantId.test(tid) && isAllowed(tid) && name === named(tid));
    },
  };
}
