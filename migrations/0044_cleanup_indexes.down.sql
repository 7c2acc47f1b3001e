drop index auth_personal_tokens_revoked;
drop index auth_invitations_accepted;
drop index auth_invitations_withdrawn;
drop index auth_invitations_expires;
drop index auth_totp_unconfirmed;
