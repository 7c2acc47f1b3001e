alter table auth_attempts drop column failures;
