-- additive
create table audit_events (
  id text primary key,
  at bigint not null,
  app text not null,
  action text not null,
  outcome text not null,
  reason text,
  actor text not null,
  actor_user_id text,
  subject_user_id text,
  session_id text,
  address text,
  user_agent text,
  request_id text,
  count bigint not null
);
create index audit_events_at on audit_events (at);
create index audit_events_subject on audit_events (subject_user_id, at) where subject_user_id is not null;
create index audit_events_action on audit_events (action, at);
create index audit_events_address on audit_events (address, at) where address is not null;
create index audit_events_failures on audit_events (at) where outcome = 'failure';

-- Rows older than this may be deleted. It is 0 but within the batch of a prune: nothing else deletes from the table.
create table audit_retention (
  only_row bigint primary key check (only_row = 1),
  prune_before bigint not null
);
insert into audit_retention (only_row, prune_before) values (1, 0);

-- Append-only. Postgres can also empty a table without asking for each row: the third is for that.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'audit_events is append-only';
end $$;
create function refuse_audit_deletion() returns trigger language plpgsql as $$
begin
  if old.at >= (select prune_before from audit_retention) then
    raise exception 'audit_events is append-only';
  end if;
  return old;
end $$;
create trigger audit_events_no_update before update on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_no_delete before delete on audit_events
  for each row execute function refuse_audit_deletion();
create trigger audit_events_no_truncate before truncate on audit_events
  for each statement execute function refuse_audit_change();
