-- additive
-- Staff open a session as somebody for a few minutes, to see what that person sees. Such a session has `app` 'impersonation', so that a
-- release that knows nothing of it finds no session; `impersonator_id` is the member of staff, and `parent_id` their own session, whose end
-- ends it, too (auth_sessions_ended_below). What programs hold below it names the member of staff as well.
alter table auth_sessions add column impersonator_id text;
create index auth_sessions_impersonator on auth_sessions (impersonator_id) where impersonator_id is not null;

-- Each began with a secret that was good once. `return_to` is the page of staff that its end leads back to, and `session_id` what came of it.
create table auth_impersonations (
  secret_hash text primary key,
  staff_id text not null references users (id) on delete cascade,
  staff_session_id text not null,
  user_id text not null references users (id) on delete cascade,
  reason text not null,
  return_to text not null,
  created_at bigint not null,
  expires_at bigint not null,
  session_id text
);
create index auth_impersonations_staff on auth_impersonations (staff_id);
create index auth_impersonations_user on auth_impersonations (user_id);
create index auth_impersonations_expires on auth_impersonations (expires_at);
create unique index auth_impersonations_session on auth_impersonations (session_id) where session_id is not null;

-- Whatever ends such a session is written to the audit log in the same commit, and ends what programs hold below it.
create function tell_impersonation_ended() returns trigger language plpgsql as $$
begin
  insert into audit_events (id, at, app, action, outcome, reason, actor, actor_user_id, subject_user_id, session_id, count)
    values (new.id, new.revoked_at, 'app', 'auth.impersonation-ended', 'success', new.revoked_reason, 'staff', new.impersonator_id,
      new.user_id, new.id, 1);
  update auth_sessions set revoked_at = new.revoked_at, revoked_reason = 'parent_ended'
    where parent_id = new.id and standing = 0 and revoked_at is null;
  return null;
end
$$;
create trigger auth_sessions_impersonation_ended after update of revoked_at on auth_sessions
  for each row when (old.revoked_at is null and new.revoked_at is not null and new.impersonator_id is not null and new.client_id is null)
  execute function tell_impersonation_ended();

-- One that nothing has ended is deleted once its time is over, or with the account.
create function tell_impersonation_deleted() returns trigger language plpgsql as $$
declare
  moment bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
begin
  insert into audit_events (id, at, app, action, outcome, reason, actor, actor_user_id, subject_user_id, session_id, count)
    values (old.id, least(old.expires_at, moment), 'app', 'auth.impersonation-ended', 'success',
      case when old.expires_at <= moment then 'time_over' else 'account_deleted' end, 'staff', old.impersonator_id, old.user_id, old.id, 1);
  return null;
end
$$;
create trigger auth_sessions_impersonation_deleted after delete on auth_sessions
  for each row when (old.revoked_at is null and old.impersonator_id is not null and old.client_id is null)
  execute function tell_impersonation_deleted();

-- The session of the member of staff is deleted with their account.
create function end_impersonations_below() returns trigger language plpgsql as $$
begin
  update auth_sessions set revoked_at = (extract(epoch from clock_timestamp()) * 1000)::bigint, revoked_reason = 'parent_ended'
    where parent_id = old.id and impersonator_id is not null and revoked_at is null;
  return null;
end
$$;
create trigger auth_sessions_impersonator_gone after delete on auth_sessions
  for each row when (old.app = 'admin' and old.revoked_at is null)
  execute function end_impersonations_below();

-- A member of staff who gets other roles begins anew by what they may do then, and nobody acts as somebody who becomes one of the staff.
create function end_impersonations_of() returns trigger language plpgsql as $$
declare
  moment bigint := (extract(epoch from clock_timestamp()) * 1000)::bigint;
  reason text := case new.active when 1 then 'roles_changed' else 'account_disabled' end;
begin
  update auth_sessions set revoked_at = moment, revoked_reason = reason
    where impersonator_id = new.id and client_id is null and revoked_at is null;
  update auth_sessions set revoked_at = moment, revoked_reason = reason
    where user_id = new.id and impersonator_id is not null and client_id is null and revoked_at is null;
  return null;
end
$$;
create trigger users_impersonation_over after update of roles, active on users
  for each row when (old.roles <> new.roles or (old.active = 1 and new.active = 0))
  execute function end_impersonations_of();
