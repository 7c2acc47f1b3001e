import { describe, expect, test } from "bun:test";
import { auth, minute, type Person } from "../../support/auth.ts";
import type { Answer } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { publicUrl } from "../../support/oauth/provider.ts";
import { freshDomain } from "./domain.fixture.ts";
import { of } from "./organization.fixture.ts";
import { stageCompanies } from "./provider.fixture.ts";

const world = await stageCompanies();
const { account, browser, company, domains, kit, people, rows, setProvider, settings, signInWith, target } = world;

const codeOf = ({ status, at }: Answer): unknown => [status, at("code")];
const shown = ({ client }: Person, id: string) => client.get(of(id, "provider"));
const remove = ({ client }: Person, id: string) => client.request("DELETE", of(id, "provider"));
const find = (login: unknown) => browser().post(auth("login/provider"), { login });

describe("the provider of an organization", () => {
  test("Z-28 is set, shown and removed by owners alone, who have just proven who they are, and have a proven domain", async () => {
    const { id, owner, admin, member } = await kit.team();
    expect(codeOf(await setProvider(owner, id))).toEqual([409, "domain_required"]);
    const claimed = await domains.claim(owner, id, freshDomain());
    expect(codeOf(await setProvider(owner, id))).toEqual([409, "domain_required"]);
    await domains.prove(owner, id, freshDomain());
    expect((await shown(owner, id)).at("provider")).toBeNull();
    for (const person of [admin, member])
      for (const answer of [await shown(person, id), await setProvider(person, id), await remove(person, id)])
        expect(codeOf(answer)).toEqual([403, "forbidden"]);
    const stranger = await people.register("mallory");
    for (const answer of [await shown(stranger, id), await setProvider(stranger, id), await remove(stranger, id)])
      expect(codeOf(answer)).toEqual([404, "organization_not_found"]);
    rows.run("update auth_sessions set proved_at = proved_at - ? where user_id = ?", 11 * minute, owner.id);
    expect(codeOf(await setProvider(owner, id))).toEqual([403, "reauthentication_required"]);
    await owner.client.post(auth("reauthenticate"), { current_password: owner.password });
    const set = await setProvider(owner, id);
    const slug = (await owner.client.get(of(id))).textAt("organization.slug");
    expect(set.at("provider")).toMatchObject({
      issuer: settings.issuer,
      client_id: settings.client_id,
      enforced: false,
      start: `${publicUrl}/api/v1/auth/oauth/org-${slug}/start`,
      callback: `${publicUrl}/api/v1/auth/oauth/org-${id}/callback`,
    });
    expect((await shown(owner, id)).at("provider")).toEqual(set.at("provider"));
    expect(claimed.value).not.toBe("");
    const told = rows.all("select action from audit_events where organization_id = ? order by at, id", id).at(-1);
    expect(told).toEqual({ action: "organization.provider-set" });
    expect((await remove(owner, id)).status).toBe(200);
    expect(codeOf(await remove(owner, id))).toEqual([404, "provider_not_found"]);
  });

  test("Z-28 is an OpenID provider that can be asked", async () => {
    const { owner, id } = await company();
    for (const issuer of [
      "",
      "acme.test",
      "ftp://acme.test",
      "https://a:b@acme.test",
      "https://acme.test/?x=1",
      "https://acme.test/#x",
    ])
      expect(codeOf(await setProvider(owner, id, { issuer }))).toEqual([400, "invalid_payload"]);
    for (const missing of ["issuer", "client_id", "client_secret"])
      expect(codeOf(await setProvider(owner, id, { [missing]: undefined }))).toEqual([400, "invalid_payload"]);
    expect((await setProvider(owner, id, { issuer: `${settings.issuer}/other` })).status).toBe(200);
    const asked = await browser().get((await shown(owner, id)).textAt("provider.start").replace(publicUrl, ""));
    expect(codeOf(asked)).toEqual([502, "oauth_exchange_failed"]);
  });

  test("Z-28 ends with the proof of the domain, in the middle of a sign-in as well", async () => {
    const acme = await company();
    expect((await browser().get(acme.start)).status).toBe(302);
    const client = browser();
    const started = await client.get(acme.start);
    await acme.owner.client.request("DELETE", of(acme.id, "domains", acme.domainId));
    for (const path of [acme.start, acme.start.replace("start", "callback?state=x&code=y")])
      expect(codeOf(await client.get(path))).toEqual([404, "not_found"]);
    expect(started.status).toBe(302);
    expect((await find(`x@${acme.domain}`)).at("provider")).toBeNull();
    for (const other of ["org-", "org-nobody", `org-${acme.domainId}`, `ORG-${acme.id}`])
      expect(codeOf(await browser().get(`/api/v1/auth/oauth/${other}/start`))).toEqual([404, "not_found"]);
  });

  test("Z-28 keeps its callback, and those whom it signs in, when the slug changes", async () => {
    const acme = await company();
    const bob = account(`bob@${acme.domain}`);
    const { client } = await signInWith(acme, bob);
    const before = (await client.get(auth("me"))).textAt("user.id");
    const slug = `renamed-${acme.id.slice(-8)}`;
    await acme.owner.client.request("PATCH", of(acme.id), { slug });
    expect(codeOf(await browser().get(acme.start))).toEqual([404, "not_found"]);
    const renamed = { ...acme, start: `/api/v1/auth/oauth/org-${slug}/start` };
    const again = await signInWith(renamed, bob);
    expect((await again.client.get(auth("me"))).textAt("user.id")).toBe(before);
  });
});

