import { describe, expect, test } from "bun:test";
import { stage } from "../../support/stage.ts";
import { bcrypt, commandsOn, storedIn } from "./transfer.fixture.ts";

const { target, rows } = await stage();
const { run, importing } = commandsOn(target);
const stored = storedIn(rows);

describe("what an app kept in another system", () => {
  describe("in fields whose writers the export does not name", () => {
    const row = (name: string, more: object = {}) => ({
      id: `id_of_${name}`,
      email: `${name}@fields.example.test`,
      verified: 1,
      theme: "dark",
      note: "secret",
      ...more,
    });
    const metadataOf = (name: string) =>
      rows.get(
        `select app_metadata, user_metadata, private_metadata from account_metadata m
         join users u on u.id = m.user_id where u.email = ?`,
        `${name}@fields.example.test`,
      );

    test("H-84 are for services to write, unless the operator says otherwise", async () => {
      await importing([[row("plain")]], "--from", "pocketbase");
      expect(metadataOf("plain")).toEqual({
        app_metadata: '{"theme":"dark","note":"secret"}',
        user_metadata: "{}",
        private_metadata: "{}",
      });
      const attributes = { theme: ["dark"], note: ["a", "b"], LDAP_ENTRY_DN: ["uid=ada"], empty: [] };
      const named = ["--user-fields", "theme , absent", "--private-fields", "note"];
      await importing([{ users: [row("named", { attributes })] }], "--from", "keycloak", ...named);
      expect(metadataOf("named")).toEqual({
        app_metadata: "{}",
        user_metadata: '{"theme":"dark"}',
        private_metadata: '{"note":["a","b"]}',
      });
    });

    test("H-84 show no misspelt column, and none of the system's own, to somebody whom it is not for", async () => {
      for (const slip of ["notes", "password"]) {
        const slipped = await importing([[row("slip")]], "--from", "pocketbase", "--private-fields", slip);
        expect(slipped.stdout).toStartWith(`line 1: it has no column ${slip} of your own\n`);
      }
      // Attributes of Keycloak are each account's own, so that only the whole export tells.
      const attributes = { note: ["a"] };
      const realm = [{ users: [row("realm", { attributes })] }];
      const misspelt = await importing(realm, "--from", "keycloak", "--private-fields", "note,notes");
      expect(misspelt.stderr).toContain("no account has a field of your own called notes");
      const wrong: readonly (readonly string[])[] = [
        ["--user-fields", "a,b", "--private-fields", "b", "--from", "keycloak"],
        ["--user-fields", "a", "--from", "clerk"],
        ["--private-fields", "a"],
        ["--keep-ids"],
      ];
      for (const args of wrong)
        expect({ args, code: (await run(["user:import", "-", ...args])).code }).toEqual({ args, code: 2 });
    });
  });

  test("--keep-ids keeps ids that are no UUIDs as external ids, and leaves those that programs have given", async () => {
    const uuid = "3cd03985-e069-4971-9201-e1aa31ccc8b1";
    const { stdout } = await importing(
      [
        { id: "user_kept", primary_email_address: "kept@ids.example.test" },
        { id: "user_given", primary_email_address: "given@ids.example.test", external_id: "customer-43" },
      ],
      "--from",
      "clerk",
      "--keep-ids",
      "--json",
    );
    expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ source_id: "user_kept", outcome: "imported" });
    await importing([{ id: uuid, email: "uuid@ids.example.test" }], "--from", "supabase", "--keep-ids");
    const django = { model: "auth.user", pk: 7, fields: { email: "seven@ids.example.test", password: bcrypt } };
    await importing([django], "--from", "django", "--keep-ids");
    expect(stored("kept@ids.example.test")).toMatchObject({ external_id: "user_kept" });
    expect(stored("given@ids.example.test")).toMatchObject({ external_id: "customer-43" });
    expect(stored("uuid@ids.example.test")).toMatchObject({ id: uuid, external_id: null });
    expect(stored("seven@ids.example.test")).toMatchObject({ external_id: "7" });
    const taken = await importing(
      [{ id: "user_kept", primary_email_address: "again@ids.example.test" }],
      "--from",
      "clerk",
      "--keep-ids",
    );
    expect(taken.stdout).toStartWith("line 1: external_id: ");
    const long = { id: "x".repeat(129), primary_email_address: "long@ids.example.test" };
    const tooLong = await importing([long], "--from", "clerk", "--keep-ids");
    expect(tooLong.stdout).toStartWith("line 1: external_id: must");
  });

  test("H-81 refuses metadata that can't be kept as the API refuses it: by line and field, and without what was in it", async () => {
    const object = (bytes: number): object => ({ hunter2: "x".repeat(bytes - '{"hunter2":""}'.length) });
    const deep = (levels: number): unknown => (levels === 0 ? "hunter2" : { hunter2: deep(levels - 1) });
    const clerkOf = (name: string, more: object): string =>
      JSON.stringify({ id: name, primary_email_address: `${name}@refused.example.test`, ...more });
    const lines = [
      clerkOf("exact", { public_metadata: object(8_192), unsafe_metadata: object(8_192), private_metadata: deep(8) }),
      clerkOf("large", { public_metadata: object(8_193), private_metadata: object(8_193) }),
      clerkOf("deep", { unsafe_metadata: deep(9) }),
      clerkOf("prototype", { public_metadata: JSON.parse('{"hunter2":{"__proto__":{"hunter2":1}}}') }),
      clerkOf("list", { public_metadata: ["hunter2"] }),
      clerkOf("text", { private_metadata: "hunter2" }),
      clerkOf("number", { unsafe_metadata: { hunter2: 0 } }).replace('"hunter2":0', '"hunter2":9007199254740993'),
      clerkOf("half", { unsafe_metadata: { hunter2: "\ud800" } }),
      clerkOf("nothing", { public_metadata: null, unsafe_metadata: "", private_metadata: "null" }),
      clerkOf("nulls", { public_metadata: { a: null, list: [null, { a: null }], inner: { a: null } } }),
    ];
    const { code, stdout } = await run(["user:import", "-", "--from", "clerk"], lines.join("\n"));
    expect(code).toBe(1);
    expect(stdout).not.toContain("hunter2");
    expect(stdout.trimEnd().split("\n")).toEqual([
      "line 2: app_metadata: must have at most 8 KiB as compact JSON; private_metadata: must have at most 8 KiB as compact JSON",
      "line 3: user_metadata: must have at most 8 levels, of which the object itself is one",
      "line 4: app_metadata: must not have the name __proto__",
      "line 5: app_metadata: must be an object of JSON, or null",
      "line 6: private_metadata: must be an object of JSON, or null",
      "line 7: user_metadata: must have no whole number beyond 9007199254740991, which programs would round: send a text",
      "line 8: user_metadata: must have texts and names of whole Unicode characters",
      "3 accounts imported, 7 refused",
    ]);
    const kept = rows.all(
      `select u.display_name, length(m.app_metadata) as app from account_metadata m join users u on u.id = m.user_id
       where u.email like '%@refused.example.test' order by app desc`,
    );
    expect(kept).toEqual([
      { display_name: "exact@refused.example.test", app: 8_192 },
      { display_name: "nulls@refused.example.test", app: '{"list":[null,{"a":null}],"inner":{}}'.length },
    ]);
    const claims = { email: "claims@refused.example.test", customAttributes: "{hunter2" };
    const split = { primary_email_address: "split@refused.example.test", password_digest: bcrypt };
    for (const password_hasher of ["t=3,hunter2", "constructor", undefined]) {
      const clerk = await importing([{ ...split, password_hasher }], "--from", "clerk");
      const named = password_hasher === "constructor" ? "constructor" : "an unnamed algorithm";
      expect(clerk.stdout).toStartWith(`line 1: its password was hashed by ${named}\n`);
    }
    const firebase = await importing([{ users: [claims] }], "--from", "firebase");
    expect(firebase.stdout).toStartWith("line 1: app_metadata: must be an object of JSON, or null\n");
  });
});

