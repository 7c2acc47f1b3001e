drop trigger audit_events_counted;
create trigger audit_events_counted after insert on audit_events
when new.at >= (select counted_from from audit_counting)
begin
  insert into audit_hours (hour, action, outcome, reason, app, events)
    values (new.at - new.at % 3600000, new.action, new.outcome,
      case new.outcome when 'failure' then coalesce(new.reason, '') else '' end, new.app, new.count)
    on conflict (hour, action, outcome, reason, app) do update set events = events + excluded.events;
end;
alter table auth_challenges drop column provider;
