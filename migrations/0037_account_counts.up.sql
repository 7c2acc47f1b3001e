-- additive
-- How many accounts there are, of each part of a kind, kept by triggers with each change: a table of a million accounts is too long to be counted
-- for a page. A part is the bits of `users.factors` (`factors`), or the day in UTC on which accounts were made (`new`), were last seen (`seen`), or
-- were seen at all (`active`). `since` has one row where accounts are older than these counts: the day on which they began, before which `active` knows only of the last
-- day of each account. The sum of all slots counts: on PostgreSQL each connection has a slot of its own, so that changes of different accounts do
-- not wait for one another.
create table account_counts (
  kind text not null,
  part bigint not null,
  slot bigint not null,
  accounts bigint not null,
  primary key (kind, part, slot)
);

create trigger users_counted_new after insert on users
begin
  insert into account_counts (kind, part, slot, accounts)
    select c.kind, c.at - c.at % c.width, 0, 1 from (
      select 'factors' as kind, new.factors as at, 1 as width
      union all select 'new', new.created_at, 86400000
      union all select 'seen', new.last_seen_at, 86400000
      union all select 'active', new.last_seen_at, 86400000
    ) c where c.at is not null
    on conflict (kind, part, slot) do update set accounts = accounts + excluded.accounts;
end;
create trigger users_counted_gone after delete on users
begin
  insert into account_counts (kind, part, slot, accounts)
    select c.kind, c.at - c.at % c.width, 0, -1 from (
      select 'factors' as kind, old.factors as at, 1 as width
      union all select 'new', old.created_at, 86400000
      union all select 'seen', old.last_seen_at, 86400000
      union all select 'active', old.last_seen_at, 86400000
    ) c where c.at is not null
    on conflict (kind, part, slot) do update set accounts = accounts + excluded.accounts;
end;
create trigger users_counted_factors after update of factors on users
when old.factors <> new.factors
begin
  insert into account_counts (kind, part, slot, accounts)
    values ('factors', old.factors, 0, -1), ('factors', new.factors, 0, 1)
    on conflict (kind, part, slot) do update set accounts = accounts + excluded.accounts;
end;
-- Only the first time on a day changes anything. Where a clock that was ahead has written a later day, that one is taken back.
create trigger users_counted_seen after update of last_seen_at on users
when old.last_seen_at / 86400000 is not new.last_seen_at / 86400000
begin
  insert into account_counts (kind, part, slot, accounts)
    select c.kind, c.at - c.at % 86400000, 0, c.change from (
      select 'seen' as kind, old.last_seen_at as at, -1 as change
      union all select 'seen', new.last_seen_at, 1
      union all select 'active', new.last_seen_at, 1
      union all select 'active', old.last_seen_at, -1 where coalesce(new.last_seen_at, 0) < old.last_seen_at
    ) c where c.at is not null
    on conflict (kind, part, slot) do update set accounts = accounts + excluded.accounts;
end;

insert into account_counts (kind, part, slot, accounts)
  select 'since', unixepoch() / 86400 * 86400000, 0, 1 where exists (select 1 from users);

-- The accounts that there are, less what the triggers have counted by then, in a slot that is nobody's. All of it is read as one moment has it,
-- while others write.
-- reads ahead
insert into account_counts (kind, part, slot, accounts)
  select kind, part, -1 as slot, cast(sum(accounts) as bigint) as accounts from (
    select 'factors' as kind, factors as part, count(*) as accounts from users group by factors
    union all select 'new', created_at - created_at % 86400000, count(*) from users group by created_at - created_at % 86400000
    union all select k.kind, s.day, s.accounts from (
      select last_seen_at - last_seen_at % 86400000 as day, count(*) as accounts from users
        where last_seen_at is not null group by last_seen_at - last_seen_at % 86400000
    ) s, (select 'seen' as kind union all select 'active') k
    union all select kind, part, -accounts from account_counts where kind in ('factors', 'new', 'seen')
    union all select 'active', part, -accounts from account_counts where kind = 'seen'
  ) counted group by kind, part having sum(accounts) <> 0;
