-- additive
-- A job with a time is retried until `retry_until`, however often that is; `retry_for` is what a retry by an operator
-- gives it anew. Null: it is retried until its attempts are spent.
alter table jobs add column retry_for bigint;
alter table jobs add column retry_until bigint;

-- Which request a mailed token was made for, and when that was: a job that is tried again makes another token for the same
-- request. Null in rows from before. `email` is the address as it was typed, where redeeming puts an old one back.
alter table auth_grants add column request_id text;
alter table auth_grants add column requested_at bigint;
alter table auth_grants add column email text;
create index auth_grants_request on auth_grants (request_id) where request_id is not null;

-- A new address until its mailbox has confirmed it. Not unique: several accounts may wait for one address, the first to confirm gets it.
alter table users add column pending_email text;
alter table users add column pending_email_key text;
alter table users add column pending_email_since bigint;
