-- All rows into one table again: those of parts behind the first are copied, for which writes wait.
do $$
declare
  found record;
begin
  for found in
    select c.relname as part, p.relname as whole from pg_inherits h
      join pg_class c on c.oid = h.inhrelid join pg_class p on p.oid = h.inhparent
      join pg_index i on i.indexrelid = c.oid where i.indrelid = 'audit_events_first'::regclass
  loop
    execute format('alter index %I rename to %I', found.whole, found.whole || '_gone');
    execute format('alter index %I rename to %I', found.part, found.whole);
  end loop;
  for found in select inhrelid::regclass as part from pg_inherits where inhparent = 'audit_events'::regclass loop
    execute format('alter table audit_events detach partition %s', found.part);
    if found.part <> 'audit_events_first'::regclass then
      execute format('insert into audit_events_first select * from %s', found.part);
      execute format('drop table %s', found.part);
    end if;
  end loop;
end $$;
drop table audit_events;
alter table audit_events_first rename to audit_events;
alter table audit_events rename constraint audit_events_first_pkey to audit_events_pkey;
create trigger audit_events_no_update before update on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_no_delete before delete on audit_events
  for each row execute function refuse_audit_deletion();
create trigger audit_events_counted after insert on audit_events
  referencing new table as added for each statement execute function count_audit_events();
