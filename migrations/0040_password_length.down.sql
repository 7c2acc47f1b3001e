alter table users drop column password_at_least;
