-- additive
create table jobs (
  id text primary key,
  queue text not null,
  name text not null,
  payload text not null,
  state text not null,
  attempts bigint not null default 0,
  max_attempts bigint not null,
  available_at bigint not null,
  leased_until bigint,
  last_error text,
  created_at bigint not null,
  finished_at bigint
);
create index jobs_claim on jobs (queue, state, available_at);
create index jobs_finished on jobs (finished_at) where finished_at is not null;

create table schedule_runs (
  name text primary key,
  last_tick_at bigint not null,
  locked_until bigint not null,
  locked_by text not null
);
