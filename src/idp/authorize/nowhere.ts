import type { Nowhere } from "../pages/pages.tsx";
import type { IdpWords } from "../pages/frame.tsx";
import { invalidRequest, OAuthError } from "../protocol/errors.ts";
import type { Refusal } from "../protocol/refusal.ts";
import { NoDestination } from "./request.ts";

/** Returns what the page says of a request that leads nobody anywhere. */
export function nowhereOf(error: NoDestination | OAuthError): Nowhere {
  if (error instanceof NoDestination) return error.reason;
  return error.code === "invalid_request_uri" ? "request_over" : "invalid_request";
}

export function nowhereTitle({ unknown }: IdpWords, reason: Nowhere): string {
  if (reason === "request_over") return unknown.over;
  return reason === "unknown_client" ? unknown.title : unknown.unable;
}

/** Returns what operators learn of it. */
export function refusalOf(error: NoDestination | OAuthError): Refusal {
  if (error instanceof OAuthError) return { error };
  const { message, reason, client, asked } = error;
  return { error: invalidRequest(message, reason), client, asked };
}
