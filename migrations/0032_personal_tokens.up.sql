-- additive
-- Tokens that people make for their own scripts. A token itself is stored nowhere.
create table auth_personal_tokens (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  name text not null,
  secret_hash text not null unique,
  created_at bigint not null,
  expires_at bigint not null,
  last_used_at bigint,
  revoked_at bigint
);
create index auth_personal_tokens_user on auth_personal_tokens (user_id, id);
create index auth_personal_tokens_expires on auth_personal_tokens (expires_at);