describe("the secret of a provider", () => {
  test("Z-27 is never shown again, stored sealed, and of no use to another organization", async () => {
    const secret = "a secret that nobody is to see: Zwergnase";
    const [acme, other] = [await company(), await company()];
    for (const answer of [
      await setProvider(acme.owner, acme.id, { client_secret: secret }),
      await shown(acme.owner, acme.id),
      await acme.owner.client.get(of(acme.id)),
    ])
      expect(answer.text).not.toContain("Zwergnase");
    expect(rows.everything()).not.toContain("Zwergnase");
    expect(target.logs()).not.toContain("Zwergnase");
    const sealed = rows.get("select secret from organization_providers where organization_id = ?", acme.id);
    expect(sealed["secret"]).toMatch(/^1\.[0-9a-f]{8}\.[\w-]{60,}$/);
    rows.run(
      "update organization_providers set secret = ? where organization_id = ?",
      sealed["secret"] ?? "",
      other.id,
    );
    expect(codeOf(await browser().get(other.start))).toEqual([502, "oauth_exchange_failed"]);
    expect(target.logs()).toContain("secret_unreadable");
  });

  test("Z-27 is opened by an earlier APP_KEY, until secrets:reseal has sealed it anew", async () => {
    const acme = await company();
    const of = async (env: object, ...args: string[]) => {
      const ran = await runGatehouse(["secrets:reseal", "--json", ...args], {
        cwd: target.folder,
        env: { ...target.env, ...env },
      });
      const said: { resealed: number; current: number; lost: string[] } = JSON.parse(ran.stdout);
      return { code: ran.code, said };
    };
    const sealedBy = (): unknown =>
      rows.get("select secret from organization_providers where organization_id = ?", acme.id);
    const before = sealedBy();
    const all = rows.count("organization_providers");
    const renewed = { APP_KEY: "another application key of the tests 0123456789" };
    const lost = await of(renewed);
    expect(lost).toMatchObject({ code: 1, said: { resealed: 0, current: 0 } });
    expect(sealedBy()).toEqual(before);
    const both = { ...renewed, APP_PREVIOUS_KEYS: `something else entirely,${target.env["APP_KEY"]}` };
    // The secret that was put into another organization's row opens nowhere.
    const broken = rows.count("organization_providers") - 1;
    const done = await of(both);
    expect(done.said.resealed).toBe(broken);
    expect(done.said.lost).toHaveLength(all - broken);
    expect(sealedBy()).not.toEqual(before);
    expect((await of(renewed)).said).toMatchObject({ resealed: 0, current: broken });
    const back = { APP_PREVIOUS_KEYS: renewed.APP_KEY };
    expect((await of(back)).said.resealed).toBe(broken);
    expect((await signInWith(acme, account(`bob@${acme.domain}`))).answer.status).toBe(303);
  });
});

test("Z-33 what a sign-in page is told of a typed address depends on its domain alone", async () => {
  const acme = await company({ enforced: true });
  const bob = await domains.person("bob", acme.domain);
  const name = (await acme.owner.client.get(of(acme.id))).at("organization.name");
  const told = { name, start: `${publicUrl}${acme.start}`, enforced: true };
  for (const login of [bob.email, `nobody@${acme.domain}`, `NOBODY@${acme.domain.toUpperCase()}`])
    expect((await find(login)).at("provider")).toEqual(told);
  for (const login of [`x@sub.${acme.domain}`, `x@evil-${acme.domain}`, bob.username, acme.domain, `@${acme.domain}`])
    expect((await find(login)).at("provider")).toBeNull();
  await setProvider(acme.owner, acme.id, { enforced: false });
  expect((await find(bob.email)).at("provider")).toEqual({ ...told, enforced: false });
});
