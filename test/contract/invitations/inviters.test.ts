import { expect, test } from "bun:test";
import { stage } from "../../support/stage.ts";
import { invitationKit } from "./invitation.fixture.ts";

const staged = await stage();
const { rows, people } = staged;
const kit = await invitationKit(staged);

test("I-11 an invitation stands while whoever made it may invite: no longer after the service is revoked", async () => {
  const email = kit.address("ada");
  const token = await kit.invited(email);
  const operators = kit.address("grace");
  await kit.run("user:invite", operators);
  const other = await kit.tokenTo(operators);
  await kit.run("service:revoke", "crm");
  for (const answer of [await kit.show(token), await kit.accept(token)])
    expect([answer.status, answer.at("code")]).toEqual([410, "invitation_withdrawn"]);
  // A new service with the old name has invited nobody.
  await kit.run("service:create", "crm", "--scope", "users:write");
  expect((await kit.accept(token)).at("code")).toBe("invitation_withdrawn");
  expect((await kit.run("user:invitations")).stdout).toMatch(new RegExp(`${email} .* void `));
  expect((await kit.accept(other)).status).toBe(200);
});

test("I-11 nor after the member of staff is disabled, is no admin any more, or is gone", async () => {
  const staff = await people.register("staff");
  await kit.run("user:roles", staff.id, "--add", "admin");
  const email = kit.address("ada");
  await kit.run("user:invite", email);
  const token = await kit.tokenTo(email);
  rows.run("update auth_invitations set inviter_user_id = ? where email = ?", staff.id, email);
  const refused = async (): Promise<unknown> => (await kit.accept(token)).at("code");
  const shown = async (): Promise<unknown> => (await kit.show(token)).at("invitation.invited_by");
  expect(await shown()).toBe(staff.username);
  await kit.run("user:roles", staff.id, "--remove", "admin", "--add", "not-admin");
  expect(await refused()).toBe("invitation_withdrawn");
  await kit.run("user:roles", staff.id, "--add", "admin");
  rows.run("update users set active = 0 where id = ?", staff.id);
  expect(await refused()).toBe("invitation_withdrawn");
  rows.run("update users set active = 1 where id = ?", staff.id);
  expect(await shown()).toBe(staff.username);
  rows.run("delete from users where id = ?", staff.id);
  expect(await refused()).toBe("invalid_invitation_token");
});
