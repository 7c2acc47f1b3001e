drop table auth_grant_browsers;
