-- additive
-- `hold_epoch` goes up with whatever ends other people's hold on an account, such as a new password, a reset or a sign-out everywhere. An address that
-- waits for its confirmation counts only in the epoch in which it was asked for.
alter table users add column hold_epoch bigint not null default 0;
alter table users add column pending_email_epoch bigint not null default 0;

-- Addresses and user names that an account has given up and that nobody else gets for a while: an address while a mailed link leads
-- back to it, a user name for some weeks.
create table auth_reservations (
  kind text not null,
  reserved_key text not null,
  user_id text not null references users (id) on delete cascade,
  expires_at bigint not null,
  primary key (kind, reserved_key)
);
create index auth_reservations_user on auth_reservations (user_id);
create index auth_reservations_expires on auth_reservations (expires_at);
