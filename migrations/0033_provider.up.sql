-- additive
-- Other programs sign people in here. What one of them may do for a person hangs on a session of its own, below the browser's by which the
-- person allowed it: `parent_id` is that session, `standing` is 1 where the grant outlives it, and `delegation` says what was granted.
alter table auth_sessions add column client_id text;
alter table auth_sessions add column parent_id text;
alter table auth_sessions add column standing bigint;
alter table auth_sessions add column delegation text;
create index auth_sessions_parent on auth_sessions (parent_id) where parent_id is not null;
create index auth_sessions_client on auth_sessions (client_id, user_id) where client_id is not null;

-- Programs that sign people in here. `settings` is an object of JSON with the names of RFC 7591; `origin` says how the client came to be.
-- `jwks` are public keys that came with a program's own document, and `fresh_until` is when that is read again.
create table idp_clients (
  id text primary key,
  name text not null,
  origin text not null,
  settings text not null,
  secret_hash text,
  logout_uri text,
  jwks text,
  fresh_until bigint,
  created_at bigint not null,
  updated_at bigint not null,
  last_used_at bigint
);
create unique index idp_clients_name on idp_clients (name) where origin = 'operator';
create index idp_clients_used on idp_clients (last_used_at) where origin <> 'operator';

-- Where the pages of programs are that run in browsers: scripts from there may read answers. It follows from the addresses in `settings`.
create table idp_browser_origins (
  client_id text not null references idp_clients (id) on delete cascade,
  origin text not null,
  primary key (client_id, origin)
);
create index idp_browser_origins_origin on idp_browser_origins (origin);

-- Answers of people who were asked whether a program may see what it asks for, and call the resource servers that it names.
create table idp_consents (
  user_id text not null references users (id) on delete cascade,
  client_id text not null,
  scope text not null,
  resources text not null default '',
  granted_at bigint not null,
  primary key (user_id, client_id)
);
create index idp_consents_client on idp_consents (client_id);

-- Codes that a program swaps for tokens. `request` is what was asked for, as an object of JSON; `session_id` is what came of it.
create table idp_codes (
  code_hash text primary key,
  client_id text not null,
  user_id text not null references users (id) on delete cascade,
  parent_id text not null,
  request text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  session_id text
);
create index idp_codes_expires on idp_codes (expires_at);
create index idp_codes_user on idp_codes (user_id);

-- Requests that a program has sent ahead of its user, and those that are too long to go through a page in an address.
create table idp_requests (
  id text primary key,
  client_id text not null,
  params text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index idp_requests_expires on idp_requests (expires_at);

-- Devices without a keyboard that wait for their person. `state` is pending, allowed, denied or used.
create table idp_devices (
  device_hash text primary key,
  user_code_hash text not null unique,
  client_id text not null,
  request text not null,
  address text not null,
  user_agent text not null,
  state text not null,
  user_id text references users (id) on delete cascade,
  parent_id text,
  polled_at bigint,
  interval_ms bigint not null,
  session_id text,
  created_at bigint not null,
  expires_at bigint not null
);
create index idp_devices_expires on idp_devices (expires_at);
create index idp_devices_user on idp_devices (user_id) where user_id is not null;

-- Proofs that are good once: assertions of clients, and proofs of possession.
create table idp_proofs (
  proof_hash text primary key,
  expires_at bigint not null
);
create index idp_proofs_expires on idp_proofs (expires_at);

-- Private keys that were made on a developer's machine. Elsewhere the settings have them, and this table is empty.
create table idp_local_keys (
  name text primary key,
  pem text not null
);
