-- additive
-- The count of an hour is one row for each kind of event, which everybody who signs in would wait for until the one before has committed. So each
-- connection counts into one of sixteen: `hour` is the beginning of the hour and the slot of the connection, in milliseconds. Readers cut it down to
-- hours or days, as earlier releases do as well. The schedule `figures:collect` puts the rows of an hour that is over together.
create or replace function count_audit_events() returns trigger language plpgsql as $$
declare
  first_counted bigint := (select counted_from from audit_counting);
begin
  -- The schedule may be moving this time back without seeing a row that is not committed yet: one of the two waits for the other.
  if exists (select 1 from added where at < first_counted) then
    select counted_from into first_counted from audit_counting for share;
  end if;
  insert into audit_hours as counted (hour, action, outcome, reason, app, events)
    select at - at % 3600000 + pg_backend_pid() % 16, action, outcome, case when outcome = 'failure' or action = 'auth.logged-in' then coalesce(reason, '') else '' end, app, sum(count)
      from added where at >= first_counted
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
    on conflict (hour, action, outcome, reason, app) do update set events = counted.events + excluded.events;
  return null;
end $$;
