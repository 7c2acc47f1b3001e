drop table oauth_states;
drop table auth_identities;
