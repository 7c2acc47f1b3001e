create or replace function count_audit_events() returns trigger language plpgsql as $$
declare
  first_counted bigint := (select counted_from from audit_counting);
begin
  -- The schedule may be moving this time back without seeing a row that is not committed yet: one of the two waits for the other.
  if exists (select 1 from added where at < first_counted) then
    select counted_from into first_counted from audit_counting for share;
  end if;
  insert into audit_hours as counted (hour, action, outcome, reason, app, events)
    select at - at % 3600000, action, outcome, case when outcome = 'failure' or action = 'auth.logged-in' then coalesce(reason, '') else '' end, app, sum(count)
      from added where at >= first_counted
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
    on conflict (hour, action, outcome, reason, app) do update set events = counted.events + excluded.events;
  return null;
end $$;
