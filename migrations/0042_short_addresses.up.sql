-- additive
-- The address of a session as it is kept once the session has ended; null where it is kept as it is, and once it has become that.
alter table auth_sessions add column short_address text;
create index auth_sessions_short_address on auth_sessions (last_seen_at) where short_address is not null;
