import { expect, test } from "bun:test";
import { lockOrderComplaint } from "../support/lock.order.ts";

const user = { sql: "update users set updated_at = $now where id = $id" };
const session = { sql: "insert into auth_sessions (id) values ($id)" };
const grant = { sql: "update auth_grants set redeemed_at = $now" };
const identity = { sql: "delete from auth_identities where user_id = $userId" };
const counter = (key: string) => ({ sql: "delete from auth_attempts where attempt_key = $key", params: { key } });

test.each([
  [[user, session, grant, identity, counter("a"), counter("b")]],
  [[user, session, identity, grant, user, counter("a")]],
  [[session, { sql: "insert into audit_events (id) values ($id)" }, { sql: "insert into jobs (id) values ($id)" }]],
])("a batch in the order of locks is fine: %j", (batch) => {
  expect(lockOrderComplaint(batch)).toBeUndefined();
});

test.each([
  [[session, user], "users is locked after auth_sessions"],
  [[grant, user], "users is locked after auth_grants"],
  [[user, identity, session], "auth_sessions is locked after users, auth_identities"],
  [[counter("a"), grant], "auth_grants is locked after auth_attempts"],
  [[counter("b"), counter("a")], "the counters are not locked in the order of their keys"],
])("a batch out of order is found: %j", (batch, complaint) => {
  expect(lockOrderComplaint(batch)).toBe(complaint);
});
