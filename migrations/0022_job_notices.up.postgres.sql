-- additive
-- Tells the workers that listen of each job that they may take from now on: one that is new, or a dead letter that is due again. The
-- text is the job's app. It is sent by the commit, once for each app, so that whoever hears it finds the job.
create function notice_job() returns trigger language plpgsql as $$
begin
  perform pg_notify('gatehouse_jobs', new.app);
  return null;
end
$$;
create trigger jobs_noticed after insert on jobs
  for each row execute function notice_job();
create trigger jobs_noticed_again after update on jobs
  for each row when (old.state = 'dead' and new.state = 'pending') execute function notice_job();
