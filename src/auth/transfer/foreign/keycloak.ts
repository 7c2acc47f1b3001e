import {
  fieldsOf,
  idIfUuid,
  identityOf,
  listOf,
  metadataOf,
  nameOf,
  NotTaken,
  textOf,
  timeOf,
  unwrapped,
  type Fields,
  type Foreign,
} from "./foreign.ts";

const stem = (base64: unknown): string => (textOf(base64) ?? "").replace(/=+$/, "");
/** Returns a parameter, which Keycloak writes as a list of one text. */
const parameter = (parameters: Fields, name: string): string => String(listOf(parameters.get(name))[0]);

/** Returns a password's credential in the form that hashes are stored in. */
function hashOf(credential: Fields): string {
  const secret = fieldsOf(unwrapped(credential.get("secretData")));
  const made = fieldsOf(unwrapped(credential.get("credentialData")));
  const [algorithm, iterations] = [textOf(made.get("algorithm")) ?? "an unnamed algorithm", made.get("hashIterations")];
  const [salt, value] = [stem(secret.get("salt")), stem(secret.get("value"))];
  if (algorithm === "argon2") {
    const given = fieldsOf(made.get("additionalParameters"));
    const [type, memory, lanes] = ["type", "memory", "parallelism"].map((name) => parameter(given, name));
    const version = parameter(given, "version") === "1.0" ? 16 : 19;
    return `$argon2${type}$v=${version}$m=${memory},t=${String(iterations)},p=${lanes}$${salt}$${value}`;
  }
  const [, digest] = /^pbkdf2(?:-(sha256|sha512))?$/.exec(algorithm) ?? [];
  if (!algorithm.startsWith("pbkdf2")) throw new NotTaken(`its password was hashed by ${algorithm.slice(0, 64)}`);
  return `$pbkdf2-${digest ?? "sha1"}$i=${String(iterations)}$${salt}$${value}`;
}

/** Attributes that Keycloak keeps for itself, or that are another field of an account. */
const ownAttributes = new Set(["locale", "LDAP_ID", "LDAP_ENTRY_DN", "KERBEROS_PRINCIPAL"]);

/** Returns an app's own attributes. Keycloak writes each as a list of texts; one of a single text becomes that text. */
const attributesOf = (attributes: Fields): readonly (readonly [string, unknown])[] =>
  Array.from(attributes).flatMap(([name, value]) => {
    const values = listOf(value);
    return ownAttributes.has(name) || values.length === 0 ? [] : [[name, values.length === 1 ? values[0] : values]];
  });

/** Reads `kc.sh export`, of a realm in one file or in several. */
export const keycloak: Foreign = {
  layout: "documents",
  convert(user, settings) {
    const password = listOf(user.get("credentials"))
      .map(fieldsOf)
      .find((credential) => credential.get("type") === "password");
    const attributes = fieldsOf(user.get("attributes"));
    const [locale] = listOf(attributes.get("locale"));
    const id = textOf(user.get("id"));
    return {
      sourceId: id,
      fields: {
        id: idIfUuid(id),
        email: user.get("email"),
        username: user.get("username"),
        display_name: nameOf(user.get("firstName"), user.get("lastName")),
        email_verified: user.get("emailVerified"),
        active: user.get("enabled"),
        created_at: timeOf(user.get("createdTimestamp")),
        locale: textOf(locale),
        password_hash: password === undefined ? undefined : hashOf(password),
        ...metadataOf(attributesOf(attributes), settings),
        identities: listOf(user.get("federatedIdentities"))
          .map(fieldsOf)
          .flatMap((identity) => identityOf(identity.get("identityProvider"), identity.get("userId"))),
      },
    };
  },
};
