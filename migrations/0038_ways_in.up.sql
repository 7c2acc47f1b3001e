-- additive
-- The provider that the first proof came from, under its name in metrics: the sign-in that a second factor completes is counted by it. Null where
-- the first proof was another one.
alter table auth_challenges add column provider text;

-- Sign-ins are counted by the way that people came, which is the reason of their rows, and failures by theirs. Both are words of closed sets.
drop trigger audit_events_counted;
create trigger audit_events_counted after insert on audit_events
when new.at >= (select counted_from from audit_counting)
begin
  insert into audit_hours (hour, action, outcome, reason, app, events)
    values (new.at - new.at % 3600000, new.action, new.outcome,
      case when new.outcome = 'failure' or new.action = 'auth.logged-in' then coalesce(new.reason, '') else '' end, new.app, new.count)
    on conflict (hour, action, outcome, reason, app) do update set events = events + excluded.events;
end;
