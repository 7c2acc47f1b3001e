update users set factors = factors - 2 where factors in (2, 3);
drop table auth_passkey_answers;
drop table auth_passkeys;
drop table auth_passkey_handles;
