import {
  AccountFields,
  externalId,
  mergePatchField,
  passwordHash,
  ProfileFields,
  RegisterFields,
} from "../auth/index.ts";
import { FieldFault, faultsAmong, type FieldFaults } from "../core/fields.ts";
import { isName, namePattern } from "../core/naming.ts";
import { bodyOf, field } from "../http/index.ts";

/** Returns why no account can be made with the given fields. Implemented by `auth`. */
export type RegistrationFaults = (form: {
  email?: string;
  username?: string | undefined;
  password?: string | undefined;
}) => Promise<FieldFaults>;

const role = field.text({
  most: 32,
  rule: (name) => (isName("role", name) ? name : new FieldFault("invalid_value", "must be names of roles")),
  schema: { pattern: namePattern("role") },
});

export const roleNames = field.optional(field.list(role, 32));

/** Fields that services alone write. */
const keptFields = {
  email_verified: field.optional(field.flag({ description: "Whether the address counts as verified" })),
  roles: roleNames,
  external_id: field.emptiable(externalId),
  app_metadata: mergePatchField("What services keep on the account, and its person and tokens read."),
  user_metadata: mergePatchField("What the person keeps on the account."),
  private_metadata: mergePatchField("What services keep to themselves."),
};

const sendings = ["invitation", "none"];
const send = field.text({
  most: 16,
  rule: (text) => (sendings.includes(text) ? text : new FieldFault("invalid_value", "must be invitation or none")),
  schema: {
    enum: sendings,
    description:
      "`invitation` mails a link by which the person chooses their first password. Default: `none`, which mails nothing",
  },
});

/** The password of a new account: it comes as it is or as a hash, or its person chooses it. */
const passwordFields = {
  password: field.optional(RegisterFields.password),
  password_hash: field.optional(passwordHash),
  send: field.optional(send),
};

/** Returns the faults of fields that are sound in themselves, and can't go together. */
export const passwordFaults = (sent: {
  readonly password?: string | undefined;
  readonly password_hash?: string | undefined;
  readonly send?: string | undefined;
}): FieldFaults => {
  const [isGiven, isHashGiven] = [sent.password !== undefined, sent.password_hash !== undefined];
  const isInvited = sent.send === "invitation" && (isGiven || isHashGiven);
  return faultsAmong({
    password_hash:
      isGiven && isHashGiven ? new FieldFault("invalid_value", "must be absent where there is a password") : undefined,
    send: isInvited ? new FieldFault("invalid_value", "must be none where there is a password already") : undefined,
  });
};

export const createUserBody = (faults: RegistrationFaults) =>
  bodyOf(
    { ...AccountFields, avatar_url: ProfileFields.avatar_url, ...passwordFields, ...keptFields },
    {
      isStrict: true,
      example: {
        email: "ada@example.com",
        username: "ada",
        display_name: "Ada Lovelace",
        email_verified: true,
        external_id: "customer-42",
        app_metadata: { plan: "free" },
        send: "invitation",
      },
    },
    async (sound) => ({ ...(await faults(sound)), ...passwordFaults(sound) }),
  );
export type CreateUserBody = ReturnType<typeof createUserBody>;

export const PatchUserBody = bodyOf(
  { ...ProfileFields, ...keptFields },
  { isStrict: true, example: { external_id: "customer-42", app_metadata: { plan: "pro", trial_ends: null } } },
);

export type PatchUser = Awaited<ReturnType<(typeof PatchUserBody)["~standard"]["validate"]>>["value"];

export const RevokeSessionsBody = bodyOf(
  { session_id: field.optional(field.text({ most: 64, schema: { description: "Default: all of them" } })) },
  { isStrict: true },
);

/** The body of an act that takes nothing: none, or an empty object. */
export const NoFields = bodyOf({}, { isStrict: true });
