import { describe, expect, test } from "bun:test";
import { runGatehouse, type CommandResult } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { organizationKit, organizationsOn } from "../organization/organization.fixture.ts";

const staged = await stage({ env: organizationsOn });
const { target, people, rows } = staged;
const kit = organizationKit(staged);
const run = (...args: string[]): Promise<CommandResult> =>
  runGatehouse(args, { cwd: target.folder, env: target.env, stdin: "" });
const objectsIn = ({ stdout }: CommandResult): Record<string, unknown>[] =>
  stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ ...Object(JSON.parse(line)) }));
const objectOf = async (...args: string[]): Promise<Record<string, unknown>> =>
  objectsIn(await run(...args, "--json"))[0] ?? {};
const isNarrow = ({ stdout }: CommandResult): boolean =>
  stdout.split("\n").every((line) => Bun.stringWidth(line) <= 80);

describe("org:list", () => {
  test("finds by the beginning of a name or a slug, or by an id, without regard to case and accents", async () => {
    const ada = await people.register("ada");
    const quill = await objectOf("org:create", "Écume Works", "--owner", ada.email, "--slug", "quill-works");
    const other = await objectOf("org:create", "Quillon", "--owner", ada.username);
    const ids = async (...args: string[]) =>
      objectsIn(await run("org:list", "--json", ...args)).map(({ id }) => String(id));
    expect(await ids("--search", "ecume")).toEqual([String(quill["id"])]);
    expect(await ids("--search", "QUILL")).toEqual([String(quill["id"]), String(other["id"])]);
    expect(await ids("--search", String(other["id"]))).toEqual([String(other["id"])]);
    expect(await ids("--search", "%")).toEqual([]);
    const table = await run("org:list", "--search", "quill");
    expect(table).toMatchObject({ code: 0, stderr: "" });
    expect(table.stdout).toStartWith("SLUG");
    expect(isNarrow(table)).toBe(true);
    const some = await run("org:list", "--search", "quill", "--limit", "1");
    expect(some.stderr).toBe("the first 1, there may be more: see --limit\n");
    expect((await run("org:list", "--search", "nothing like it")).stdout).toBe("no organizations\n");
    expect((await run("org:list", "--limit", "0")).code).toBe(2);
  });

  test("gives many page by page, each once, in the order of their names", async () => {
    const ada = await people.register("ada");
    for (let count = 0; count < 205; count += 1)
      rows.run(
        `insert into organizations (id, slug, slug_key, name, name_key, members, owners, created_at, updated_at)
         values (?, ?, ?, ?, ?, 0, 1, 1, 1)`,
        Bun.randomUUIDv7(),
        `many-${count}`,
        `many-${count}`,
        count % 2 === 0 ? `Many ${count}` : `Other ${count}`,
        count % 2 === 0 ? `many ${count}` : `other ${count}`,
      );
    const found = objectsIn(await run("org:list", "--search", "many", "--limit", "1000", "--json"));
    expect(found).toHaveLength(205);
    expect(new Set(found.map(({ id }) => id)).size).toBe(205);
    rows.run("delete from organizations where slug like 'many-%'");
    expect(ada.id).not.toBe("");
  });
});

describe("org:show", () => {
  test("has members, owners and waiting invitations, by slug or id, in 80 columns", async () => {
    const { id, owner, member } = await kit.team("Show Case");
    await owner.client.post(`/api/v1/auth/organizations/${id}/invitations`, { email: "waiting@example.test" });
    for (const named of [id, "show-case"]) {
      const shown = await run("org:show", named);
      expect(shown).toMatchObject({ code: 0, stderr: "" });
      expect(isNarrow(shown)).toBe(true);
      for (const text of [owner.username, "waiting@example.test", "admin", "Show Case"])
        expect(shown.stdout).toContain(text);
    }
    const json = await objectOf("org:show", id);
    expect(json).toMatchObject({
      id,
      slug: "show-case",
      members: 3,
      active_owners: 1,
      owners: [{ user_id: owner.id }],
    });
    expect(json["invitations"]).toMatchObject([{ email: "waiting@example.test", state: "waiting" }]);
    const some = await run("org:show", id, "--limit", "1");
    expect(some.stderr).toBe("the first 1 of 3 members: see --limit\n");
    expect(await run("org:show", "nobody-there")).toMatchObject({
      code: 1,
      stderr:
        "gatehouse org:show: no such organization: org:list --search finds them by the beginning of a name or a slug\n",
    });
    const inPerson = await objectOf("user:show", member.id);
    expect(inPerson["organizations"]).toEqual([{ id, slug: "show-case", name: "Show Case", roles: ["member"] }]);
    expect((await run("user:show", member.id)).stdout).toContain("show-case");
  });

  test("Z-60 says that nobody can act as an owner once all owners are disabled, and an operator gives it one", async () => {
    const { id, owner, member } = await kit.team("Left Alone");
    await run("user:disable", owner.id);
    expect((await run("org:show", id)).stdout.replaceAll(/\s+/g, " ")).toContain("nobody can act as an owner");
    expect((await run("org:list", "--search", "left alone")).stdout).toContain("none");
    expect(await objectOf("org:show", id)).toMatchObject({ active_owners: 0 });
    expect((await run("org:roles", id, member.email, "--add", "owner")).stdout).toBe("member owner\n");
    expect(await objectOf("org:show", id)).toMatchObject({ active_owners: 1 });
    expect((await run("org:remove", id, owner.id)).code).toBe(0);
    expect(rows.get("select members, owners from organizations where id = ?", id)).toEqual({ members: 2, owners: 1 });
  });
});

