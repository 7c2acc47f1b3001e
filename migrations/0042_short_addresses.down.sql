drop index auth_sessions_short_address;
alter table auth_sessions drop column short_address;
