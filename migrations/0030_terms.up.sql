-- additive
-- The terms that a person has accepted last, and when; and what a provider has said about a newcomer who has yet to accept them.
alter table users add column terms_version text;
alter table users add column terms_accepted_at bigint;
alter table oauth_states add column profile text;
