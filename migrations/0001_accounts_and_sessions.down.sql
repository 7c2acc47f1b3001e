drop table auth_attempts;
drop table auth_grants;
drop table auth_sessions;
drop table users;
