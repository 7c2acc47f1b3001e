drop table audit_events;
drop table audit_retention;
drop function refuse_audit_deletion;
drop function refuse_audit_change;
