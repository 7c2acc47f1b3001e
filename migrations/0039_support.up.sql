-- additive
-- How far the clock was off by which the last wrong code of an authenticator app was right, and when that was.
alter table auth_totp add column off_ms bigint;
alter table auth_totp add column off_at bigint;
-- The person at the command line who did it, by the name of their login on the host.
alter table audit_events add column operator text;
