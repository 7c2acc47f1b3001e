drop index auth_grants_browser;
alter table auth_grants drop column browser_hash;
alter table auth_grants drop column code_hash;
