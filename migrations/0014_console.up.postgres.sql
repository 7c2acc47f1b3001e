-- additive
-- How many events the audit log has for each hour and kind, for charts over a month: a log of ten million rows is too long
-- to be counted for a page. A reason is kept for failures alone, whose reasons are words of a closed set.
create table audit_hours (
  hour bigint not null,
  action text not null,
  outcome text not null,
  reason text not null,
  app text not null,
  events bigint not null,
  primary key (hour, action, outcome, reason, app)
);

-- Rows from `counted_from` on are counted by the trigger as they are written. Those from before are counted by a schedule,
-- which moves this time back in the same transaction: so each row is counted once, whoever writes it and however late.
create table audit_counting (
  only_row bigint primary key check (only_row = 1),
  counted_from bigint not null
);
insert into audit_counting (only_row, counted_from)
  select 1, case when exists (select 1 from audit_events) then 253402300800000 else 0 end;
-- Once for all rows of a statement: the same count changed row by row would leave a version of itself behind for each.
create function count_audit_events() returns trigger language plpgsql as $$
declare
  first_counted bigint := (select counted_from from audit_counting);
begin
  -- The schedule may be moving this time back without seeing a row that is not committed yet: one of the two waits for the other.
  if exists (select 1 from added where at < first_counted) then
    select counted_from into first_counted from audit_counting for share;
  end if;
  insert into audit_hours as counted (hour, action, outcome, reason, app, events)
    select at - at % 3600000, action, outcome, case outcome when 'failure' then coalesce(reason, '') else '' end, app, sum(count)
      from added where at >= first_counted
      group by 1, 2, 3, 4, 5
      order by 1, 2, 3, 4, 5
    on conflict (hour, action, outcome, reason, app) do update set events = counted.events + excluded.events;
  return null;
end $$;
create trigger audit_events_counted after insert on audit_events
  referencing new table as added for each statement execute function count_audit_events();

-- What few rows have is found by an index that most rows are not in, so that writing those costs nothing more.
create index audit_events_actor on audit_events (actor, at) where actor not in ('user', 'anonymous');
create index audit_events_staff on audit_events (actor_user_id, at) where actor = 'staff';
create index audit_events_service on audit_events (service, at) where service is not null;

-- What the app that runs the schedules found every few minutes: how often it was ready, and the most jobs at a time.
create table health_hours (
  hour bigint primary key,
  ready bigint not null,
  not_ready bigint not null,
  failed text,
  most_waiting bigint not null,
  most_dead bigint not null
);

-- The schedules of the scheduler that started last, and who wants one to be run at once.
create table schedules (
  name text primary key,
  cron text not null,
  requested_at bigint,
  requested_by text
);
-- The last runs of each. `ended_at` and `ok` are null while it runs, and stay so where the process was killed.
create table schedule_history (
  id text primary key,
  name text not null,
  started_at bigint not null,
  ended_at bigint,
  ok bigint,
  error text,
  requested_by text
);
create index schedule_history_name on schedule_history (name, started_at);

create index jobs_leased on jobs (leased_until) where leased_until is not null;

-- Where each app keeps its maintenance state. `state_key` is a one-way hash, from which the app's key can't be found.
create table maintenance_places (
  app text primary key,
  driver text not null,
  cache text not null,
  cache_driver text not null,
  state_key text not null,
  forced bigint not null
);
