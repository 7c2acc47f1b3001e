drop trigger mails_counted_later on mails;
drop trigger mails_counted_first on mails;
drop function count_mail;
drop table mail_hours;
