import { t } from "elysia";
import { faultsAmong } from "../../core/fields.ts";
import { bodyOf, field } from "../../http/index.ts";
import { emailKey } from "../user/identifiers.ts";
import { addressKey, imageUrl, languageTag, ownUsernameKey, timeZone } from "../user/profile.fields.ts";
import { deliveredFields, deliveryFields, refreshedFields } from "./delivery.ts";
import { UserSchema } from "./user.view.ts";

const login = field.text({ most: 320 });
// An empty one is a wrong one, to be refused as such.
const password = field.password({ most: 4096, mayBeEmpty: true });
const token = field.text({ most: 512, mayBeEmpty: true });
const zone = field.text({ most: 64, rule: timeZone });
const locale = field.text({ most: 64, rule: languageTag });
const remember = field.optional(field.flag());

export const LoginBody = bodyOf({ login, password: field.password({ most: 4096 }), remember, ...deliveryFields });

export const RegisterFields = {
  email: field.text({ most: 320 }),
  password,
  username: field.blankable(login),
  display_name: field.blankable(field.text({ most: 200 })),
  timezone: field.blankable(zone),
  locale: field.blankable(locale),
  remember,
  ...deliveryFields,
};

/** What the service refuses besides is told only once it knows whose profile it is. */
export const ProfileBody = bodyOf(
  {
    display_name: field.optional(field.text({ most: 200 })),
    username: field.optional(login),
    email: field.optional(field.text({ most: 320 })),
    avatar_url: field.emptiable(field.text({ most: 2048, rule: imageUrl })),
    timezone: field.emptiable(zone),
    locale: field.emptiable(locale),
    current_password: field.optional(password),
  },
  {},
  ({ email = "", username = "" }) =>
    faultsAmong({
      email: email === "" || emailKey(email) !== undefined ? undefined : addressKey(email),
      username: username === "" ? undefined : ownUsernameKey(username, undefined),
    }),
);

/** An account without a password has none to give. */
export const DeleteAccountBody = bodyOf({ current_password: field.optional(password) });
export const ExportQuery = t.Object({ events_before: t.Optional(t.String({ maxLength: 64 })) });
export const ReauthenticateBody = bodyOf({ current_password: password });
export const ChangePasswordBody = bodyOf({ current_password: password, new_password: password, ...deliveryFields });
export const RefreshBody = bodyOf({
  refresh_token: field.optional(
    field.text({
      most: 512,
      mayBeEmpty: true,
      schema: { description: "In place of the cookie, of an app that is no browser" },
    }),
  ),
});
export const ResetRequestBody = bodyOf({ login });
export const ResetConfirmBody = bodyOf({ token, new_password: password });
export const TokenBody = bodyOf({ token });

export const Ok = t.Object({ ok: t.Literal(true) });
export const OkUser = t.Object({ ok: t.Literal(true), user: UserSchema });
export const SignedInUser = t.Object({ ok: t.Literal(true), user: UserSchema, ...deliveredFields });
export const RefreshedUser = t.Object({ ok: t.Literal(true), user: UserSchema, ...refreshedFields });
export const Registered = t.Object({
  ok: t.Literal(true),
  user: t.Optional(UserSchema),
  requires_email_verification: t.Optional(t.Literal(true)),
  ...deliveredFields,
});
export const ResetRequested = t.Object({ ok: t.Literal(true), reset_token: t.Optional(t.String()) });
export const VerificationRequested = t.Object({ ok: t.Literal(true), verification_token: t.Optional(t.String()) });
export const SessionList = t.Object({
  ok: t.Literal(true),
  sessions: t.Array(
    t.Object({
      id: t.String(),
      current: t.Boolean(),
      device_label: t.String(),
      user_agent: t.String(),
      ip_address: t.String(),
      created_at: t.String(),
      last_seen_at: t.String(),
      expires_at: t.String(),
      remembered: t.Boolean(),
    }),
  ),
});
