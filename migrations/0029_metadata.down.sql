drop table account_metadata;
drop index auth_identities_provider;
drop index users_created_at;
drop index users_external_id;
alter table users drop column external_id;
