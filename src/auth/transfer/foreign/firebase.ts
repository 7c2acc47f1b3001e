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
  type FirebaseParameters,
  type Foreign,
} from "./foreign.ts";

const names = {
  signerKey: "base64_signer_key",
  saltSeparator: "base64_salt_separator",
  rounds: "rounds",
  memCost: "mem_cost",
} as const satisfies Record<keyof FirebaseParameters, string>;

/** Returns the parameters as the console of Firebase shows them, or the name of a missing one. */
export function readHashConfig(text: string): FirebaseParameters | { readonly missing: string } {
  const valueOf = (name: string): string | undefined =>
    new RegExp(`\\b${name}"?\\s*[:=]\\s*"?([A-Za-z0-9+/=_-]+)`).exec(text)?.[1];
  const [signerKey, saltSeparator, rounds, memCost] = Object.values(names).map(valueOf);
  if (signerKey === undefined || saltSeparator === undefined || rounds === undefined || memCost === undefined)
    return { missing: Object.values(names).find((name) => valueOf(name) === undefined) ?? "" };
  return { signerKey, saltSeparator, rounds, memCost };
}

function hashOf(user: Fields, parameters: FirebaseParameters | undefined): string | undefined {
  const [hash, salt] = [textOf(user.get("passwordHash")), textOf(user.get("salt"))];
  if (hash === undefined || salt === undefined) return undefined;
  if (parameters === undefined) throw new NotTaken("it has a password, which --hash-config is needed for");
  return firebaseHash(parameters, salt, hash);
}

/** Returns the hash in the form that hashes are stored in. */
export function firebaseHash(parameters: FirebaseParameters, salt: string, hash: string): string {
  const { signerKey, saltSeparator, rounds, memCost } = parameters;
  return `$fbscrypt$v=1,n=${memCost},r=${rounds},p=1,ss=${saltSeparator},sk=${signerKey}$${salt}$${hash}`;
}

/** Reads `firebase auth:export FILE --format=json`. */
export const firebase: Foreign = {
  layout: "documents",
  convert: (user, { firebase: parameters }) => ({
    sourceId: textOf(user.get("localId")),
    fields: {
      email: user.get("email"),
      display_name: nameOf(user.get("displayName")),
      avatar_url: textOf(user.get("photoUrl")),
      email_verified: user.get("emailVerified"),
      active: user.get("disabled") !== true,
      created_at: timeOf(user.get("createdAt")),
      password_hash: hashOf(user, parameters),
      // Custom claims, which only an app's server writes.
      app_metadata: objectOf(user.get("customAttributes")),
      identities: listOf(user.get("providerUserInfo"))
        .map(fieldsOf)
        .flatMap((identity) => identityOf(identity.get("providerId"), identity.get("rawId"))),
    },
  }),
};
