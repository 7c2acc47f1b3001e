import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stage } from "../../support/stage.ts";
import { bcrypt, commandsOn, password, signsIn, storedIn } from "./transfer.fixture.ts";

const { target, rows } = await stage({ hashesAsShipped: true });
const { run, importing } = commandsOn(target);
const stored = storedIn(rows);
const current = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe("an export of another system", () => {
  const fileOf = (name: string): string => join(import.meta.dir, "exports", name);
  const systems = [
    {
      system: "pocketbase",
      file: "pocketbase.export",
      args: ["--user-fields", "theme", "--private-fields", "risk"],
      refused: [],
      people: { "ada@pocketbase.example.test": password, "old@pocketbase.example.test": password },
    },
    {
      system: "supabase",
      file: "supabase.export",
      refused: ["line 4: it was deleted there"],
      people: {
        "ada@supabase.example.test": password,
        "moved.from.firebase@supabase.example.test": "user1password",
      },
    },
    {
      system: "django",
      file: "django.export",
      refused: ["line 7: password_hash: must be a password hash of a kind that is known"],
      people: Object.fromEntries(
        ["pbkdf2_sha256", "pbkdf2_sha1", "argon2", "bcrypt_sha256", "bcrypt", "scrypt"].map((name) => [
          `${name}@django.example.test`,
          password,
        ]),
      ),
    },
    {
      system: "keycloak",
      file: "keycloak.export",
      refused: ["line 128: email: is required"],
      people: {
        "user1@keycloak.example.test": "user1",
        "user2@keycloak.example.test": "password",
        "user3@keycloak.example.test": "secret",
      },
    },
    {
      system: "firebase",
      file: "firebase.export",
      args: ["--hash-config", fileOf("firebase.hash.config")],
      refused: ["line 1: email: is required"],
      people: { "user1@firebase.example.test": "user1password" },
    },
    {
      system: "clerk",
      file: "clerk.export",
      refused: ["line 10: its password was hashed by md5", "line 11: email: is required"],
      people: {
        ...Object.fromEntries(
          ["ada", "grace", "alan", "pbkdf2_sha256", "pbkdf2_sha256_django", "pbkdf2_sha1", "argon2id"].map((name) => [
            `${name}@clerk.example.test`,
            password,
          ]),
        ),
        "firebase@clerk.example.test": "user1password",
      },
    },
    {
      system: "auth0",
      file: "auth0.export",
      refused: ["line 4: email: is required"],
      people: { "ada@auth0.example.test": password, "hashes@auth0.example.test": password },
    },
  ];

  test.each(systems)(
    "P-23 of $system comes in by one command, everybody signs in, and every hash is renewed",
    async ({ system, file, args = [], refused, people: known }) => {
      const { code, stdout, stderr } = await run(["user:import", fileOf(file), "--from", system, ...args]);
      const lines = stdout.trimEnd().split("\n");
      expect({ stderr, refused: lines.slice(0, -1) }).toEqual({ stderr: "", refused });
      expect(code).toBe(refused.length === 0 ? 0 : 1);
      for (const [email, secret] of Object.entries(known)) {
        expect(stored(email)["password_hash"]).not.toMatch(current);
        expect({ email, status: await signsIn(target.url, email, `${secret}!`) }).toEqual({ email, status: 401 });
        expect({ email, status: await signsIn(target.url, email, secret) }).toEqual({ email, status: 200 });
        expect(stored(email)["password_hash"]).toMatch(current);
      }
    },
  );

  test("P-23 brings names, states, times and identities along", () => {
    expect(stored("user1@keycloak.example.test")).toMatchObject({
      id: "3cd03985-e069-4971-9201-e1aa31ccc8b0",
      username: "user1",
      display_name: "Ada Lovelace",
      locale: "de",
      created_at: 1_611_230_523_301,
      email_verified_at: expect.any(Number),
    });
    expect(stored("ada@supabase.example.test")).toMatchObject({
      id: "7b2c1d3e-4f50-4a61-8b72-9c83ad94be05",
      created_at: Date.parse("2024-05-01T11:59:00.123Z"),
    });
    expect(stored("ada@pocketbase.example.test")).toMatchObject({
      username: "ada.pocket",
      display_name: "Ada Lovelace",
    });
    expect(stored("old@pocketbase.example.test")).toMatchObject({ email_verified_at: null });
    expect(stored("ada@clerk.example.test")).toMatchObject({
      username: "ada.clerk",
      display_name: "Ada Lovelace",
      avatar_url: "https://img.clerk.com/ada",
      locale: "en-GB",
      created_at: 1_700_000_000_123,
      active: 1,
    });
    expect(stored("grace@clerk.example.test")).toMatchObject({ display_name: "Grace Hopper", avatar_url: null });
    expect(stored("ada@auth0.example.test")).toMatchObject({
      username: "ada.auth0",
      display_name: "Ada Lovelace",
      avatar_url: expect.stringMatching(/^https:\/\/s\.gravatar\.com\//),
      created_at: Date.parse("2019-12-06T18:36:12.412Z"),
    });
    expect(stored("named@auth0.example.test")).toMatchObject({ display_name: "named", email_verified_at: null });
    for (const disabled of ["gone@keycloak", "banned@supabase", "off@django", "banned@clerk", "named@auth0"])
      expect(stored(`${disabled}.example.test`)).toMatchObject({ active: 0, password_hash: null });
    // A reset removes what was linked lately: what came with an account is as old as the account.
    expect(rows.count("auth_identities i join users u on u.id = i.user_id where i.linked_at <> u.created_at")).toBe(0);
    const linked = rows.all("select provider, issuer, subject from auth_identities order by subject");
    expect(linked).toEqual([
      { provider: "google", issuer: "https://accounts.google.com", subject: "104857600000000000001" },
      { provider: "google", issuer: "https://accounts.google.com", subject: "104857600000000000002" },
      { provider: "google", issuer: "https://accounts.google.com", subject: "104857600000000000003" },
      { provider: "google", issuer: "https://accounts.google.com", subject: "104857600000000000004" },
      { provider: "github", issuer: "https://github.com/login/oauth", subject: "583231" },
      { provider: "github", issuer: "https://github.com/login/oauth", subject: "583232" },
      { provider: "github", issuer: "https://github.com/login/oauth", subject: "583234" },
    ]);
  });

  test("H-80 keeps apart what services and what people wrote elsewhere, and keeps nothing that systems wrote for themselves", () => {
    const kept = rows.all(
      `select u.email, u.external_id, m.app_metadata, m.user_metadata, m.private_metadata
       from users u left join account_metadata m on m.user_id = u.id
       where m.user_id is not null or u.external_id is not null order by u.email`,
    );
    const parsed = (text: unknown): unknown => JSON.parse(String(text));
    expect(
      Object.fromEntries(
        kept.map((row) => [
          row["email"],
          [row["external_id"], ...["app", "user", "private"].map((kind) => parsed(row[`${kind}_metadata`]))],
        ]),
      ),
    ).toEqual({
      "ada@auth0.example.test": [null, { plan: "pro", roles: ["admin"] }, { theme: "dark" }, {}],
      "ada@clerk.example.test": [
        "customer-42",
        { plan: "pro", limits: { seats: 5 } },
        { theme: "dark" },
        { stripe: "cus_9" },
      ],
      "ada@pocketbase.example.test": [
        null,
        { avatar: "ada_52iwbgds7l.png", plan: "pro", teams: ["RELATION_ID"], settings: { beta: true }, quoted: "[sic" },
        { theme: "dark" },
        { risk: 0.25 },
      ],
      "ada@supabase.example.test": [
        null,
        { roles: ["admin"] },
        { full_name: "Ada Lovelace", user_name: "ada", theme: "dark" },
        {},
      ],
      "grace@clerk.example.test": [null, { plan: "free" }, {}, {}],
      "user1@firebase.example.test": [null, { plan: "pro", level: 3 }, {}, {}],
      "user1@keycloak.example.test": [null, { "team-ID": "10" }, {}, {}],
    });
  });

  test("H-82 takes neither an address nor an identity for proven that the other system has not proven", () => {
    const verified = (email: string): boolean => stored(email)["email_verified_at"] !== null;
    expect(["ada", "alan", "grace", "banned"].map((name) => verified(`${name}@clerk.example.test`))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    // Ada had begun to link this account at GitHub, which is somebody else's.
    expect(rows.all("select 1 from auth_identities where subject = '583233'")).toEqual([]);
  });

  test("P-27 brings no role along: an admin there is none here", () => {
    expect(rows.all("select email from users where roles <> ''")).toEqual([]);
  });

  test("takes an address for proven where the operator vouches for all of them", async () => {
    const account = { model: "auth.user", pk: 1, fields: { email: "vouched@example.test", password: bcrypt } };
    await importing([account], "--from", "django", "--verified");
    expect(stored("vouched@example.test")["email_verified_at"]).toEqual(expect.any(Number));
  });

  test("says what is missing for Firebase's hashes", async () => {
    const config = join(target.folder, "empty.config");
    writeFileSync(config, "rounds: 8");
    const missing = await run([
      "user:import",
      fileOf("firebase.export"),
      "--from",
      "firebase",
      "--hash-config",
      config,
    ]);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("hash_config: has no base64_signer_key"),
    });
    const none = await importing(
      [{ users: [{ email: "fire@example.test", passwordHash: "AA==", salt: "AA==" }] }],
      "--from",
      "firebase",
    );
    expect(none.stdout).toStartWith("line 1: it has a password, which --hash-config is needed for\n");
    expect((await run(["user:import", "-", "--from", "ldap"])).code).toBe(2);
  });
});
