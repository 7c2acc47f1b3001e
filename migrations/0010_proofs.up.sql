-- additive
-- When the user of a session was last proven: at its sign-in, or since then by the password. Null in a session that was
-- opened by a release without the column: there the sign-in was the proof.
alter table auth_sessions add column proved_at bigint;
-- 0 for a token that was answered to whoever asked for it, as local settings may want: it proves nothing of the address.
alter table auth_grants add column mailed bigint not null default 1;
