import { describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { openRows } from "../../support/rows.ts";
import { stage } from "../../support/stage.ts";
import { startTarget, type Target } from "../../support/target.ts";
import { webhookSecret } from "../../support/receiver.ts";
import { organizationKit, organizationsOn } from "../organization/organization.fixture.ts";

const staged = await stage({ env: organizationsOn });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
const on =
  ({ folder, env }: Target) =>
  (...args: string[]): Promise<CommandResult> =>
    runGatehouse(args, { cwd: folder, env: { ...env, ...organizationsOn }, stdin: "", limitMs: 60_000 });
const run = on(target);

let files = 0;
async function importing(lines: readonly unknown[], ...args: string[]): Promise<CommandResult> {
  files += 1;
  const path = join(target.folder, `import-${files}.ndjson`);
  await Bun.write(path, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
  return run("org:import", path, ...args);
}
const proven = async (name: string) => {
  const person = await people.register(name);
  rows.prove(person);
  return person;
};
const membersOf = (slug: string) =>
  rows.all(
    `select u.email, m.roles from organization_members m join users u on u.id = m.user_id
     join organizations o on o.id = m.organization_id where o.slug = ? order by u.id`,
    slug,
  );
const countsOf = (slug: string) => rows.get("select members, owners from organizations where slug = ?", slug);

const noParts = { domains: 0, providers: 0, invitations: 0, secretless: 0 };

describe("org:import", () => {
  test("makes an organization with its members, by address, id or external id, and the same again changes nothing", async () => {
    const [ada, grace, edith] = [await proven("ada"), await proven("grace"), await people.register("edith")];
    rows.run("update users set external_id = 'user_29w83' where id = ?", grace.id);
    const line = {
      slug: "acme-import",
      name: "Acme Import",
      metadata: { plan: "pro" },
      created_at: "2024-02-03T04:05:06Z",
      members: [
        { email: ada.email, roles: ["owner"], joined_at: "2024-02-03T04:05:06Z" },
        { external_id: "user_29w83", roles: ["billing", "admin"] },
      ],
    };
    const lines = [line, { slug: "acme-import", members: [{ id: edith.id }] }];
    expect(await importing(lines, "--dry-run")).toMatchObject({
      code: 0,
      stdout: "1 organization would be made, 3 members would be added\n",
    });
    expect(membersOf("acme-import")).toEqual([]);
    expect(await importing(lines)).toMatchObject({ code: 0, stdout: "1 organization made, 3 members added\n" });
    expect(membersOf("acme-import")).toEqual([
      { email: ada.email, roles: "owner" },
      { email: grace.email, roles: "admin billing" },
      { email: edith.email, roles: "member" },
    ]);
    expect(countsOf("acme-import")).toEqual({ members: 3, owners: 1 });
    expect(rows.get("select name, metadata, created_at from organizations where slug = 'acme-import'")).toEqual({
      name: "Acme Import",
      metadata: '{"plan":"pro"}',
      created_at: Date.parse("2024-02-03T04:05:06Z"),
    });
    const again = await importing([{ ...line, name: "Other" }, lines[1]]);
    expect(again.stdout).toBe(
      "0 organizations made, 1 organization there already, 0 members added, 3 members in there already\n",
    );
    expect(rows.get("select name from organizations where slug = 'acme-import'")).toEqual({ name: "Acme Import" });
  });

  test("Z-62 changes nothing where one line is at fault, and says of each line what is wrong with it", async () => {
    const ada = await proven("ada");
    const good = { slug: "sound-one", name: "Sound", members: [{ email: ada.email, roles: ["owner"] }] };
    await run("org:create", "Taken", "--owner", ada.id, "--slug", "taken-one");
    const faulty: readonly (readonly [unknown, string])[] = [
      ["{", "is no JSON"],
      [["a"], "organization: must be an object of JSON"],
      [{ name: "No slug" }, "slug: is required"],
      [{ ...good, slug: "admin" }, "slug: is a word that addresses of pages begin with"],
      [{ ...good, slug: "s0und-one" }, "slug: looks like that of another organization"],
      [{ ...good, slug: "tak3n-0ne", titel: "x" }, "titel: is no field of this organization"],
      [{ slug: "no-name", members: good.members }, "name: is missing, and there is no organization of this slug yet"],
      [{ slug: "no-owner", name: "No", members: [{ email: ada.email }] }, "members: must have one with the role owner"],
      [{ ...good, slug: "nobody-1", members: [{ email: "x@example.test" }] }, "members: entry 1 has no account here"],
      [{ ...good, slug: "badly-1", members: [{ id: "x" }] }, "members: has entry 1, whose id must be a UUID"],
      [
        { ...good, slug: "badly-2", members: [{ email: ada.email, roles: ["No Role"] }] },
        "members: has entry 1, whose roles",
      ],
      [{ ...good, slug: "badly-3", members: [{ roles: ["owner"] }] }, "members: has entry 1, whose email is required"],
      [
        { ...good, slug: "badly-4", members: [...good.members, { id: ada.id }] },
        "members: entry 2 is the account of an entry before it",
      ],
    ];
    const answer = await importing([good, ...faulty.map(([line]) => line)]);
    const told = answer.stdout.trimEnd().split("\n");
    expect(answer.code).toBe(1);
    expect(told.at(-1)).toBe("13 lines refused: nothing was imported");
    for (const [at, [, words]] of faulty.entries()) expect(told[at]).toStartWith(`line ${at + 2}: ${words}`);
    expect(membersOf("sound-one")).toEqual([]);
  });

  test("Z-63 takes an address for somebody's only where it is proven: whoever registers another's address gets nothing", async () => {
    const [ada, mallory] = [await proven("ada"), await people.register("mallory")];
    const line = {
      slug: "proven-one",
      name: "Proven",
      members: [
        { email: ada.email, roles: ["owner"] },
        { email: mallory.email, roles: ["owner"] },
      ],
    };
    const refused = await importing([line]);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("entry 2 has an account whose address is not proven"),
    });
    const both = await importing([{ ...line, members: [{ id: ada.id, email: mallory.email, roles: ["owner"] }] }]);
    expect(both.stdout).toContain("entry 1 names several accounts");
    const done = await importing(
      [line, { slug: "proven-one", members: [{ email: "gone@example.test" }] }],
      "--skip-unknown",
      "--json",
    );
    const reports = done.stdout
      .trimEnd()
      .split("\n")
      .map((text): unknown => JSON.parse(text));
    expect(reports).toEqual([
      { line: 1, slug: "proven-one", outcome: "created", added: 1, already: 0, left: 1, ...noParts },
      { line: 2, slug: "proven-one", outcome: "present", added: 0, already: 0, left: 1, ...noParts },
      { created: 1, present: 0, refused: 0, added: 1, already: 0, left: 2, ...noParts },
    ]);
    expect(membersOf("proven-one")).toEqual([{ email: ada.email, roles: "owner" }]);
  });

  test("Z-64 each organization and member has a row in the audit log, and no webhook is told", async () => {
    const ada = await proven("ada");
    const path = join(target.folder, "told.ndjson");
    await Bun.write(
      path,
      JSON.stringify({ slug: "told-one", name: "Told", members: [{ id: ada.id, roles: ["owner"] }] }),
    );
    const env = {
      ...target.env,
      WEBHOOK_LEDGER_URL: "https://ledger.example.test",
      WEBHOOK_LEDGER_SECRET: webhookSecret(),
    };
    expect((await runGatehouse(["org:import", path], { cwd: target.folder, env, stdin: "" })).code).toBe(0);
    const { id } = rows.get("select id from organizations where slug = 'told-one'");
    expect(
      rows.all("select action, actor from audit_events where organization_id = ? order by id", String(id)),
    ).toEqual([
      { action: "organization.created", actor: "operator" },
      { action: "organization.member-added", actor: "operator" },
    ]);
    expect(rows.all("select * from jobs where payload like ?", `%${String(id)}%`)).toEqual([]);
  });

  test("an organization of hundreds comes in by several commits, with the right counts", async () => {
    const insert = `insert into users (id, username, username_key, email, email_key, display_name, roles, active, created_at, updated_at)
      values (?, ?, ?, ?, ?, 'One', '', 1, 1, 1)`;
    const ids = Array.from({ length: 330 }, () => Bun.randomUUIDv7());
    for (const id of ids) rows.run(insert, id, `u${id}`, `u${id}`, `${id}@example.test`, `${id}@example.test`);
    const members = ids.map((id, at) => ({ id, roles: [at % 100 === 0 ? "owner" : "member"] }));
    expect((await importing([{ slug: "hundreds", name: "Hundreds", members }])).stdout).toBe(
      "1 organization made, 330 members added\n",
    );
    expect(countsOf("hundreds")).toEqual({ members: 330, owners: 4 });
  });
});

