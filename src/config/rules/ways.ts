import { table, variablesIn } from "../variables/index.ts";
import { isOptional } from "../variables/kinds/variable.ts";
import type { Judged } from "./judged.ts";

/** Says which settings of providers do nothing, since the pages that the server writes sign nobody in by them. */
export function kitWarnings({ reader, config: { app, http, oauth } }: Judged): readonly string[] {
  if (app.name !== "app" || http.kit !== "server") return [];
  const isSet = Object.values(table.oauth).some(
    (entry) => isOptional(entry) && variablesIn(entry.section).some((each) => reader.isSet(each)),
  );
  return isSet || Object.keys(oauth.openId).length > 0
    ? ["FRONTEND_KIT=server has no sign-in with a provider: what AUTH_OAUTH_* and AUTH_OIDC_* configure is not offered"]
    : [];
}

/** Finds ways to sign in that the page is to offer and that are not there. */
export function wayProblems({ reader, config: { auth, oauth } }: Judged): readonly string[] {
  const four = new Map(Object.entries(table.oauth).filter(([, entry]) => isOptional(entry)));
  const isThere = (way: string): boolean => {
    if (way === "email") return auth.emailLoginEnabled;
    const [, provider] = way.split(":");
    if (provider === undefined || Object.hasOwn(oauth.openId, provider)) return true;
    const entry = four.get(provider);
    return entry !== undefined && isOptional(entry) && variablesIn(entry.section).some((each) => reader.isSet(each));
  };
  return auth.loginMethods
    .filter((way) => !isThere(way))
    .map((way) =>
      way === "email"
        ? "LOGIN_METHODS has email, and AUTH_EMAIL_LOGIN_ENABLED is false"
        : `LOGIN_METHODS has ${way}, and no such provider is configured`,
    );
}
