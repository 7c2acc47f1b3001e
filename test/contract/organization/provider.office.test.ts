import { describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { becomeStaff, createPageVisitor, hiddenFields, textOf } from "../../support/staff.ts";
import { startTarget } from "../../support/target.ts";
import { of } from "./organization.fixture.ts";
import { ended, stageCompanies, type Company } from "./provider.fixture.ts";

const world = await stageCompanies();
const { account, browser, company, employee, people, rows, run, signInWith, target } = world;

const lastOf = ({ id }: Company) =>
  rows.all("select action, actor from audit_events where organization_id = ? order by at, id", id).at(-1);
const login = async ({ email, password }: { readonly email: string; readonly password: string }) =>
  (await browser().post(auth("login"), { login: email, password })).status;

describe("what operators do with domains and providers of organizations", () => {
  test("Z-90 org:show says which there are, and never the secret", async () => {
    const acme = await company({ enforced: true });
    const shown = await run("org:show", acme.id);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    for (const words of [acme.domain, "proven", world.settings.issuer, "members have to come by it"])
      expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(words);
    const json = await run("org:show", acme.id, "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      domains: [{ id: acme.domainId, domain: acme.domain, verified: true, join: "none" }],
      provider: { issuer: world.settings.issuer, client_id: world.settings.client_id, enforced: true },
    });
    for (const { stdout } of [shown, json]) expect(stdout).not.toContain(world.settings.client_secret);
  });

  test("Z-90 org:remove-provider lets people in by their own ways again, and the audit log has who did it", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    expect(await login(bob)).toBe(403);
    expect(await run("org:remove-provider", acme.id)).toMatchObject({ code: 0, stderr: "" });
    expect(await login(bob)).toBe(200);
    expect(ended((await signInWith(acme, account(bob.email))).answer)).toEqual([404, "not_found"]);
    expect(lastOf(acme)).toEqual({ action: "organization.provider-removed", actor: "operator" });
    expect(await run("org:remove-provider", acme.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has no provider of its own"),
    });
  });

  test("Z-90 org:remove-domain takes one away, by its name or its id, though it carries the provider", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    expect(await run("org:remove-domain", acme.id, "elsewhere.test")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has no such domain"),
    });
    expect(await run("org:remove-domain", acme.id, acme.domain.toUpperCase(), "--json")).toMatchObject({
      code: 0,
      stdout: `${JSON.stringify({ id: acme.id, domain: acme.domain, removed: true })}\n`,
    });
    expect(await login(bob)).toBe(200);
    expect((await acme.owner.client.get(of(acme.id, "domains"))).at("domains")).toEqual([]);
    expect(lastOf(acme)).toEqual({ action: "organization.domain-removed", actor: "operator" });
  });
});

describe("what staff do with domains and providers of organizations", () => {
  test("Z-90 the page has both, and takes each away after a question", async () => {
    const acme = await company({ enforced: true });
    const bob = await employee(acme);
    await signInWith(acme, account(bob.email));
    const admin = await startTarget({ app: "admin", env: target.env, migrate: false, roles: ["http"] });
    const grace = await people.register("grace");
    rows.prove(grace);
    becomeStaff(rows, grace.email);
    const desk = createPageVisitor(admin.url);
    await desk.submit("/login", { login: grace.email, password: grace.password });
    const page = await desk.get(`/organizations/${acme.id}`);
    for (const words of [acme.domain, "proven", world.settings.issuer]) expect(textOf(page)).toContain(words);
    expect(page.text).not.toContain(world.settings.client_secret);
    const name = (await acme.owner.client.get(of(acme.id))).textAt("organization.name");
    expect(textOf(await desk.get(`/people/${bob.id}`))).toContain(name);
    expect((await run("user:show", bob.id)).stdout).toContain(name);
    const { csrf = "" } = hiddenFields(page.text, "/logout");
    const question = await desk.get(`/organizations/${acme.id}/remove-provider`);
    expect(textOf(question)).toContain("signs nobody in any more");
    await desk.send(`/organizations/${acme.id}/remove-provider`, { csrf });
    expect(await login(bob)).toBe(200);
    expect(lastOf(acme)).toEqual({ action: "organization.provider-removed", actor: "staff" });
    const asked = await desk.get(`/organizations/${acme.id}/remove-domain?domain=${acme.domainId}`);
    expect(textOf(asked)).toContain(acme.domain);
    await desk.send(`/organizations/${acme.id}/remove-domain`, { csrf, domain: acme.domainId });
    expect((await acme.owner.client.get(of(acme.id, "domains"))).at("domains")).toEqual([]);
    expect(lastOf(acme)).toEqual({ action: "organization.domain-removed", actor: "staff" });
    await admin.stop();
  });
});
