import { t } from "elysia";
import { faultsAmong, missingField } from "../../core/fields.ts";
import { positionPattern } from "../../core/text/position.ts";
import { bodyOf, field, nullable, Timestamp } from "../../http/index.ts";
import { mergePatchField } from "../metadata/merge.patch.ts";
import { emailKey } from "../user/identifiers.ts";
import { addressKey, ownUsernameKey } from "../user/profile.fields.ts";
import { factorNames } from "../factor/method.ts";
import { avatar, displayName, email, locale, newPassword, username, zone } from "./account.fields.ts";
import { answerFields, method } from "./answer.fields.ts";
import { RequestOptions } from "./factor/passkey.schemas.ts";
import { deliveredFields, deliveryFields, refreshedFields } from "./session/delivery.ts";
import { Id, OwnUserSchema, UserSchema } from "./user.view.ts";

const login = field.text({ most: 320, schema: { description: "A user name or an address" } });
// An empty password is a wrong one, and refused as such.
const password = field.password({ most: 4096, mayBeEmpty: true });
const token = field.text({ most: 512, mayBeEmpty: true, schema: { description: "As it was mailed" } });
const remember = field.optional(field.flag({ description: "Whether the session outlives the browser" }));

const ada = { login: "ada", email: "ada@example.com", password: "a long walk by the sea" };

export const LoginBody = bodyOf(
  { login, password: field.password({ most: 4096 }), remember, ...deliveryFields },
  { example: { login: ada.login, password: ada.password } },
);

/** Fields of an account that every way to make one takes, besides its address. */
const chosenFields = {
  username: field.blankable(username),
  display_name: field.blankable(displayName),
  timezone: field.blankable(zone),
  locale: field.blankable(locale),
};
/** The name of a version of the terms. */
export const acceptedTerms = field.blankable(
  field.text({ most: 64, schema: { description: "The version of the terms that the person accepts" } }),
);
export const AccountFields = { email, ...chosenFields };
export const RegisterFields = {
  ...AccountFields,
  password: newPassword,
  accepted_terms: acceptedTerms,
  remember,
  ...deliveryFields,
};
export const registerExample = { email: ada.email, password: ada.password, username: ada.login };

/** The id by which the operator's own programs know an account. */
export const externalId = field.text({
  most: 128,
  schema: { description: "The id by which your own programs know the account; nobody else has it" },
});

/** Fields of an account that its person and services change. */
export const ProfileFields = {
  display_name: field.optional(displayName),
  username: field.optional(username),
  email: field.optional(email),
  avatar_url: field.emptiable(avatar),
  timezone: field.emptiable(zone),
  locale: field.emptiable(locale),
};

/** Refuses faults that any profile would have: the service refuses other faults once it knows whose profile it is. */
export const ProfileBody = bodyOf(
  {
    ...ProfileFields,
    user_metadata: mergePatchField("What the person keeps for the app."),
    accepted_terms: acceptedTerms,
    current_password: field.optional(password),
  },
  { example: { display_name: "Ada Lovelace", timezone: "Europe/London", locale: "en-GB" } },
  ({ email = "", username = "" }) =>
    faultsAmong({
      email: email === "" || emailKey(email) !== undefined ? undefined : addressKey(email),
      username: username === "" ? undefined : ownUsernameKey(username, undefined),
    }),
);

/** Optional, since an account may have no password. */
export const DeleteAccountBody = bodyOf({ current_password: field.optional(password) });
export const ExportQuery = t.Object({
  events_before: t.Optional(
    t.String({
      maxLength: 64,
      documented: { pattern: positionPattern },
      description: "The `next` of an earlier page",
    }),
  ),
});
/** Either the password, or a method with its fields. */
export const ReauthenticateBody = bodyOf(
  { current_password: field.optional(password), ...answerFields },
  { either: [["current_password"], ["method"]], example: { current_password: ada.password } },
);
export const ChangePasswordBody = bodyOf(
  { current_password: password, new_password: newPassword, ...deliveryFields },
  { example: { current_password: ada.password, new_password: "an even longer walk by the sea" } },
);
export const VerifyBody = bodyOf(
  {
    challenge: field.text({ most: 128, schema: { description: "Of the answer `mfa_required`" } }),
    ...answerFields,
    method,
    ...deliveryFields,
  },
  { example: { challenge: "01a7b0c1-5b9e-7c53-8a63-6a1e3d5f2b10", method: "totp", code: "123456" } },
);
export const RefreshBody = bodyOf({
  refresh_token: field.optional(
    field.text({
      most: 512,
      mayBeEmpty: true,
      schema: { description: "In place of the cookie, of an app that is no browser" },
    }),
  ),
});
export const ResetRequestBody = bodyOf({ login }, { example: { login: ada.email } });
export const EmailLoginBody = bodyOf({ login }, { example: { login: ada.email } });
interface EmailLoginProof {
  readonly token?: string | undefined;
  readonly login?: string | undefined;
  readonly code?: string | undefined;
}
/** Returns what is missing of the token of a link, or of a login with its code. */
export const emailLoginFaults = ({ token: shown, login: typed, code }: EmailLoginProof) =>
  faultsAmong({
    token: shown === undefined && typed === undefined && code === undefined ? missingField : undefined,
    login: shown === undefined && typed === undefined && code !== undefined ? missingField : undefined,
    code: shown === undefined && typed !== undefined && code === undefined ? missingField : undefined,
  });
