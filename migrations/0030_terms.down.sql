alter table oauth_states drop column profile;
alter table users drop column terms_accepted_at;
alter table users drop column terms_version;
