-- additive
-- Companies and teams of people. `slug_key` is the slug with characters that look alike made the same, `name_key` the name as it is searched by
-- its beginning, and `metadata` is an object of JSON. `members` and `owners` count what organization_members holds: who adds a
-- member counts, and who takes one away is counted here, whatever took the row away.
create table organizations (
  id text primary key,
  slug text not null,
  slug_key text not null,
  name text not null,
  name_key text not null,
  metadata text,
  members bigint not null,
  owners bigint not null,
  created_at bigint not null,
  updated_at bigint not null
);
create unique index organizations_slug on organizations (slug_key);
create index organizations_slugs on organizations (slug, id);
create index organizations_names on organizations (name_key, id);

-- `roles` are names in their stored form. `rank` is 2 for an owner, 1 for an admin and 0 for everybody else.
create table organization_members (
  organization_id text not null references organizations (id) on delete cascade,
  user_id text not null references users (id) on delete cascade,
  roles text not null,
  rank bigint not null,
  joined_at bigint not null,
  primary key (organization_id, user_id)
);
create index organization_members_user on organization_members (user_id, organization_id);
create index organization_members_owners on organization_members (organization_id) where rank = 2;

-- An organization is never without an owner, whatever takes the last one away.
create trigger organization_members_gone after delete on organization_members
begin
  update organizations set members = members - 1, owners = owners - (case when old.rank = 2 then 1 else 0 end)
    where id = old.organization_id;
  select raise(abort, 'an organization has an owner') from organizations where id = old.organization_id and owners < 1;
end;

-- The organization for which a session acts. It counts only while the person is a member.
alter table auth_sessions add column organization_id text;

-- An invitation to an organization gives roles there. `organization_rank` is the rank that somebody needs to give them: the invitation is
-- worth nothing once its sender has it no more.
alter table auth_invitations add column organization_id text references organizations (id) on delete cascade;
alter table auth_invitations add column organization_roles text;
alter table auth_invitations add column organization_rank bigint;
create unique index auth_invitations_open on auth_invitations (email_key, coalesce(organization_id, ''))
  where accepted_at is null and withdrawn_at is null;
drop index auth_invitations_waiting;
create index auth_invitations_organization on auth_invitations (organization_id, invited_at, id)
  where organization_id is not null;

-- The organization that the row is about.
alter table audit_events add column organization_id text;
create index audit_events_organization on audit_events (organization_id, at, id) where organization_id is not null;
