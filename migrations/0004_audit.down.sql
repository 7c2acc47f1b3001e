drop table audit_events;
drop table audit_retention;
