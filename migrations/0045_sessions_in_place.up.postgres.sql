-- additive
-- The time at which somebody was last there changes with every minute and every refresh. As long as an index has it, PostgreSQL writes a new entry into each
-- index of the table for that; without, the new version of the row takes the place of an old one in its page. Who has rested since a time is not
-- younger than that, which is what these indexes find. The old ones stay until the new ones are there, for the release that still serves.
create index auth_sessions_unremembered on auth_sessions (created_at) where remembered = 0;
create index auth_sessions_whole_address on auth_sessions (created_at) where short_address is not null;
drop index auth_sessions_idle;
drop index auth_sessions_short_address;
-- New pages keep room for the next version of their rows.
alter table auth_sessions set (fillfactor = 80);
alter table users set (fillfactor = 90);
