-- additive
-- The names of a user's roles, sorted and separated by one space. They stand in the user's own row, because what decides a
-- request reads that row anyway.
alter table users add column roles text not null default '';
create index users_with_roles on users (id) where roles <> '';

-- Backends that may ask about users with a secret of their own. A revoked service keeps its row and gives up its name.
create table services (
  id text primary key,
  name text not null,
  secret_hash text not null unique,
  scopes text not null,
  created_at bigint not null,
  last_used_at bigint,
  revoked_at bigint
);
create unique index services_name on services (name) where revoked_at is null;

-- The name of the service that the row is about.
alter table audit_events add column service text;
