drop table auth_reservations;
alter table users drop column pending_email_epoch;
alter table users drop column hold_epoch;
