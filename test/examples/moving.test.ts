import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bcrypt, signsIn } from "../contract/auth/transfer.fixture.ts";
import { chapters } from "../support/manual.ts";
import { codeBlocks } from "../support/markdown.ts";
import { postgresMissing, startPostgres } from "../support/postgres.ts";
import { replaceEach } from "../support/proxy.ts";
import { stage } from "../support/stage.ts";
import { follow } from "./chapters.fixture.ts";

// The commands by which accounts come from elsewhere are run as their chapters print them, on small databases and answers of those systems.
const { target, rows, people } = await stage({ ownProcess: true, env: { ORGANIZATIONS_ENABLED: "true" } });
const chapter = await follow(target);
const write = (name: string, content: unknown): Promise<void> =>
  writeFile(join(target.folder, name), typeof content === "string" ? content : JSON.stringify(content));

/** The first program that is not here. */
const lacking = (...programs: readonly string[]): string | undefined =>
  programs.find((name) => Bun.which(name) === null);
const needs = (program: string | undefined): string => (program === undefined ? "" : ` (needs ${program})`);
/** Returns the only shell block of a chapter. */
const exportOf = (file: string): string =>
  chapters.flatMap(({ path, text }) =>
    path.endsWith(`/move/${file}`) ? codeBlocks(text, "Export there, import here", "sh") : [],
  )[0] ?? "";

const sqlite = lacking("sqlite3");
test.skipIf(sqlite !== undefined)(`from PocketBase, out of its database${needs(sqlite)}`, async () => {
  await mkdir(join(target.folder, "pb_data"));
  const database = new Database(join(target.folder, "pb_data", "data.db"));
  database.run("create table users (id, email, verified, username, name, created, password, plan)");
  database.run("create table _externalAuths (recordRef, provider, providerId)");
  database.run(
    "insert into users values ('r1', 'ada@pocket.example.test', 1, 'ada.p', 'Ada', '2024-05-01 10:00:00.000Z', ?, 'pro')",
    [bcrypt],
  );
  database.run("insert into _externalAuths values ('r1', 'google', '104857600000000000009')");
  database.close();
  const { code } = await chapter.follow(exportOf("pocketbase.md"));
  expect(code).toBe(0);
  expect(await signsIn(target.url, "ada@pocket.example.test")).toBe(200);
  expect(rows.count("auth_identities where subject = '104857600000000000009'")).toBe(1);
});

describe.skipIf(postgresMissing !== undefined || lacking("psql") !== undefined)(
  `from Supabase, out of its database${needs(postgresMissing ?? lacking("psql"))}`,
  () => {
    test("accounts keep their ids and passwords", async () => {
      const server = await startPostgres();
      try {
        const { url } = await server.createDatabase({ name: "supabase" });
        const id = crypto.randomUUID();
        const sql = `create schema auth;
          create table auth.users (id uuid, email text, encrypted_password text, email_confirmed_at timestamptz, created_at timestamptz,
            raw_app_meta_data jsonb, raw_user_meta_data jsonb, banned_until timestamptz, deleted_at timestamptz);
          create table auth.identities (user_id uuid, provider text, provider_id text, identity_data jsonb);
          insert into auth.users values ('${id}', 'ada@supa.example.test', '${bcrypt}', now(), now(), '{"plan":"pro"}', '{}', null, null);`;
        await write("supabase.sql", sql);
        const known = { DATABASE_URL: url };
        expect((await chapter.follow(`psql -q "$DATABASE_URL" -f supabase.sql`, known)).code).toBe(0);
        expect((await chapter.follow(exportOf("supabase.md"), known)).code).toBe(0);
        expect(rows.get("select id from users where email = ?", "ada@supa.example.test")).toEqual({ id });
        expect(await signsIn(target.url, "ada@supa.example.test")).toBe(200);
      } finally {
        await server.stop();
      }
    }, 120_000);
  },
);

