import { firebaseHash } from "./firebase.ts";
import {
  fieldsOf,
  identityOf,
  listOf,
  nameOf,
  NotTaken,
  objectOf,
  textOf,
  timeOf,
  type Fields,
  type Foreign,
} from "./foreign.ts";

const isVerified = (part: Fields): boolean => fieldsOf(part.get("verification")).get("status") === "verified";

/** Returns the texts of a list, which Clerk's dashboard writes as one text with strokes between them. */
const textsOf = (value: unknown): readonly string[] =>
  (typeof value === "string" ? value.split("|") : listOf(value)).flatMap((each) => textOf(each)?.trim() ?? []);

/** Reads the main address: the API writes addresses as objects, and what the dashboard and the support hand out has them as texts. */
function addressOf(user: Fields): { readonly email: unknown; readonly email_verified: boolean } {
  const primary = user.get("primary_email_address_id");
  const addresses = listOf(user.get("email_addresses"))
    .map(fieldsOf)
    .filter((each) => each.has("email_address"));
  const address = addresses.find((each) => each.get("id") === primary) ?? addresses[0];
  if (address !== undefined) return { email: address.get("email_address"), email_verified: isVerified(address) };
  const email = textOf(user.get("primary_email_address")) ?? textsOf(user.get("email_addresses"))[0];
  return {
    email,
    email_verified: email !== undefined && textsOf(user.get("verified_email_addresses")).includes(email),
  };
}

function ofFirebase(digest: string): string {
  const [hash = "", salt = "", signerKey = "", saltSeparator = "", rounds = "", memCost = ""] = digest.split("$");
  return firebaseHash({ signerKey, saltSeparator, rounds, memCost }, salt, hash);
}

/** Clerk writes this hash in hexadecimal digits, where Django writes base64. */
function ofPbkdf2Sha1(digest: string): string {
  const [name = "", iterations = "", salt = "", hash = ""] = digest.split("$");
  return [name, iterations, salt, Buffer.from(hash, "hex").toString("base64")].join("$");
}

const asItIs = (digest: string): string => digest;
/** By Clerk's names of hashers: makes the form that hashes are stored in. */
const hashers: ReadonlyMap<string, (digest: string) => string> = new Map([
  ["bcrypt", asItIs],
  ["bcrypt_sha256_django", asItIs],
  ["argon2i", asItIs],
  ["argon2id", asItIs],
  ["pbkdf2_sha256_django", asItIs],
  // The salt is base64 here, where the one of Django is a text.
  ["pbkdf2_sha256", (digest) => digest.replace(/^pbkdf2_sha256(?=\$)/, () => "$pbkdf2-sha256")],
  ["pbkdf2_sha1", ofPbkdf2Sha1],
  ["scrypt_firebase", ofFirebase],
]);

const hasherName = /^[a-z][a-z0-9_]{1,31}$/;

function hashOf(user: Fields): string | undefined {
  const digest = textOf(user.get("password_digest"));
  if (digest === undefined) return undefined;
  const hasher = textOf(user.get("password_hasher")) ?? "";
  const stored = hashers.get(hasher)?.(digest);
  if (stored !== undefined) return stored;
  // Columns of a CSV that was split at a wrong comma hold other things here, such as a part of the hash.
  throw new NotTaken(`its password was hashed by ${hasherName.test(hasher) ? hasher : "an unnamed algorithm"}`);
}

/** Reads users of Clerk's Backend API, with the columns of passwords that its dashboard exports, or what its support hands out. */
export const clerk: Foreign = {
  layout: "lines",
  convert: (user) => ({
    sourceId: textOf(user.get("id")),
    fields: {
      ...addressOf(user),
      external_id: textOf(user.get("external_id")),
      username: textOf(user.get("username")),
      display_name: nameOf(user.get("first_name"), user.get("last_name")),
      // Without an image of the person's own it is one that Clerk has drawn.
      avatar_url: user.get("has_image") === true ? textOf(user.get("image_url")) : undefined,
      // A lock ends by itself soon, a ban does not.
      active: user.get("banned") !== true,
      created_at: timeOf(user.get("created_at")),
      locale: textOf(user.get("locale")),
      password_hash: hashOf(user),
      app_metadata: objectOf(user.get("public_metadata")),
      user_metadata: objectOf(user.get("unsafe_metadata")),
      private_metadata: objectOf(user.get("private_metadata")),
      identities: listOf(user.get("external_accounts"))
        .map(fieldsOf)
        // The list has accounts as well that somebody has begun to link, and has never proven.
        .filter(isVerified)
        .flatMap((account) =>
          identityOf(textOf(account.get("provider"))?.replace(/^oauth_/, ""), account.get("provider_user_id")),
        ),
    },
  }),
};
