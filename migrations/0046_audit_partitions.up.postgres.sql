-- additive
-- The audit log in parts by time, so that what is over goes with its part and leaves nothing to be vacuumed. The table that is there becomes the
-- first part, which has all times for now: nothing is read or copied for that. The schedule `audit:prune` divides the parts by months. The first
-- has no beginning and the last no end, so that there is one for every row, whatever its time is. An id is unique within its part.
alter table audit_events rename to audit_events_first;
alter table audit_events_first rename constraint audit_events_pkey to audit_events_first_pkey;
alter index audit_events_at rename to audit_events_first_at;
alter index audit_events_subject rename to audit_events_first_subject;
alter index audit_events_action rename to audit_events_first_action;
alter index audit_events_address rename to audit_events_first_address;
alter index audit_events_failures rename to audit_events_first_failures;
alter index audit_events_actor rename to audit_events_first_actor;
alter index audit_events_staff rename to audit_events_first_staff;
alter index audit_events_service rename to audit_events_first_service;
alter index audit_events_organization rename to audit_events_first_organization;
drop trigger audit_events_no_update on audit_events_first;
drop trigger audit_events_no_delete on audit_events_first;
drop trigger audit_events_counted on audit_events_first;

create table audit_events (like audit_events_first including defaults) partition by range (at);
create index audit_events_at on audit_events (at);
create index audit_events_subject on audit_events (subject_user_id, at) where subject_user_id is not null;
create index audit_events_action on audit_events (action, at);
create index audit_events_address on audit_events (address, at) where address is not null;
create index audit_events_failures on audit_events (at) where outcome = 'failure';
create index audit_events_actor on audit_events (actor, at) where actor not in ('user', 'anonymous');
create index audit_events_staff on audit_events (actor_user_id, at) where actor = 'staff';
create index audit_events_service on audit_events (service, at) where service is not null;
create index audit_events_organization on audit_events (organization_id, at, id) where organization_id is not null;
alter table audit_events attach partition audit_events_first for values from (minvalue) to (maxvalue);

-- Triggers for each row are the parts' as well. Emptying a part asks that part alone: each has a trigger of its own for that.
create trigger audit_events_no_update before update on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_no_delete before delete on audit_events
  for each row execute function refuse_audit_deletion();
create trigger audit_events_no_truncate before truncate on audit_events
  for each statement execute function refuse_audit_change();
create trigger audit_events_counted after insert on audit_events
  referencing new table as added for each statement execute function count_audit_events();

-- The owner of the table, and what others may do with it, stay as they are.
do $$
declare
  given record;
begin
  execute format('alter table audit_events owner to %s', (select relowner::regrole from pg_class where oid = 'audit_events_first'::regclass));
  for given in
    select case a.grantee when 0 then 'public' else a.grantee::regrole::text end as grantee, a.privilege_type,
        case when a.is_grantable then ' with grant option' else '' end as further
      from pg_class c, aclexplode(c.relacl) a where c.oid = 'audit_events_first'::regclass and a.grantee <> c.relowner
  loop
    execute format('grant %s on audit_events to %s%s', given.privilege_type, given.grantee, given.further);
  end loop;
end $$;
