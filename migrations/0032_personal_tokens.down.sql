drop table auth_personal_tokens;
