import { describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { stage } from "../../support/stage.ts";
import { domainKit, freshDomain, nameServerOfFile, recordOf } from "./domain.fixture.ts";
import { of, organizationKit, organizations } from "./organization.fixture.ts";

const { names, env } = await nameServerOfFile();
const staged = await stage({ env });
const { people, rows } = staged;
const kit = organizationKit(staged);
const { claim, person, prove, recheck, verify } = domainKit(staged, names);

const domainOf = async ({ client }: Person, id: string): Promise<unknown> =>
  (await client.get(of(id, "domains"))).at("domains.0");
const lost = { verified: false, lost_at: expect.any(String) };

describe("the proof of a domain", () => {
  test("Z-24 is looked at each day: gone once it counts, gone twice it does not, and it can be given again", async () => {
    const owner = await people.register("ada");
    const [id, domain] = [await kit.create(owner), freshDomain()];
    const claimed = await prove(owner, id, domain, "auto");
    const [bob, eve] = [await person("bob", domain), await person("eve", domain)];
    await bob.client.post(of(id, "leave"));
    await recheck();
    names.answers.delete(recordOf(domain));
    await recheck();
    expect(await domainOf(owner, id)).toMatchObject({ verified: true, lost_at: null });
    names.answers.set(recordOf(domain), { texts: [[claimed.value]] });
    await recheck();
    names.answers.set(recordOf(domain), { texts: [["something else"]] });
    await recheck();
    expect(await domainOf(owner, id)).toMatchObject({ verified: true });
    await recheck();
    expect(await domainOf(owner, id)).toMatchObject(lost);
    const told = rows.all(
      "select action, actor, reason from audit_events where organization_id = ? order by at, id",
      id,
    );
    expect(told.at(-1)).toEqual({ action: "organization.domain-lost", actor: "system", reason: domain });

    // Members stay. Nobody joins any more, and others may prove the domain.
    expect((await eve.client.get(of(id))).status).toBe(200);
    expect((await bob.client.get(organizations)).at("joinable")).toEqual([]);
    const grace = await people.register("grace");
    const other = await kit.create(grace);
    const second = await claim(grace, other, domain);
    names.answers.set(recordOf(domain), { texts: [[claimed.value], [second.value]] });
    expect((await verify(owner, id, claimed)).at("domain")).toMatchObject({ verified: true, lost_at: null });
    expect((await verify(grace, other, second)).at("code")).toBe("domain_taken");
  }, 60_000);

  test("Z-24 outlives servers that don't answer, for two weeks", async () => {
    const owner = await people.register("ada");
    const [id, domain] = [await kit.create(owner), freshDomain()];
    await prove(owner, id, domain);
    names.answers.set(recordOf(domain), { code: "SERVFAIL" });
    for (let days = 0; days < 3; days += 1) await recheck();
    expect(await domainOf(owner, id)).toMatchObject({ verified: true });
    rows.run("update organization_domains set seen_at = seen_at - ? where domain = ?", 12 * 86_400_000, domain);
    await recheck();
    expect(await domainOf(owner, id)).toMatchObject(lost);
  }, 60_000);

  test("Z-24 is looked at once a day, however often the schedule runs", async () => {
    const owner = await people.register("ada");
    const [id, domain] = [await kit.create(owner), freshDomain()];
    await prove(owner, id, domain);
    names.answers.delete(recordOf(domain));
    const asked = (): number => names.asked.filter((name) => name === recordOf(domain)).length;
    const before = asked();
    await recheck();
    expect(asked()).toBe(before + 1);
    await recheck(0);
    await recheck(0);
    expect(asked()).toBe(before + 1);
    expect(await domainOf(owner, id)).toMatchObject({ verified: true });
  }, 60_000);
});
