drop table auth_challenges;
drop table auth_recovery_codes;
drop table auth_totp;
alter table auth_sessions drop column factor;
alter table auth_sessions drop column came_by;
alter table users drop column factors;
