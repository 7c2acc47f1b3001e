import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { JWTPayload } from "jose";
import { ExchangeFailure } from "./failure.ts";
import type { IdTokenClaims } from "./id.token.ts";
import { readJson, type Outbound } from "./outbound.ts";

/** Who the provider says it is. The identity is issuer and subject; an address never identifies (SEED §5.9). */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly username: string | undefined;
  readonly displayName: string | undefined;
  readonly avatarUrl: string | undefined;
}

interface GitHubEndpoints {
  readonly issuer: string;
  readonly userinfoUrl: string;
  readonly emailsUrl: string;
}

const GitHubUser = Type.Object({
  login: Type.Optional(Type.String()),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  avatar_url: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const GitHubEmails = Type.Array(
  Type.Object({ email: Type.String(), primary: Type.Boolean(), verified: Type.Boolean() }),
  { maxItems: 1_000 },
);

/** GitHub is no OpenID provider: its API is asked, and only an address that is primary and verified counts. */
export async function fromGitHub(send: Outbound, endpoints: GitHubEndpoints, accessToken: string): Promise<Profile> {
  const headers = { authorization: `Bearer ${accessToken}`, accept: "application/vnd.github+json" };
  const user = readJson(await send(endpoints.userinfoUrl, { method: "GET", headers }));
  const subject = gitHubId(user);
  if (!Value.Check(GitHubUser, user)) throw new ExchangeFailure("provider_response_invalid");
  const emailsUrl = new URL(endpoints.emailsUrl);
  // As many as a page may have: the primary one need not be among the first 30.
  emailsUrl.searchParams.set("per_page", "100");
  const emails = readJson(await send(emailsUrl.href, { method: "GET", headers }));
  if (!Value.Check(GitHubEmails, emails)) throw new ExchangeFailure("provider_response_invalid");
  return {
    issuer: endpoints.issuer,
    subject,
    email: emails.find(({ primary, verified }) => primary && verified)?.email,
    emailVerified: true,
    username: user.login,
    displayName: user.name ?? undefined,
    avatarUrl: user.avatar_url ?? undefined,
  };
}

/** The number, not the login: a login that was given up can be taken by somebody else. */
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

/** Whoever runs a tenant writes any address into it: only one whose domain the tenant has proven counts as verified. */
export const fromMicrosoft = (claims: IdTokenClaims): Profile => ({
  ...fromClaims(claims),
  emailVerified: isTrue(claims.xms_edov),
  username: claims.preferred_username?.split("@")[0],
});

const AppleUser = Type.Object({
  name: Type.Object({ firstName: Type.Optional(Type.String()), lastName: Type.Optional(Type.String()) }),
});

/** The name comes once, unsigned, beside the first sign-in of all: good for a greeting and nothing else. */
export function fromApple(claims: IdTokenClaims, posted: string | null): Profile {
  return {
    ...fromClaims(claims),
    emailVerified: isTrue(claims.email_verified),
    username: undefined,
    displayName: postedName(posted) ?? claims.name,
  };
}

function postedName(posted: string | null): string | undefined {
  let user: unknown;
  try {
    user = JSON.parse(posted ?? "null");
  } catch {
    return undefined;
  }
  if (!Value.Check(AppleUser, user)) return undefined;
  return `${user.name.firstName ?? ""} ${user.name.lastName ?? ""}`.trim() || undefined;
}

const anyTenant: ReadonlySet<string> = new Set(["common", "organizations"]);
/** The tenant of personal accounts, which `organizations` leaves out and `consumers` stands for. */
const personalTenant = "9188040d-6c67-4c5b-b112-36a304b66dad";
const tenantId = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Each tenant is an issuer of its own: the token says which, and the configured one says which may. */
export function microsoftIssuer({ issuer, tenant }: { readonly issuer: string; readonly tenant: string }) {
  const named = (tid: string): string => issuer.replace("{tenantid}", () => tid);
  const mayEnter = (tid: string): boolean => {
    if (tenant === "organizations" && tid === personalTenant) return false;
    return anyTenant.has(tenant) || tid === (tenant === "consumers" ? personalTenant : tenant);
  };
  return {
    issuerFor({ tid }: JWTPayload): string | undefined {
      return typeof tid === "string" && tenantId.test(tid) && mayEnter(tid) ? named(tid) : undefined;
    },
    isFrom(given: string): boolean {
      const [before = "", after = ""] = issuer.split("{tenantid}");
      const tid = given.slice(before.length, given.length - after.length);
      return given === issuer || (tenantId.test(tid) && mayEnter(tid) && given === named(tid));
    },
  };
}
