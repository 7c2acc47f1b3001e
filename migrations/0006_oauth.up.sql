-- additive
create table auth_identities (
  id text primary key,
  user_id text not null references users (id) on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null,
  email text,
  username text,
  linked_at bigint not null,
  last_login_at bigint,
  unique (provider, issuer, subject)
);
create index auth_identities_user on auth_identities (user_id, linked_at);

create table oauth_states (
  state_hash text primary key,
  provider text not null,
  browser_hash text not null,
  code_verifier text not null,
  nonce text not null,
  next text not null,
  link_user_id text references users (id) on delete cascade,
  link_session_id text,
  created_at bigint not null,
  expires_at bigint not null,
  consumed_at bigint
);
create index oauth_states_expires on oauth_states (expires_at);
create index oauth_states_link_user on oauth_states (link_user_id) where link_user_id is not null;
