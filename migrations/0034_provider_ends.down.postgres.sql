drop trigger auth_sessions_deleted on auth_sessions;
drop trigger auth_sessions_logout on auth_sessions;
drop trigger auth_sessions_ended_below on auth_sessions;
drop function tell_logout();
drop function end_sessions_below();
