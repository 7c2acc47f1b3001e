drop trigger users_counted_anew on users;
drop trigger users_counted on users;
drop function count_accounts;
drop table account_counts;
