import { describe, expect, test } from "bun:test";
import { auth, isServed, type Person } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { giveAuthenticator } from "../../support/factor.ts";
import { eventually } from "../../support/log.ts";
import { of } from "./organization.fixture.ts";
import { stageCompanies, type Company } from "./provider.fixture.ts";

const world = await stageCompanies({ AUTH_PERSONAL_TOKENS_ENABLED: "true" });
const { company, employee, kit, people, rows, setProvider } = world;

const signOut = ({ client }: Person, { id }: Pick<Company, "id">): Promise<Answer> =>
  client.post(of(id, "provider", "sign-out-members"));
const code = ({ status, at }: Answer): unknown => [status, at("code")];

describe("signing out who was signed in before the organization demanded its provider", () => {
  test("Z-94 ends sessions and personal tokens of members below the domain, and of nobody else", async () => {
    const acme = await company();
    const [bob, eve] = [await employee(acme), await employee(acme, "eve")];
    const made = await bob.client.post(auth("tokens"), { name: "script", expires_in_days: 30 });
    expect(made.status).toBe(200);
    await acme.owner.client.post(of(acme.id, "members", eve.id, "roles"), { roles: ["owner"] });
    giveAuthenticator(rows, eve);
    const [guest, stranger] = [await people.register("guest"), await employee(await company(), "dan")];
    await kit.join(acme.owner, acme.id, guest);
    await setProvider(acme.owner, acme.id, { enforced: true });
    expect(await isServed(bob.client)).toBe(true);
    expect((await signOut(acme.owner, acme)).status).toBe(200);
    await eventually("bob is signed out", async () => !(await isServed(bob.client)));
    expect(rows.count("auth_personal_tokens where user_id = ? and revoked_at is null", bob.id)).toBe(0);
    for (const other of [eve, guest, stranger, acme.owner]) expect(await isServed(other.client)).toBe(true);
    const told = rows.all(
      "select action, actor, actor_user_id, reason from audit_events where subject_user_id = ? order by at, id",
      bob.id,
    );
    expect(told.at(-1)).toEqual({
      action: "auth.session-revoked",
      actor: "user",
      actor_user_id: acme.owner.id,
      reason: "provider_required",
    });
    const asked = rows.all("select action, actor_user_id from audit_events where organization_id = ?", acme.id);
    expect(asked).toContainEqual({ action: "organization.members-signed-out", actor_user_id: acme.owner.id });
  });

  test("Z-94 is for owners with a fresh proof, where the provider is demanded", async () => {
    const acme = await company();
    const bob = await employee(acme);
    expect(code(await signOut(acme.owner, acme))).toEqual([409, "provider_not_enforced"]);
    await acme.owner.client.post(of(acme.id, "members", bob.id, "roles"), { roles: ["admin"] });
    expect(code(await signOut(bob, acme))).toEqual([403, "forbidden"]);
    expect(code(await signOut(await people.register("mallory"), acme))).toEqual([404, "organization_not_found"]);
    await acme.owner.client.request("DELETE", of(acme.id, "provider"));
    expect(code(await signOut(acme.owner, acme))).toEqual([404, "provider_not_found"]);
    await setProvider(acme.owner, acme.id, { enforced: true });
    rows.run("update auth_sessions set proved_at = 1 where user_id = ?", acme.owner.id);
    expect(code(await signOut(acme.owner, acme))).toEqual([403, "reauthentication_required"]);
    expect(await isServed(bob.client)).toBe(true);
  });

  test("Z-94 reaches the last of hundreds of members, whose work one job hands on to the next", async () => {
    const acme = await company();
    const insert = `insert into users (id, username, username_key, email, email_key, display_name, roles, active, created_at, updated_at)
      values (?, ?, ?, ?, ?, 'One', '', 1, 1, 1)`;
    for (let count = 0; count < 420; count += 1) {
      const id = Bun.randomUUIDv7();
      const email = `${id}@${acme.domain}`;
      rows.run(insert, id, `u${id}`, `u${id}`, email, email);
      rows.run("insert into organization_members values (?, ?, 'member', 0, 1, null)", acme.id, id);
    }
    rows.run("update organizations set members = members + 420 where id = ?", acme.id);
    const last = await employee(acme, "zoe");
    await setProvider(acme.owner, acme.id, { enforced: true });
    expect((await signOut(acme.owner, acme)).status).toBe(200);
    await eventually("the last one is signed out", async () => !(await isServed(last.client)));
    for (let times = 1; times < 6; times += 1) expect((await signOut(acme.owner, acme)).status).toBe(200);
    expect(code(await signOut(acme.owner, acme))).toEqual([429, "rate_limited"]);
  }, 60_000);
});
