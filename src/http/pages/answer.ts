import { writeDocument } from "./document.tsx";
import type { Html } from "./jsx-runtime.ts";

/** The part of an answer that a page sets, as the router hands it over. */
export interface PageHead {
  status?: number | string;
  headers: Record<string, unknown> & { "set-cookie"?: string | string[] };
}

/** Answers with a page for its reader alone: nobody may store or frame it, or reach it from another window. */
export function showPage(head: PageHead, page: Html, policy: string, status = 200): string {
  head.status = status;
  head.headers["content-type"] = "text/html; charset=utf-8";
  head.headers["content-security-policy"] = policy;
  head.headers["cache-control"] = "no-store";
  // `no-referrer` would not do: with it a browser sends the page's own forms with an Origin of null.
  head.headers["referrer-policy"] = "same-origin";
  head.headers["cross-origin-opener-policy"] = "same-origin";
  return writeDocument(page);
}

/** Redirects with 303 unless told otherwise, so that reloading the next page does not send a form again (RFC 9110 §15.4.4). */
export function leadTo(head: PageHead, path: string, status: 302 | 303 = 303): string {
  head.status = status;
  head.headers["location"] = path;
  head.headers["cache-control"] = "no-store";
  return "";
}
