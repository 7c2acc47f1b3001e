-- additive
-- Password hashes that other systems have made: a process asks at times whether there are any left.
create index users_old_hash on users (id) where password_hash not like '_argon2id_%';
