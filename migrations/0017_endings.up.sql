-- additive
-- Why a session was ended, in a word of a closed set. Sessions that an earlier release has ended have none.
alter table auth_sessions add column revoked_reason text;
-- When what the row is about ends by itself, such as a lock: no process is there to write another row then.
alter table audit_events add column ends_at bigint;
