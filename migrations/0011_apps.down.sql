alter table auth_sessions drop column app;
drop index jobs_claim;
create index jobs_claim on jobs (queue, state, available_at);
alter table jobs drop column app;
