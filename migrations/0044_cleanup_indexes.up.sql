-- additive
-- The hourly cleanup finds what has ended by these, and reads nothing else.
create index auth_totp_unconfirmed on auth_totp (created_at) where confirmed_at is null;
create index auth_invitations_expires on auth_invitations (expires_at);
create index auth_invitations_withdrawn on auth_invitations (withdrawn_at) where withdrawn_at is not null;
create index auth_invitations_accepted on auth_invitations (accepted_at) where accepted_at is not null;
create index auth_personal_tokens_revoked on auth_personal_tokens (revoked_at) where revoked_at is not null;
