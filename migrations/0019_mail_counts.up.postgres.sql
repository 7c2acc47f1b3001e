-- additive
-- How many mails came to which end in each hour, for charts over a month. A mail that still waits is counted once it comes to one.
create table mail_hours (
  hour bigint not null,
  state text not null,
  mails bigint not null,
  primary key (hour, state)
);
create function count_mail() returns trigger language plpgsql as $$
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
create trigger mails_counted_first after insert on mails
  for each row when (new.state <> 'waiting') execute function count_mail();
create trigger mails_counted_later after update on mails
  for each row when (new.state <> 'waiting' and (new.state <> old.state or new.count <> old.count))
  execute function count_mail();
