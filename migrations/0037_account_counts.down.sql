drop trigger users_counted_seen;
drop trigger users_counted_factors;
drop trigger users_counted_gone;
drop trigger users_counted_new;
drop table account_counts;
