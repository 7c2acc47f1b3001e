import { FieldFault } from "../core/fields.ts";
import { isId } from "../core/ids.ts";

const longest = 48;
const form = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Words that addresses of apps and of this service begin with: an organization of that name would look like a page of theirs. */
const reserved: ReadonlySet<string> = new Set(
  (
    "about account accounts admin api app apps assets auth billing blog cdn contact create dashboard device docs domains edit " +
    "favicon health help home hooks invitations invite legal lighthouse login logout mail mails members metrics new null oauth oauth2 " +
    "oidc org organization organizations orgs owner page pricing privacy profile provider public register root security settings " +
    "signin signup sso staff static status support switch system team teams terms undefined user users verify webhooks well-known www"
  ).split(" "),
);

/** Returns the slug with characters that look alike made the same: of two slugs with one key only one may be. */
export const slugKey = (slug: string): string =>
  slug.replaceAll("0", "o").replaceAll(/[1i]/g, "l").replaceAll("rn", "m").replaceAll("vv", "w");

/** Says what is wrong with a slug; undefined where nothing is. */
export function slugFault(slug: string): FieldFault | undefined {
  if (slug.length < 2 || slug.length > longest || !form.test(slug))
    return new FieldFault(
      "invalid_value",
      `must have 2 to ${longest} of the characters a to z and 0 to 9, with single hyphens between them`,
    );
  if (isId(slug)) return new FieldFault("invalid_value", "must not look like an id");
  return reserved.has(slug)
    ? new FieldFault("invalid_value", "is a word that addresses of pages begin with")
    : undefined;
}

/** Makes a slug of a name. `attempt` 0 is the plain one; later ones end with something of their own. */
export function slugOf(name: string, attempt: number): string {
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, longest - 8)
    .replaceAll(/^-+|-+$/g, "");
  const base = slugFault(plain) === undefined ? plain : `team-${plain}`.replace(/-+$/, "");
  return attempt === 0 && slugFault(base) === undefined ? base : `${base}-${crypto.randomUUID().slice(0, 6)}`;
}
