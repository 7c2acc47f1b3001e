-- additive
-- Of the charges of a counter, those whose password check has failed; the others are still under way, or were cut off.
alter table auth_attempts add column failures bigint not null default 0;
