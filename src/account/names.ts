import { allowedOriginsOf, type Config } from "../config/index.ts";
import { loopbackOrigin } from "../core/address/origins.ts";
import { queryOf } from "../http/index.ts";

/** The names by which every developer's machine is reached, and under which a local start listens. */
const names: ReadonlySet<string> = new Set(["localhost", "127.0.0.1"]);

/**
 * Returns the address of the sign-in page under the name of the app that it leads back to, where that is this machine by its other name.
 * Browsers keep cookies by name: who signs in at 127.0.0.1 is a stranger at localhost, and would be led to and fro. Undefined anywhere but
 * on a developer's machine, and where the names are one.
 */
export function underNextName(request: Request, { app, http }: Pick<Config, "app" | "http">) {
  const next = queryOf(request).get("next");
  if (next === null || app.url.protocol !== "http:" || !allowedOriginsOf({ app, http }).loopback) return undefined;
  const here = URL.parse(`http://${request.headers.get("host")}`);
  const there = URL.parse(loopbackOrigin(next) ?? "");
  if (here === null || there === null || here.hostname === there.hostname) return undefined;
  if (!names.has(here.hostname) || !names.has(there.hostname)) return undefined;
  // Another program that this page is behind may have one name alone.
  const port = http.port === 0 ? here.port : String(http.port);
  return `http://${there.hostname}:${port}`;
}
