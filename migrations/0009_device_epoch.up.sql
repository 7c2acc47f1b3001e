-- additive
-- Goes up with each new password: what a browser was given before no longer proves that it is one of the account's own.
alter table users add column device_epoch bigint not null default 0;
