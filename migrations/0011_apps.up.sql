-- additive
-- Whose worker takes the job, and with whose settings. Everything that an earlier release has stored is of `app`.
alter table jobs add column app text not null default 'app';
drop index jobs_claim;
create index jobs_claim on jobs (queue, state, app, available_at);

-- The app that opened the session, and the only one that it opens anything in.
alter table auth_sessions add column app text not null default 'app';
