drop trigger auth_sessions_deleted;
drop trigger auth_sessions_logout;
drop trigger auth_sessions_ended_below;
