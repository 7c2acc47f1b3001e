drop trigger mails_counted_later;
drop trigger mails_counted_first;
drop table mail_hours;
