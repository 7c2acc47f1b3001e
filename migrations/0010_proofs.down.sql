alter table auth_sessions drop column proved_at;
alter table auth_grants drop column mailed;
