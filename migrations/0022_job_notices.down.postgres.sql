drop trigger jobs_noticed_again on jobs;
drop trigger jobs_noticed on jobs;
drop function notice_job();
