import { afterAll, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { createClient, type Answer } from "../../support/client.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { invitationKit, password } from "./invitation.fixture.ts";

const staged = await stage({ ownProcess: true });
const { target, rows } = staged;
const other = await startTarget({ env: target.env, roles: ["http"], migrate: false, ownProcess: true, shared: true });
afterAll(() => other.stop());
const kit = await invitationKit(staged);

const accept = (url: string, token: string): Promise<Answer> =>
  createClient(url).post(auth("invitation/accept"), { token, password });

test("I-04 of acceptances that reach two processes at once one makes the account", async () => {
  const email = kit.address("ada");
  const token = await kit.invited(email);
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => accept(index % 2 === 0 ? target.url : other.url, token)),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // A request without a place to hash in is refused with 503 and has tried nothing.
  expect(statuses.filter((status) => ![200, 410, 503].includes(status))).toEqual([]);
  expect(rows.count("users where email = ?", email)).toBe(1);
});

test("I-08 of a withdrawal and an acceptance at once one wins, and the other is told", async () => {
  for (let round = 0; round < 5; round += 1) {
    const email = kit.address("ada");
    const token = await kit.invited(email);
    const { id } = rows.get("select id from auth_invitations where email = ?", email);
    const [withdrawn, accepted] = await Promise.all([kit.withdraw(String(id)), accept(other.url, token)]);
    expect([withdrawn.status, accepted.status].toSorted()).toEqual([200, 410]);
    expect(rows.count("users where email = ?", email)).toBe(accepted.status === 200 ? 1 : 0);
  }
});
