-- additive
-- A length that the password of an account has at least, as far as anybody has seen it: for accounts that have nothing but a password.
alter table users add column password_at_least bigint;