describe("changes", () => {
  test("Z-61 are made by operators as staff and services make them, and each is in the audit log with its organization", async () => {
    const [ada, grace] = [await people.register("ada"), await people.register("grace")];
    const made = await run("org:create", "Acme Inc", "--owner", ada.username, "--slug", "acme-op");
    expect(made.stdout).toMatch(/^made Acme Inc: its slug is acme-op, its id [0-9a-f-]{36}\n$/);
    const id = String((await objectOf("org:show", "acme-op"))["id"]);
    const added = await run("org:add", "acme-op", grace.email, "--role", "billing", "--role", "admin");
    expect(added.stdout).toBe(`${grace.username} is in Acme Inc now, as billing, admin\n`);
    expect(await run("org:add", "acme-op", grace.email)).toMatchObject({
      code: 1,
      stderr: "the person is a member already\n",
    });
    expect((await run("org:roles", "acme-op", grace.id)).stdout).toBe("admin billing\n");
    expect(await objectOf("org:roles", "acme-op", grace.id, "--remove", "admin")).toEqual({ roles: ["billing"] });
    expect((await run("org:roles", "acme-op", ada.id, "--remove", "owner", "--add", "member")).stderr).toContain(
      "has to keep an owner",
    );
    expect((await run("org:remove", "acme-op", ada.id)).stderr).toContain("has to keep an owner");
    expect((await run("org:remove", "acme-op", grace.id)).code).toBe(0);
    expect((await run("org:remove", "acme-op", grace.id)).stderr).toBe("member not found\n");
    expect((await run("org:delete", "acme-op")).code).toBe(2);
    expect((await run("org:delete", "acme-op", "--force")).stdout).toBe(
      "deleted Acme Inc with 1 member; the accounts stay\n",
    );
    const told = rows.all("select action, actor from audit_events where organization_id = ? order by id", id);
    expect(told.map(({ action, actor }) => `${String(actor)} ${String(action)}`)).toEqual(
      ["created", "member-added", "member-added", "roles-changed", "member-removed", "deleted"].map(
        (what) => `operator organization.${what}`,
      ),
    );
    const listed = objectsIn(await run("audit:list", "--organization", id, "--json"));
    expect(listed).toHaveLength(6);
    expect(listed.every((row) => row["organization_id"] === id)).toBe(true);
  });

  test("refuse a slug that is taken or a page's, an owner who is nobody or disabled, and roles that are no names", async () => {
    const ada = await people.register("ada");
    const create = async (...args: string[]) => {
      const { code, stderr } = await run("org:create", "Acme", ...args);
      return [code, stderr.split("\n")[0]];
    };
    expect(await create("--owner", ada.id, "--slug", "twice")).toEqual([0, ""]);
    expect(await create("--owner", ada.id, "--slug", "tw1ce")).toEqual([1, "slug already in use"]);
    expect((await create("--owner", ada.id, "--slug", "admin"))[0]).toBe(1);
    expect(await create("--owner", "nobody")).toEqual([1, "no such account"]);
    expect((await create())[0]).toBe(2);
    await run("user:disable", ada.id);
    expect(await create("--owner", ada.id)).toEqual([
      1,
      "gatehouse org:create: the account is disabled: user:enable lets its person in again",
    ]);
    expect((await run("org:add", "twice", ada.id, "--role", "No Role")).code).toBe(2);
    expect((await run("org:roles", "twice", ada.id, "--add", "a", "--remove", "a")).code).toBe(2);
  });

  test("are refused where people are in no organizations", async () => {
    const env = { ...target.env, ORGANIZATIONS_ENABLED: "false" };
    const refused = await runGatehouse(["org:list"], { cwd: target.folder, env, stdin: "" });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("people are in no organizations: ORGANIZATIONS_ENABLED is false"),
    });
  });
});
