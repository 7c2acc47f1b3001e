alter table audit_events drop column service;
drop table services;
drop index users_with_roles;
alter table users drop column roles;
