alter table audit_events drop column ends_at;
alter table auth_sessions drop column revoked_reason;
