alter table audit_events drop column invitation_id;
alter table oauth_states drop column invitation_hash;
drop table auth_invitation_tokens;
drop table auth_invitations;
