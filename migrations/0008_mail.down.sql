alter table users drop column pending_email_since;
alter table users drop column pending_email_key;
alter table users drop column pending_email;
drop index auth_grants_request;
alter table auth_grants drop column email;
alter table auth_grants drop column requested_at;
alter table auth_grants drop column request_id;
alter table jobs drop column retry_until;
alter table jobs drop column retry_for;
