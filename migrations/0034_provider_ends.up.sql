-- additive
-- Whatever ends the browser's session ends what hangs on it, in the same commit.
create trigger auth_sessions_ended_below after update of revoked_at on auth_sessions
  when old.revoked_at is null and new.revoked_at is not null and new.client_id is null
begin
  update auth_sessions set revoked_at = new.revoked_at, revoked_reason = 'parent_ended'
    where parent_id = new.id and standing = 0 and revoked_at is null;
end;

-- Whatever ends a program's session tells the program, if it has an address for that. The job has the id of the session: there is one. It is
-- tried for a day.
create trigger auth_sessions_logout after update of revoked_at on auth_sessions
  when old.revoked_at is null and new.revoked_at is not null and new.client_id is not null
begin
  insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, retry_for, retry_until, created_at, available_at)
    select new.id, 'webhook-0-logout', 'app', 'idp:logout',
      '{"session_id":"' || new.id || '","user_id":"' || new.user_id || '","client_id":"' || c.id || '"}',
      'pending', 0, 12, 86400000, t.now + 86400000, t.now, t.now
    from idp_clients c, (select cast(unixepoch('subsec') * 1000 as integer) as now) t
    where c.id = new.client_id and c.logout_uri is not null
    on conflict do nothing;
end;
create trigger auth_sessions_deleted before delete on auth_sessions
  when old.revoked_at is null and old.client_id is not null
begin
  insert into jobs (id, queue, app, name, payload, state, attempts, max_attempts, retry_for, retry_until, created_at, available_at)
    select old.id, 'webhook-0-logout', 'app', 'idp:logout',
      '{"session_id":"' || old.id || '","user_id":"' || old.user_id || '","client_id":"' || c.id || '"}',
      'pending', 0, 12, 86400000, t.now + 86400000, t.now, t.now
    from idp_clients c, (select cast(unixepoch('subsec') * 1000 as integer) as now) t
    where c.id = old.client_id and c.logout_uri is not null
    on conflict do nothing;
end;
