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

create function count_accounts() returns trigger language plpgsql as $$
declare
  was bigint := old.last_seen_at / 86400000;
  day bigint := new.last_seen_at / 86400000;
begin
  insert into account_counts as counted (kind, part, slot, accounts)
    select c.kind, c.at - c.at % c.width, pg_backend_pid() % 32, sum(c.change) from (values
      ('factors', 1, old.factors, -1),
      ('factors', 1, new.factors, 1),
      ('new', 86400000, old.created_at, -1),
      ('new', 86400000, new.created_at, 1),
      ('seen', 86400000, old.last_seen_at, -1),
      ('seen', 86400000, new.last_seen_at, 1),
      ('active', 86400000, case when was is distinct from day then new.last_seen_at end, 1),
      -- Where a clock that was ahead has written a later day, that one is taken back.
      ('active', 86400000, case when day is null or day < was then old.last_seen_at end, -1)
    ) c (kind, width, at, change)
    where c.at is not null
    group by 1, 2, 3 having sum(c.change) <> 0
    order by 1, 2, 3
    on conflict (kind, part, slot) do update set accounts = counted.accounts + excluded.accounts;
  return null;
end $$;
create trigger users_counted after insert or delete on users for each row execute function count_accounts();
create trigger users_counted_anew after update of last_seen_at, factors on users for each row
  when (old.factors <> new.factors or old.last_seen_at / 86400000 is distinct from new.last_seen_at / 86400000)
  execute function count_accounts();

insert into account_counts (kind, part, slot, accounts)
  select 'since', floor(extract(epoch from now()) / 86400)::bigint * 86400000, 0, 1 where exists (select 1 from users);

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
