import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { auth } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { startTarget } from "../../support/target.ts";
import { ended, stageCompanies } from "../organization/provider.fixture.ts";
import { of } from "../organization/organization.fixture.ts";

const world = await stageCompanies();
const { account, company, kit, people, rows, run, target, visit } = world;
const file = (name: string): string => join(target.folder, name);

/** Starts another installation, with these variables and the accounts of this one. */
async function startOther(more: Readonly<Record<string, string>> = {}) {
  const env = { ...target.env, ...more };
  delete env["DB_DATABASE"];
  const other = await startTarget({ env });
  const otherRows = openRows(other.databasePath);
  const on = (...args: string[]): Promise<CommandResult> =>
    runGatehouse(args, { cwd: other.folder, env: other.env, stdin: "", limitMs: 60_000 });
  await run("user:export", "--output", file("accounts.out"), "--force");
  expect((await on("user:import", file("accounts.out"))).code).toBe(0);
  afterAll(async () => {
    otherRows.close();
    await other.stop();
  });
  return { other, otherRows, on };
}
const importing = async (on: typeof run, name: string, lines: readonly unknown[], ...args: string[]) => {
  await Bun.write(file(name), lines.map((line) => JSON.stringify(line)).join("\n"));
  return on("org:import", file(name), ...args);
};

test("Z-91 an export has domains, provider and waiting invitations; elsewhere domains have to be proven, and nobody is told", async () => {
  const acme = await company({ enforced: true, join: "auto" });
  await acme.owner.client.post(of(acme.id, "invitations"), {
    email: `carol@${acme.domain}`,
    roles: ["admin", "billing"],
  });
  await acme.owner.client.post(of(acme.id, "invitations"), { email: "gone@home.test" });
  await kit.invitationOf(`carol@${acme.domain}`);
  await kit.invitationOf("gone@home.test");
  rows.run("update auth_invitations set expires_at = 1 where email_key = 'gone@home.test'");
  expect((await run("org:export", "--output", file("all.out"))).code).toBe(0);
  const text = await Bun.file(file("all.out")).text();
  expect(text).not.toContain(world.settings.client_secret);
  expect(text).not.toContain("gone@home.test");

  const { otherRows, on } = await startOther();
  expect(await on("org:import", file("all.out"), "--dry-run")).toMatchObject({ code: 0 });
  const done = await on("org:import", file("all.out"));
  expect(done).toMatchObject({ code: 0, stderr: "" });
  expect(done.stdout).toContain("1 domain to be proven, 1 provider, 1 invitation");
  const claim = otherRows.get("select domain, join_mode, verified_at, token from organization_domains");
  expect(claim).toMatchObject({ domain: acme.domain, join_mode: "auto", verified_at: null });
  expect(claim["token"]).not.toBe(
    rows.get("select token from organization_domains where id = ?", acme.domainId)["token"],
  );
  const invited =
    "select email, organization_id, organization_roles, organization_rank, invited_at, expires_at from auth_invitations where email like 'carol%'";
  expect(otherRows.all(invited)).toEqual(rows.all(invited));
  expect(otherRows.all("select * from jobs where payload like '%invitation%'")).toEqual([]);
  const told = otherRows.all(
    "select action, actor from audit_events where organization_id = ? order by at, id",
    acme.id,
  );
  expect(told.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["organization.domain-added", "organization.provider-set", "auth.user-invited"]),
  );
  // Nothing is changed by the same file again.
  const again = await on("org:import", file("all.out"));
  for (const word of ["proven", "provider", "invitation"]) expect(again.stdout).not.toContain(word);
});

test("Z-91 the secret of a provider comes along sealed: with the same key it signs people in once the domain is proven", async () => {
  const acme = await company();
  expect((await run("org:export", "--output", file("sealed.out"))).code).toBe(0);
  const { other, otherRows, on } = await startOther();
  await on("org:import", file("sealed.out"));
  const client = createClient(other.url);
  const arrives = () => visit(client, acme.start, account(`new@${acme.domain}`));
  expect(ended(await arrives())).toEqual([404, "not_found"]);
  otherRows.run("update organization_domains set verified_at = 1 where domain = ?", acme.domain);
  expect(ended(await arrives())).toBe("/");
  expect((await client.get(auth("me"))).at("user.email")).toBe(`new@${acme.domain}`);
});

test("Z-91 where no key opens the secret the provider is left out and counted, and one that is written into the file is taken", async () => {
  const acme = await company();
  expect((await run("org:export", "--output", file("other.out"))).code).toBe(0);
  const { otherRows, on } = await startOther({ APP_KEY: "another-key-of-thirty-two-letters-and-more" });
  const done = await on("org:import", file("other.out"));
  expect(done.code).toBe(0);
  expect(done.stdout).toContain("without their secret left out");
  expect(otherRows.count("organization_providers")).toBe(0);
  const { slug } = rows.get("select slug from organizations where id = ?", acme.id);
  const { client_secret: _secret, ...provider } = world.settings;
  const line = { slug, provider: { ...provider, client_secret: "typed by hand" } };
  expect((await importing(on, "typed.out", [line])).stdout).toContain("1 provider");
  expect(otherRows.all("select organization_id, enforced from organization_providers")).toEqual([
    { organization_id: acme.id, enforced: 0 },
  ]);
  expect(JSON.stringify(otherRows.all("select * from organization_providers"))).not.toContain("typed by hand");
  // One that is there stays as it is.
  const changed = { slug, provider: { ...provider, client_id: "other", client_secret: "other" } };
  expect((await importing(on, "changed.out", [changed])).stdout).not.toContain("provider");
});

test("Z-91 a line with a domain of somebody else's, or with what nobody may write, is refused in words", async () => {
  const [acme, ada] = [await company(), await people.register("ada")];
  const base = { slug: "parts-at-fault", name: "Faulty", members: [{ id: ada.id, roles: ["owner"] }] };
  const faulty: readonly (readonly [object, string])[] = [
    [{ domains: [{ domain: acme.domain }] }, "domains: entry 1 is proven by another organization"],
    [{ domains: [{ domain: "co.uk" }] }, "domains: has entry 1, whose domain is one below which strangers"],
    [
      { domains: [{ domain: "fine.test", join: "all" }] },
      "domains: has entry 1, whose join must be none, invite or auto",
    ],
    [
      { domains: [{ domain: "fine.test", verified: true }] },
      "domains: has entry 1, whose verified is no field of this domain",
    ],
    [
      { provider: { issuer: "ftp://x.test", client_id: "x", client_secret: "x" } },
      "provider: issuer must be the https URL",
    ],
    [{ provider: { client_id: "x" } }, "provider: is at fault: its issuer is required"],
    [{ invitations: [{ email: "nonsense" }] }, "invitations: has entry 1, whose email"],
    [{ invitations: [{ email: "a@b.test", roles: ["No Role"] }] }, "invitations: has entry 1, whose roles"],
    [
      { invitations: [{ email: "a@b.test", expires_at: "2099-01-01T00:00:00Z" }] },
      "invitations: has entry 1, whose expires_at must be a time, at most 30 days",
    ],
  ];
  for (const [more, words] of faulty) {
    const answer = await importing(run, "faulty.out", [{ ...base, ...more }]);
    expect(answer.code).toBe(1);
    expect(answer.stdout).toStartWith(`line 1: ${words}`);
  }
  expect(rows.count("organizations where slug = 'parts-at-fault'")).toBe(0);
});
