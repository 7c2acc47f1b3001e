-- additive
-- What became of each mail, for whoever is asked where it is. The id is made of the job that sends the mail and of the kind, so that
-- another attempt changes the row instead of adding one. Mails that were held back share a row an hour for each account, kind and reason.
create table mails (
  id text primary key,
  -- Whose mail it is: an account's, or, where there is none, that of an address in the form in which addresses are compared.
  user_id text references users (id) on delete cascade,
  address_key text,
  kind text not null,
  app text not null,
  state text not null,
  -- Why it was held back.
  reason text,
  -- What the relay said last, without the address of the mail.
  answer text,
  attempts bigint not null,
  -- How many mails alike the row stands for.
  count bigint not null,
  requested_at bigint not null,
  changed_at bigint not null
);
create index mails_of_user on mails (user_id, requested_at);
create index mails_of_address on mails (address_key, requested_at) where address_key is not null;
create index mails_by_age on mails (requested_at);
