-- additive
-- Domains that organizations claim. `token` is what the proof in the domain's own records holds. Of several claims of one domain one can be
-- proven. `missed` counts the looks in a row that found the proof gone, `seen_at` is when it was found last, and `lost_at` when it was given up.
create table organization_domains (
  id text primary key,
  organization_id text not null references organizations (id) on delete cascade,
  domain text not null,
  token text not null,
  join_mode text not null,
  verified_at bigint,
  seen_at bigint,
  checked_at bigint,
  missed bigint not null,
  lost_at bigint,
  created_at bigint not null
);
create unique index organization_domains_claim on organization_domains (organization_id, domain);
create unique index organization_domains_proven on organization_domains (domain) where verified_at is not null;
create index organization_domains_checked on organization_domains (checked_at, id) where verified_at is not null;

-- Who was in an organization once and left it, or was removed: no domain puts them back.
create table organization_leavers (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  removed bigint not null,
  primary key (organization_id, user_id)
);
create index organization_leavers_user on organization_leavers (user_id);

-- An OpenID provider of an organization's own. `secret` is sealed: see src/core/seal.ts.
create table organization_providers (
  organization_id text primary key references organizations (id) on delete cascade,
  issuer text not null,
  client_id text not null,
  secret text not null,
  enforced bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);

-- When the organization's provider was linked to the member's account without being asked for by them.
alter table organization_members add column linked_at bigint;
