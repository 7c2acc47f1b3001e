import { expect, test } from "bun:test";
import type { By } from "../../../src/core/audit.ts";
import { auth, type Person } from "../../support/auth.ts";
import { office } from "../../support/office.ts";
import { refusalOf } from "../../support/refusal.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people: persons } = await stage({ env: { ADMIN_APP_URL: "http://staff.example.test" } });
const { accounts } = await office(target);
const audit = readAudit(rows);

const origin = { address: "198.51.100.7", userAgent: "Firefox", requestId: "a-request" };
const bySupport = ({ id }: Person): By => ({ actor: "staff", userId: id, role: "support", origin });

async function member(role: string): Promise<Person> {
  const person = await persons.register("staff");
  await accounts.changeRoles(person.id, { add: [role], remove: [] });
  return person;
}

test("S-50 an act that support's role does not allow is refused by the act itself, whichever route might lead to it", async () => {
  const [support, ada] = [await member("support"), await persons.register("ada")];
  const by = bySupport(support);
  expect(await refusalOf(accounts.disable(ada.id, by))).toBe("forbidden");
  expect(await refusalOf(accounts.enable(ada.id, by))).toBe("forbidden");
  expect(await refusalOf(accounts.verify(ada.id, by))).toBe("forbidden");
  expect(await refusalOf(accounts.delete(ada.id, by))).toBe("forbidden");
  expect(await refusalOf(accounts.changeRoles(ada.id, { add: ["editor"], remove: [] }, by))).toBe("forbidden");
  expect(await accounts.revokeSessions(ada.id, by)).toBe(1);
});

test("R-04 support whose role was taken, or changed for another, does nothing more", async () => {
  const [taken, changed, ada] = [await member("support"), await member("support"), await persons.register("ada")];
  await accounts.changeRoles(taken.id, { add: [], remove: ["support"] });
  await accounts.changeRoles(changed.id, { add: ["auditor"], remove: ["support"] });
  for (const who of [taken, changed])
    expect(await refusalOf(accounts.revokeSessions(ada.id, bySupport(who)))).toBe("forbidden");
  expect((await ada.client.get(auth("me"))).status).toBe(200);
});

test("S-52 of an act of support and a role of staff that are given at once, the act comes first or not at all", async () => {
  const support = await member("support");
  const outcomes = new Set<string | undefined>();
  for (let round = 0; round < 30; round += 1) {
    const ada = await persons.register("ada");
    const raise = () => accounts.changeRoles(ada.id, { add: ["auditor"], remove: [] });
    const [outcome] = await Promise.all(
      round % 2 === 0
        ? [refusalOf(accounts.revokeSessions(ada.id, bySupport(support))), raise()]
        : [raise(), refusalOf(accounts.revokeSessions(ada.id, bySupport(support)))].toReversed(),
    );
    const refused = typeof outcome === "string" ? outcome : undefined;
    outcomes.add(refused);
    const told = audit.all("subject_user_id = ? and action in ('auth.role-added', 'auth.session-revoked')", ada.id);
    const order = told.map(({ action }) => action);
    expect(order).toEqual(refused === undefined ? ["auth.session-revoked", "auth.role-added"] : ["auth.role-added"]);
  }
  expect(outcomes.has("forbidden")).toBe(true);
});
