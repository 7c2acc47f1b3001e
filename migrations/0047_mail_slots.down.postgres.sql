create or replace function count_mail() returns trigger language plpgsql as $$
declare
  before bigint := 0;
begin
  if tg_op = 'UPDATE' and new.state = old.state then
    before := old.count;
  end if;
  insert into mail_hours as counted (hour, state, mails)
    values (new.changed_at - new.changed_at % 3600000, new.state, new.count - before)
    on conflict (hour, state) do update set mails = counted.mails + excluded.mails;
  return null;
end $$;
