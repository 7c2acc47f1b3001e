import { baseUrl } from "../../core/address/url.parts.ts";
import { isDeployed, type Judged } from "./judged.ts";

/** Finds what keeps staff from being led to the app in which they act in somebody's name. Locally both apps have their usual ports. */
export function impersonationProblems({ config, config: { app, auth } }: Judged): readonly string[] {
  if (auth.impersonators.length === 0 || app.name !== "admin" || !isDeployed(config)) return [];
  const { url, otherUrl } = app;
  return otherUrl === undefined || baseUrl(otherUrl) === baseUrl(url)
    ? ["AUTH_IMPERSONATION_ENABLED asks for two addresses: ADMIN_APP_URL of the staff pages, and APP_URL of the app"]
    : [];
}