describe("org:export", () => {
  test("Z-65 moves all to another installation: the same ids, members, roles and times, disabled owners too", async () => {
    const { owner } = await kit.team("Moving House");
    await run("user:disable", owner.id);
    const [accounts, organizations] = ["accounts", "organizations"].map((name) => join(target.folder, `${name}.out`));
    if (accounts === undefined || organizations === undefined) throw new Error("no paths");
    await run("user:export", "--output", accounts);
    expect(await run("org:export", "--output", organizations)).toMatchObject({ code: 0, stderr: "" });
    expect(statSync(organizations).mode & 0o777).toBe(0o600);
    expect((await run("org:export", "--output", organizations)).code).toBe(2);
    const other = await startTarget({ env: organizationsOn });
    const otherRows = openRows(other.databasePath);
    try {
      expect((await on(other)("user:import", accounts)).code).toBe(0);
      const imported = await on(other)("org:import", organizations);
      expect(imported).toMatchObject({ code: 0, stderr: "" });
      const all =
        "select id, slug, slug_key, name, name_key, metadata, members, owners, created_at from organizations order by id";
      const members = "select organization_id, user_id, roles, rank, joined_at from organization_members order by 1, 2";
      expect(otherRows.all(all)).toEqual(rows.all(all));
      expect(otherRows.all(members)).toEqual(rows.all(members));
      expect(rows.all(members).length).toBeGreaterThan(330);
      expect(await on(other)("org:export")).toEqual(await run("org:export"));
    } finally {
      otherRows.close();
      await other.stop();
    }
    const told = rows.all("select actor from audit_events where action = 'organization.exported'");
    expect(told).toEqual([{ actor: "operator" }, { actor: "operator" }]);
  });
});
