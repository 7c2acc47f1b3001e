-- additive
-- The name that authenticators know an account by, which they keep beside its passkeys. It is random, so that it says nothing about
-- the account, and stays when the last passkey goes: one that is made anew then takes the place of the old one on the same device.
create table auth_passkey_handles (
  user_id text primary key references users (id) on delete cascade,
  handle text not null unique,
  created_at bigint not null
);

-- A passkey works for the relying party that it was made for alone: after AUTH_WEBAUTHN_RP_ID has changed, no browser offers it.
create table auth_passkeys (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  rp_id text not null,
  name text not null,
  aaguid text not null,
  transports text not null,
  backup_eligible bigint not null,
  backed_up bigint not null,
  created_at bigint not null,
  last_used_at bigint
);
create index auth_passkeys_user on auth_passkeys (user_id, created_at);

-- Challenges are signed and not stored. Only those that were answered rightly are written down, so that none is answered twice.
create table auth_passkey_answers (
  challenge_hash text primary key,
  expires_at bigint not null
);
create index auth_passkey_answers_expires on auth_passkey_answers (expires_at);
