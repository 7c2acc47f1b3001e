-- additive
-- The display name as it is searched. Null in rows that an earlier release has written: the schedule auth:fold-names fills them in,
-- because no SQL folds the letters of every script.
alter table users add column display_name_key text;
create index users_display_name on users (display_name_key, id) where display_name_key is not null;
create index users_unfolded on users (id) where display_name_key is null;

create index users_disabled on users (id) where active = 0;
create index users_unverified on users (id) where email_verified_at is null;
-- By their names first, since there are few combinations: the people with a role are found in each of those that have it.
drop index users_with_roles;
create index users_roles on users (roles, id) where roles <> '';

-- Whom a counter keeps out once it is full of failures, and how: `name` counts what strangers typed, `browser` a browser that the account
-- knows, `account` all failures in a row. Null where the name is no account's.
alter table auth_attempts add column locks_user text;
alter table auth_attempts add column locks_by text;
create index auth_attempts_locks on auth_attempts (locks_user) where locks_user is not null;
