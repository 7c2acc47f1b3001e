-- additive
-- Somebody who may have an account by accepting. At most one invitation of an address waits; inviting again renews it. Without
-- `inviter_user_id` and `inviter_service` it was an operator at the command line who invited.
create table auth_invitations (
  id text primary key,
  email text not null,
  email_key text not null,
  roles text not null,
  display_name text,
  locale text,
  inviter_user_id text references users (id) on delete cascade,
  inviter_service text,
  created_at bigint not null,
  invited_at bigint not null,
  expires_at bigint not null,
  withdrawn_at bigint,
  accepted_at bigint,
  accepted_user_id text references users (id) on delete cascade
);
create unique index auth_invitations_waiting on auth_invitations (email_key)
  where accepted_at is null and withdrawn_at is null;
create index auth_invitations_email on auth_invitations (email_key);
create index auth_invitations_invited on auth_invitations (invited_at, id);
create index auth_invitations_inviter on auth_invitations (inviter_user_id) where inviter_user_id is not null;
create index auth_invitations_accepted_user on auth_invitations (accepted_user_id) where accepted_user_id is not null;

-- One row for each mail that was made of an invitation. Each works until the time that its mail says.
create table auth_invitation_tokens (
  token_hash text primary key,
  invitation_id text not null references auth_invitations (id) on delete cascade,
  created_at bigint not null,
  expires_at bigint not null
);
create index auth_invitation_tokens_invitation on auth_invitation_tokens (invitation_id);

-- The hash of the token with which a sign-in with a provider was begun in order to accept an invitation.
alter table oauth_states add column invitation_hash text;

-- The invitation that the row is about, which is nobody's account yet.
alter table audit_events add column invitation_id text;
