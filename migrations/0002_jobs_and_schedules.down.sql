drop table schedule_runs;
drop table jobs;
