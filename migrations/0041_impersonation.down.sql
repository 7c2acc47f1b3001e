drop trigger users_impersonation_over;
drop trigger auth_sessions_impersonator_gone;
drop trigger auth_sessions_impersonation_deleted;
drop trigger auth_sessions_impersonation_ended;
drop table auth_impersonations;
delete from auth_sessions where impersonator_id is not null;
drop index auth_sessions_impersonator;
alter table auth_sessions drop column impersonator_id;