/** Either the token of the link, or the login with the code. */
export const EmailLoginConfirmBody = bodyOf(
  {
    token: field.optional(token),
    login: field.optional(login),
    code: field.optional(field.text({ most: 32, schema: { description: "The six digits of the mail" } })),
    remember,
    ...deliveryFields,
  },
  { either: [["token"], ["login", "code"]], example: { login: ada.email, code: "492817" } },
  emailLoginFaults,
);
const addedId = field.text({ most: 64, schema: { description: "As `POST /password-reset/inspect` lists it" } });
/** The ids of recent additions that stay: at most as many as an account can have. */
export const ResetConfirmBody = bodyOf({
  token,
  new_password: newPassword,
  keep: field.optional(field.list(addedId, 200)),
});
export const TokenBody = bodyOf({ token });

/** Optional fields are for a person without an account only. */
export const AcceptInvitationBody = bodyOf({
  token,
  password: field.optional(newPassword),
  ...chosenFields,
  accepted_terms: acceptedTerms,
  remember,
  ...deliveryFields,
});

export const invitationRefusals = [
  "invalid_invitation_token",
  "invitation_accepted",
  "invitation_expired",
  "invitation_withdrawn",
] as const;

/** Errors of a password check, besides that for a wrong password. */
export const passwordRefusals = ["account_locked", "rate_limited", "overloaded"] as const;

export const Me = t.Object(
  {
    ok: t.Literal(true),
    user: OwnUserSchema,
    mfa_setup_required: t.Boolean({
      description: "Whether the session may only set up its second factor, because AUTH_MFA_REQUIRED asks for one",
    }),
    impersonator: nullable(
      t.Object(
        {
          id: Id,
          name: t.String(),
          return_to: nullable(t.String({ description: "The page of staff that the end of it leads back to" })),
        },
        { description: "The member of staff who acts in the person's name" },
      ),
    ),
    terms_due: nullable(
      t.String({ description: "The version of the terms to ask the person for: they have not accepted it yet" }),
    ),
  },
  { title: "MeAnswer" },
);
export const OkUser = t.Object({ ok: t.Literal(true), user: UserSchema }, { title: "UserAnswer" });
export const OkOwnUser = t.Object({ ok: t.Literal(true), user: OwnUserSchema }, { title: "OwnUserAnswer" });
export const SignedInUser = t.Object(
  { ok: t.Literal(true), user: UserSchema, ...deliveredFields },
  { title: "SignedInAnswer" },
);
export const RefreshedUser = t.Object(
  { ok: t.Literal(true), user: UserSchema, ...refreshedFields },
  { title: "RefreshedAnswer" },
);
export const Registered = t.Object({
  ok: t.Literal(true),
  user: t.Optional(UserSchema),
  requires_email_verification: t.Optional(t.Literal(true)),
  ...deliveredFields,
});
export const ShownInvitation = t.Object({
  ok: t.Literal(true),
  invitation: t.Object(
    {
      email: t.String(),
      display_name: nullable(t.String()),
      invited_by: nullable(t.String({ description: "The member of staff, or of the organization, who invited" })),
      organization: nullable(t.String({ description: "The name of the organization that it is an invitation to" })),
      expires_at: Timestamp,
      account: t.Union([t.Literal("none"), t.Literal("own"), t.Literal("other")], {
        description:
          "Whether an account has the address already, and whether this request comes from somebody signed in to it",
      }),
    },
    { title: "Invitation" },
  ),
});
export const ResetRequested = t.Object({ ok: t.Literal(true), reset_token: t.Optional(t.String()) });
export const VerificationRequested = t.Object({ ok: t.Literal(true), verification_token: t.Optional(t.String()) });
export const Methods = t.Array(t.UnionEnum([...factorNames]), { description: "The second factors of the account" });
/** Present where the account has a passkey. */
export const PasskeyOptions = t.Optional(RequestOptions);
export const ReauthenticationOptions = t.Object({
  ok: t.Literal(true),
  methods: Methods,
  passkey_options: PasskeyOptions,
});
