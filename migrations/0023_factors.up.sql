-- additive
-- Bits of what the account has as a second factor: 1 for codes of an authenticator app (TOTP), 2 for passkeys. Recovery codes
-- have no bit: they are only there beside one of the two.
alter table users add column factors bigint not null default 0;

-- What the user was let in by (such as `password` or `provider`, null in a session of an earlier release), and by which second factor the
-- session was proven, if by any.
alter table auth_sessions add column came_by text;
alter table auth_sessions add column factor text;

-- The secret shared with an authenticator app, as base32 text. `last_step` is the time step of the code that was used last: none works twice.
create table auth_totp (
  user_id text primary key references users (id) on delete cascade,
  secret text not null,
  confirmed_at bigint,
  last_step bigint not null default 0,
  created_at bigint not null
);

create table auth_recovery_codes (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  code_hash text not null,
  used_at bigint
);
create index auth_recovery_codes_user on auth_recovery_codes (user_id);

-- What stands between a right first proof and the session: it is opened by a second factor. With `session_id` it belongs to a
-- session whose user proves to be there once more. `device_epoch` and `email_key` are those of the account as it was: a new password
-- or address makes the row worthless. `forgives` has the keys of the counters that a success
-- clears, and `invitation_hash` the invitation that the sign-in with a provider was to accept.
create table auth_challenges (
  id text primary key,
  app text not null,
  user_id text not null references users (id) on delete cascade,
  session_id text references auth_sessions (id) on delete cascade,
  identity_id text references auth_identities (id) on delete cascade,
  secret_hash text not null,
  webauthn_challenge text not null,
  came_by text not null,
  invitation_hash text,
  remembered bigint not null,
  device_epoch bigint not null,
  email_key text not null,
  forgives text not null,
  created_at bigint not null,
  expires_at bigint not null
);
create index auth_challenges_user on auth_challenges (user_id, created_at);
create index auth_challenges_expires on auth_challenges (expires_at);
create index auth_challenges_session on auth_challenges (session_id) where session_id is not null;
create index auth_challenges_identity on auth_challenges (identity_id) where identity_id is not null;
