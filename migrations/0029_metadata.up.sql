-- additive
-- What an app keeps on an account: the id that it knows the person by, and three objects of JSON. The objects have a table of their own, so that
-- the row of the user, which is written with every sign-in, stays short, and the private one is read only by who may see it.
alter table users add column external_id text;
create unique index users_external_id on users (external_id) where external_id is not null;
create index users_created_at on users (created_at);
create index auth_identities_provider on auth_identities (provider, user_id);
create table account_metadata (
  user_id text primary key references users (id) on delete cascade,
  app_metadata text not null,
  user_metadata text not null,
  private_metadata text not null
);
