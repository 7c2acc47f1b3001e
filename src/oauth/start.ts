import { invalidFields } from "../core/errors.ts";
import { isFault } from "../core/fields.ts";
import { field } from "../http/index.ts";

/** What a link, a form or a provider that begins a sign-in itself (OpenID Connect Core §4) says with a start. */
export interface Start {
  /** Where to go afterwards, as it was sent. */
  readonly next?: string | undefined;
  /** Whom the provider's page should expect. */
  readonly loginHint?: string | undefined;
  /** The provider's issuer, as the sender names it. */
  readonly issuer?: string | undefined;
}

const longestHint = 512;
const hint = field.blankable(field.text({ most: longestHint }));
/** A hint in the API reference. */
export const hintSchema = { type: "string", maxLength: longestHint, pattern: String(hint.schema["pattern"]) } as const;

/** Reads the parameters of a start. Throws `invalid_payload`. */
export function readStart(params: URLSearchParams): Start {
  const sent = (name: string): unknown => {
    const values = params.getAll(name);
    return values.length > 1 ? values : values[0];
  };
  const [loginHint, issuer] = [hint.read(sent("login_hint")), hint.read(sent("iss"))];
  if (isFault(loginHint) || isFault(issuer)) throw invalidFields({ login_hint: loginHint, iss: issuer });
  const next = params.get("next") ?? params.get("target_link_uri") ?? undefined;
  return { next, loginHint, issuer };
}
