drop index audit_events_organization;
alter table audit_events drop column organization_id;
delete from auth_invitations where organization_id is not null;
drop index auth_invitations_organization;
drop index auth_invitations_open;
alter table auth_invitations drop column organization_rank;
alter table auth_invitations drop column organization_roles;
alter table auth_invitations drop column organization_id;
create unique index auth_invitations_waiting on auth_invitations (email_key)
  where accepted_at is null and withdrawn_at is null;
alter table auth_sessions drop column organization_id;
drop table organization_members;
drop table organizations;
