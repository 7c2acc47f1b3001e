import { assuranceOf, type Browsing } from "../../auth/index.ts";
import type { Clock, Millis } from "../../core/clock.ts";
import { letsIn } from "../client/client.ts";
import { invalidRequest, OAuthError } from "../protocol/errors.ts";

import type { ConsentRow } from "./consent.repository.ts";
import { needsConsent, type AuthorizationRequest } from "./request.ts";

interface Facts {
  readonly request: AuthorizationRequest;
  /** The session of the browser; undefined where nobody is signed in. */
  readonly viewer: Browsing | undefined;
  /** When the person was led to the sign-in page because of this request, if they were. */
  readonly askedAt: Millis | undefined;
  /** Whom an ID token in the request is about: null for a text that is no ID token of ours. */
  readonly hinted: string | null | undefined;
  /** What the person has let the client have. */
  readonly consented: ConsentRow | undefined;
  readonly clock: Clock;
}

export const roleMissing = (): OAuthError =>
  new OAuthError("access_denied", "The person may not use this client.", { why: "role_missing" });

export const consentDenied = (): OAuthError =>
  new OAuthError("access_denied", "The person did not allow it.", { why: "consent_denied" });

export type Decision =
  | { readonly kind: "allow" }
  /** `isProof`: who is signed in proves it anew. */
  | { readonly kind: "sign_in"; readonly isProof: boolean }
  | { readonly kind: "consent" }
  | { readonly kind: "no_role" }
  /** Staff in the person's name can't allow what the person has not. */
  | { readonly kind: "not_own" };

export const notOwn = (): OAuthError =>
  new OAuthError("consent_required", "The person has not allowed this client, and staff can't do so in their name.");

const signIn = { kind: "sign_in", isProof: false } as const;
const proof = { kind: "sign_in", isProof: true } as const;

function isProofMissing({ request: { prompts, maxAgeSeconds }, askedAt, clock }: Facts, provedAt: Millis): boolean {
  if (askedAt !== undefined && provedAt >= askedAt) return false;
  if (prompts.includes("login")) return true;
  return maxAgeSeconds !== undefined && Math.abs(clock.now() - provedAt) > maxAgeSeconds * 1000;
}

/** Decides over the level: a level that was only wished for is asked for once, and never in silence (OpenID Connect Core §3.1.2.1). */
function isLevelMissing({ request, askedAt }: Facts, viewer: Browsing): boolean {
  const { acr, isLevelEssential, prompts } = request;
  const wanted = acr.includes("aal2") && !acr.includes("aal1");
  if (!wanted || assuranceOf(viewer) === "aal2") return false;
  if (prompts.includes("none")) {
    if (!isLevelEssential) return false;
    throw new OAuthError("interaction_required", "The person has to prove a second factor.");
  }
  const canRise = viewer.hasFactor && askedAt === undefined;
  if (!canRise && isLevelEssential)
    throw new OAuthError("unmet_authentication_requirements", "The account has no second factor.");
  return canRise;
}

/** Decides for staff in the person's name: they prove nothing of the person, and allow nothing. */
function decideForStaff({ request, viewer, hinted, consented }: Facts & { readonly viewer: Browsing }): Decision {
  const isSilent = request.prompts.includes("none");
  const isOther = hinted !== undefined && hinted !== viewer.userId;
  if (isOther || request.prompts.includes("login") || request.maxAgeSeconds !== undefined)
    throw new OAuthError("login_required", "The person has to sign in, and staff act in their name.");
  if (request.isLevelEssential && request.acr.includes("aal2") && !request.acr.includes("aal1"))
    throw new OAuthError("unmet_authentication_requirements", "Staff act in the person's name.");
  if (!letsIn(request.client, viewer)) {
    if (isSilent) throw roleMissing();
    return { kind: "no_role" };
  }
  if (!needsConsent(request, consented)) return { kind: "allow" };
  if (isSilent) throw notOwn();
  return { kind: "not_own" };
}

/** Returns what comes next for a sound request. Throws what its client is told, where nothing is left to do for the person. */
export function decide(facts: Facts): Decision {
  const { request, viewer, hinted, askedAt, consented } = facts;
  const { client, prompts } = request;
  const isSilent = prompts.includes("none");
  if (hinted === null) throw invalidRequest("id_token_hint is no ID token of this issuer.", "wrong_id_token_hint");
  if (viewer !== undefined && viewer.impersonator !== null) return decideForStaff({ ...facts, viewer });
  const isOther = viewer !== undefined && hinted !== undefined && hinted !== viewer.userId;
  if (viewer === undefined || isOther) {
    if (isSilent || (isOther && askedAt !== undefined))
      throw new OAuthError("login_required", "The person has to sign in.");
    return signIn;
  }
  if (viewer.isFactorMissing) {
    if (isSilent) throw new OAuthError("interaction_required", "The person has to set up a second factor.");
    return signIn;
  }
  if (prompts.includes("select_account") && askedAt === undefined) return signIn;
  if (isProofMissing(facts, viewer.provedAt)) {
    if (isSilent) throw new OAuthError("login_required", "The person has to prove who they are again.");
    return proof;
  }
  if (isLevelMissing(facts, viewer)) return proof;
  if (!letsIn(client, viewer)) {
    if (isSilent) throw roleMissing();
    return { kind: "no_role" };
  }
  if (!needsConsent(request, consented)) return { kind: "allow" };
  if (isSilent) throw new OAuthError("consent_required", "The person has to allow this client.");
  return { kind: "consent" };
}
