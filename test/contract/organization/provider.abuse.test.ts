import { describe, expect, test } from "bun:test";
import { auth, nextMail } from "../../support/auth.ts";
import { of } from "./organization.fixture.ts";
import { ended, stageCompanies } from "./provider.fixture.ts";

const world = await stageCompanies();
const { account, browser, company, domains, employee, mailbox, people, rows, signInWith } = world;

const code = ({ status, at }: { status: number; at(path: string): unknown }): unknown => [status, at("code")];

describe("the provider of an organization, against", () => {
  test("Z-83 an admin who would end what its owners demand by giving the domain up", async () => {
    const acme = await company({ enforced: true });
    const eve = await employee(acme, "eve");
    await acme.owner.client.post(of(acme.id, "members", eve.id, "roles"), { roles: ["admin"] });
    const domain = of(acme.id, "domains", acme.domainId);
    expect(code(await eve.client.request("DELETE", domain))).toEqual([403, "forbidden"]);
    expect(rows.count("organization_domains where id = ? and verified_at is not null", acme.domainId)).toBe(1);
    // What nobody has proven carries nothing, and without a provider domains are for admins as before.
    const other = await domains.claim(eve, acme.id, `other-${process.pid}.test`);
    expect((await eve.client.request("DELETE", of(acme.id, "domains", other.id))).status).toBe(200);
    expect((await acme.owner.client.request("DELETE", of(acme.id, "provider"))).status).toBe(200);
    expect(await eve.client.request("DELETE", domain)).toMatchObject({ status: 200 });
    const again = await company({ enforced: true });
    expect((await again.owner.client.request("DELETE", of(again.id, "domains", again.domainId))).status).toBe(200);
  });

  test("Z-86 a company one of whose people has become staff since", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    const at = account(bob.email);
    expect(ended((await signInWith(acme, at)).answer)).toBe("/");
    rows.run("update users set roles = 'admin' where id = ?", bob.id);
    const { client, answer } = await signInWith(acme, at);
    expect(ended(answer)).toEqual([409, "identity_link_required"]);
    expect((await client.get(auth("me"))).status).toBe(401);
    // Where the organization demands its provider, its word and their own password sign them in together.
    const own = { login: bob.email, password: bob.password };
    expect(code(await browser().post(auth("login"), own))).toEqual([403, "provider_required"]);
    expect((await client.post(auth("login"), own)).status).toBe(200);
    rows.run("update users set roles = '' where id = ?", bob.id);
    expect(ended((await signInWith(acme, at)).answer)).toBe("/");
  });

  test("Z-89 a link on another site that would swap a visitor's session for one of the company", async () => {
    const evil = await company();
    const mallory = account((await employee(evil, "mallory")).email);
    const { client, id } = await people.register("ada");
    const elsewhere = { headers: { "sec-fetch-site": "cross-site" } };
    const led = await client.get(`${evil.start}?next=/account`, elsewhere);
    expect([led.status, led.headers.get("location")]).toEqual([302, "/account"]);
    expect((await client.get(auth("me"))).at("user.id")).toBe(id);
    const away = await client.get(`${evil.start}?next=https://evil.example/`, elsewhere);
    expect([away.status, away.headers.get("location")]).toEqual([302, "/"]);
    // A portal of the company may begin a sign-in where nobody is signed in, and a page of this service always.
    expect((await browser().get(evil.start, elsewhere)).headers.get("location")).toStartWith(world.acme.url);
    expect(ended(await world.visit(client, evil.start, mallory))).toBe("/");
  });

  test("Z-84 a company whose name would stand in our mails as a link", async () => {
    const acme = await company();
    const name = "Renew now at http://evil.example/login";
    expect((await acme.owner.client.request("PATCH", of(acme.id), { name })).status).toBe(200);
    const bob = await employee(acme);
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toBe("/");
    const { text } = await nextMail(mailbox, bob.email, "A sign-in was linked to your account");
    expect(text).not.toContain("evil.example");
  });
});
