alter table auth_totp drop column off_ms;
alter table auth_totp drop column off_at;
alter table audit_events drop column operator;
