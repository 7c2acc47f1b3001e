-- additive
-- A mail that signs in has a code beside its link. The code works only in the browser that asked for the mail: `browser_hash` is the
-- SHA-256 of what that browser was given. `code_hash` is made with a key that is not in the database: six digits are soon tried out.
alter table auth_grants add column code_hash text;
alter table auth_grants add column browser_hash text;
create index auth_grants_browser on auth_grants (browser_hash) where browser_hash is not null;
