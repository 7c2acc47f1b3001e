-- additive
-- How many mails came to which end in each hour, for charts over a month. A mail that still waits is counted once it comes to one.
create table mail_hours (
  hour bigint not null,
  state text not null,
  mails bigint not null,
  primary key (hour, state)
);
create trigger mails_counted_first after insert on mails
when new.state <> 'waiting'
begin
  insert into mail_hours (hour, state, mails)
    values (new.changed_at - new.changed_at % 3600000, new.state, new.count)
    on conflict (hour, state) do update set mails = mails + excluded.mails;
end;
create trigger mails_counted_later after update on mails
when new.state <> 'waiting' and (new.state <> old.state or new.count <> old.count)
begin
  insert into mail_hours (hour, state, mails)
    values (new.changed_at - new.changed_at % 3600000, new.state,
      case when new.state = old.state then new.count - old.count else new.count end)
    on conflict (hour, state) do update set mails = mails + excluded.mails;
end;
