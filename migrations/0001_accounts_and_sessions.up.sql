-- additive
create table users (
  id text primary key,
  username text not null,
  username_key text not null unique,
  email text not null,
  email_key text not null unique,
  display_name text not null,
  avatar_url text,
  password_hash text,
  active bigint not null default 1,
  email_verified_at bigint,
  last_login_at bigint,
  last_seen_at bigint,
  timezone text,
  locale text,
  created_at bigint not null,
  updated_at bigint not null
);

create table auth_sessions (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  secret_hash text not null,
  generation bigint not null,
  rotated_at bigint,
  remembered bigint not null,
  user_agent text not null,
  ip_address text not null,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  revoked_at bigint
);
create index auth_sessions_user on auth_sessions (user_id, created_at);
create index auth_sessions_expires on auth_sessions (expires_at);
create index auth_sessions_revoked on auth_sessions (revoked_at) where revoked_at is not null;
create index auth_sessions_idle on auth_sessions (last_seen_at) where remembered = 0;

create table auth_grants (
  id text primary key,
  purpose text not null,
  user_id text not null references users (id) on delete cascade,
  email_key text not null,
  token_hash text not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  redeemed_at bigint,
  voided_at bigint
);
create index auth_grants_user on auth_grants (user_id, purpose, created_at);
create index auth_grants_expires on auth_grants (expires_at);

create table auth_attempts (
  attempt_key text primary key,
  attempts bigint not null,
  window_started_at bigint not null,
  expires_at bigint not null
);
create index auth_attempts_expires on auth_attempts (expires_at);
