alter table users reset (fillfactor);
alter table auth_sessions reset (fillfactor);
create index auth_sessions_short_address on auth_sessions (last_seen_at) where short_address is not null;
create index auth_sessions_idle on auth_sessions (last_seen_at) where remembered = 0;
drop index auth_sessions_whole_address;
drop index auth_sessions_unremembered;
