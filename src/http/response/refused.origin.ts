import { pageOrigin } from "../../core/address/origins.ts";
import { AppError } from "../../core/errors.ts";
import type { Log } from "../../observe/index.ts";

interface RefusedOriginsOptions {
  readonly appUrl: URL;
  readonly log: Pick<Log, "warn">;
}

/** How many origins are named in the log before the next start: strangers can send as many as they like. */
const mostTold = 16;
const variable = "AUTH_ALLOWED_ORIGINS";

const elsewhere =
  "As a page of another site it is not signed in even then, since browsers keep no cookies for it: see cross_site_session.";

/** Says for developers what kept a request out that a page of another origin has sent. */
function detailOf(request: Request, origin: string | undefined, isOpen: boolean, appUrl: URL): string {
  const site = request.headers.get("sec-fetch-site");
  if (origin === undefined)
    return request.headers.has("origin")
      ? "Its page has no http or https origin that could be allowed: sandboxed frames, files and some redirects send null."
      : "Sec-Fetch-Site says that a page of another origin sent it.";
  const sender = `Its page is of ${origin}`;
  if (!isOpen) return `${sender}, and only pages of ${appUrl.origin} may send this.`;
  const means = `${sender}, which may not call this service: ${variable}=${origin} lets it`;
  if (site === "cross-site") return `${means}. ${elsewhere}`;
  return site === "same-origin" ? `${means}, as APP_URL does where the service is at that address.` : `${means}.`;
}

/** Makes the refusals of pages of other origins, which name the origin and what would let it in: to the caller, and once in the log. */
export function createRefusedOrigins({ appUrl, log }: RefusedOriginsOptions) {
  const told = new Set<string>();

  /** `isOpen`: whether pages of an origin that is listed may send it. */
  return (request: Request, isOpen: boolean): AppError => {
    const origin = pageOrigin(request.headers.get("origin") ?? "");
    if (origin !== undefined && !told.has(origin) && told.size < mostTold) {
      told.add(origin);
      log.warn("a page of another origin was refused", { origin, ...(isOpen && { let_in_by: variable }) });
    }
    return new AppError("cross_site_request", { detail: detailOf(request, origin, isOpen, appUrl) });
  };
}