test("P-25 an identity that no database or page shows as it is refuses its line, and one that is named twice is one", async () => {
  const identity = { provider: "google", issuer: "https://accounts.google.com", subject: "twice" };
  const wrong = [
    { ...identity, provider: "goo\u0000gle" },
    { ...identity, issuer: "https://accounts.google.com\u001b[31m" },
    { ...identity, subject: "half\ud800" },
    { ...identity, subject: "7\u0000" },
  ];
  const { stdout, code } = await importing([
    ...wrong.map((each, at) => ({ email: `strange${at}@example.test`, identities: [each] })),
    { email: "twice@example.test", identities: [identity, { ...identity }] },
  ]);
  expect(code).toBe(1);
  expect(stdout.match(/line \d: identities: must have no control characters and no half characters/g)).toHaveLength(4);
  expect(stdout).toContain("1 account imported, 4 refused");
  const { id } = stored("twice@example.test");
  expect(rows.count("auth_identities where user_id = ?", String(id))).toBe(1);
});

test("P-26 an import says how many of its accounts are admins, in a trial, too", async () => {
  const lines = ["root", "user"].map((name) => ({
    email: `${name}@admins.test`,
    roles: name === "root" ? ["admin"] : ["editor"],
  }));
  expect((await importing(lines, "--dry-run")).stdout).toContain(
    "2 accounts would be imported, 1 of them with the role admin",
  );
  const { stdout } = await importing(lines, "--json");
  expect(stdout.split("\n").filter((line) => line.includes('"admin":true'))).toHaveLength(1);
});
