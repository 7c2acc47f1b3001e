drop table mails;
