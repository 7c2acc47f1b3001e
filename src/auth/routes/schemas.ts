import { t } from "elysia";
import { deliveredFields, deliveryFields, refreshedFields } from "./delivery.ts";
import { UserSchema } from "./user.view.ts";

// Bodies of requests and answers. Unknown fields are dropped; what text may hold is said in core/text.ts.
const login = t.String({ maxLength: 320 });
const password = t.String({ maxLength: 4096 });
const optional = <T extends Parameters<typeof t.Optional>[0]>(schema: T) => t.Optional(schema);
const token = t.String({ maxLength: 512 });

// Optional, so that the route itself can refuse with a code of its own; the description says it to readers.
export const LoginBody = t.Object(
  { login: optional(login), password: optional(password), remember: optional(t.Boolean()), ...deliveryFields },
  { description: "Both `login` and `password` have to be given." },
);

export const RegisterBody = t.Object({
  email: t.String({ maxLength: 320 }),
  password,
  username: optional(t.String({ maxLength: 320 })),
  display_name: optional(t.String({ maxLength: 200 })),
  remember: optional(t.Boolean()),
  ...deliveryFields,
});

export const ProfileBody = t.Object({
  display_name: optional(t.String({ minLength: 1, maxLength: 200 })),
  username: optional(t.String({ minLength: 1, maxLength: 320 })),
  email: optional(t.String({ maxLength: 320 })),
  avatar_url: optional(t.Union([t.String({ maxLength: 2048 }), t.Null()])),
  timezone: optional(t.Union([t.String({ maxLength: 64 }), t.Null()])),
  locale: optional(t.Union([t.String({ maxLength: 64 }), t.Null()])),
  current_password: optional(password),
});

/** An account without a password has none to give. */
export const DeleteAccountBody = t.Object({ current_password: optional(password) });
export const ExportQuery = t.Object({ events_before: optional(t.String({ maxLength: 64 })) });
export const ReauthenticateBody = t.Object({ current_password: password });
export const ChangePasswordBody = t.Object({
  current_password: password,
  new_password: password,
  ...deliveryFields,
});
export const RefreshBody = t.Object({
  refresh_token: optional(
    t.String({ maxLength: 512, description: "In place of the cookie, for a client that is no browser" }),
  ),
});
export const ResetRequestBody = t.Object(
  { login: optional(login) },
  { description: "`login` has to be given: a user name or an address." },
);
export const ResetConfirmBody = t.Object({ token, new_password: password });
export const TokenBody = t.Object({ token });

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