const forClerk = lacking("jq", "sqlite3");
test.skipIf(forClerk !== undefined)(
  `from Clerk, out of its API and a file of its dashboard${needs(forClerk)}`,
  async () => {
    const email = "ada@clerk.moving.example.test";
    const user = {
      id: "user_1",
      primary_email_address_id: "a1",
      email_addresses: [{ id: "a1", email_address: email, verification: { status: "verified" } }],
      public_metadata: { plan: "pro" },
    };
    const api = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url, headers }) => {
        if (headers.get("authorization") !== "Bearer sk_test") return new Response(null, { status: 401 });
        return new Response(new URL(url).searchParams.get("offset") === "0" ? JSON.stringify([user]) : "[]");
      },
    });
    try {
      await write("users.csv", `id,password_digest,password_hasher\nuser_1,${bcrypt},bcrypt\n`);
      const block = replaceEach(exportOf("clerk.md"), [["https://api.clerk.com", api.url.origin]]);
      expect((await chapter.follow(block, { CLERK_SECRET_KEY: "sk_test" }, "as printed")).code).toBe(0);
      expect(await signsIn(target.url, email)).toBe(200);
    } finally {
      await api.stop(true);
    }
  },
);

const forAuth0 = lacking("jq");
test.skipIf(forAuth0 !== undefined)(
  `from Auth0, out of a job and a file of its support${needs(forAuth0)}`,
  async () => {
    const email = "ada@auth0.moving.example.test";
    let asked = 0;
    const api = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/file") {
          const line = JSON.stringify({ user_id: "auth0|1", email, email_verified: true });
          return new Response(Bun.gzipSync(`${line}\n`));
        }
        if (request.method === "POST") return Response.json({ id: "job_1" });
        asked += 1;
        return Response.json({ id: "job_1", status: "completed", location: new URL("/file", request.url).href });
      },
    });
    try {
      await write("hashes.ndjson", `${JSON.stringify({ _id: { $oid: "1" }, passwordHash: bcrypt })}\n`);
      const block = replaceEach(exportOf("auth0.md"), [["https://$AUTH0_DOMAIN", api.url.origin]]);
      expect((await chapter.follow(block, { AUTH0_TOKEN: "token" }, "as printed")).code).toBe(0);
      expect(asked).toBe(1);
      expect(await signsIn(target.url, email)).toBe(200);
    } finally {
      await api.stop(true);
    }
  },
);

test("a whole installation, and its organizations, are written out and read again", async () => {
  await people.register("grace");
  const moved = await chapter.run("Accounts from elsewhere", 1);
  expect(moved.code).toBe(0);
  const organizations = await chapter.run("Organizations from elsewhere");
  expect(organizations.code).toBe(0);
});

test.skipIf(forAuth0 !== undefined)(
  `organizations of Clerk and Auth0 become lines of an import${needs(forAuth0)}`,
  async () => {
    await write("organizations.json", {
      data: [{ id: "org_1", slug: "acme", name: "Acme", public_metadata: { plan: "pro" } }],
    });
    await write("memberships.json", {
      data: [
        {
          organization: { id: "org_1" },
          role: "org:admin",
          public_user_data: { user_id: "user_1", identifier: "ada@example.test" },
        },
      ],
    });
    const read = async (): Promise<unknown> =>
      JSON.parse(await Bun.file(join(target.folder, "organizations.ndjson")).text());
    expect((await chapter.run("Organizations from elsewhere", 1)).code).toBe(0);
    expect(await read()).toMatchObject({ slug: "acme", members: [{ external_id: "user_1", roles: ["owner"] }] });
    await write("organizations.json", [{ id: "org_1", name: "acme", display_name: "Acme", metadata: {} }]);
    await write("members.json", {
      org: "org_1",
      members: [{ user_id: "auth0|1", email: "ada@example.test", roles: [{ name: "owner" }] }],
    });
    expect((await chapter.run("Organizations from elsewhere", 2)).code).toBe(0);
    expect(await read()).toMatchObject({
      slug: "acme",
      members: [{ external_id: "auth0|1", roles: ["owner", "member"] }],
    });
  },
);
