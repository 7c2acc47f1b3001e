-- additive
-- Each connection counts mails into one of sixteen rows of an hour, as it does with events (0043): `hour` is the beginning of the hour and the slot.
-- Readers cut it down to hours or days, and `figures:collect` puts the rows of an hour that is over together.
create or replace function count_mail() returns trigger language plpgsql as $$
declare
  before bigint := 0;
begin
  if tg_op = 'UPDATE' and new.state = old.state then
    before := old.count;
  end if;
  insert into mail_hours as counted (hour, state, mails)
    values (new.changed_at - new.changed_at % 3600000 + pg_backend_pid() % 16, new.state, new.count - before)
    on conflict (hour, state) do update set mails = counted.mails + excluded.mails;
  return null;
end $$;
