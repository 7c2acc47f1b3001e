-- additive
-- Browsers that have asked for a mail which was on its way already, for another browser: its code works in them as well. The browser that the mail
-- was made for goes on standing in `auth_grants`.
create table auth_grant_browsers (
  grant_id text not null references auth_grants (id) on delete cascade,
  browser_hash text not null,
  created_at bigint not null,
  primary key (grant_id, browser_hash)
);
create index auth_grant_browsers_browser on auth_grant_browsers (browser_hash);
