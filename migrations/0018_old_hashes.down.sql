drop index users_old_hash;
