import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { expectRefusal, minute, secretsOf } from "../../support/auth.ts";
import { eventually } from "../../support/log.ts";
import { stage } from "../../support/stage.ts";
import { startTarget } from "../../support/target.ts";
import { readAudit } from "../audit/audit.fixture.ts";
import { serviceKit } from "./service.fixture.ts";

const { target, rows, people } = await stage();
const kit = serviceKit(target);
const audit = readAudit(rows);
const about = (name: string, action: string) => audit.all("service = ?1 and action = ?2", name, action);
const form = /^gh_[\w-]{43}$/;

describe("service:create", () => {
  test("V-07 prints the secret once, and alone: 256 bits with a beginning that is known, stored as a hash", async () => {
    const { code, stdout } = await kit.run("service:create", "crm", "--scope", "introspect,users:read");
    expect({ code, secret: stdout.trim() }).toEqual({ code: 0, secret: expect.stringMatching(form) });
    const secret = stdout.trim();
    const stored = rows.get("select * from services where name = 'crm'");
    expect(stored).toMatchObject({
      scopes: "introspect users:read",
      secret_hash: createHash("sha256").update(secret).digest("hex"),
      last_used_at: null,
      revoked_at: null,
    });
    expect(JSON.stringify([rows.all("select * from services"), audit.all()])).not.toContain(secret);
    expect(about("crm", "service.created")).toMatchObject([{ actor: "operator", outcome: "success", count: 1 }]);
    const listed = await kit.run("service:list");
    expect(listed.stdout).toMatch(/^crm +introspect, users:read +never$/m);
    expect(listed.stdout).not.toContain("gh_");
  });

  test("--json prints one object with the secret", async () => {
    const { stdout } = await kit.run("service:create", "billing", "--scope", "users:write", "--json");
    expect(JSON.parse(stdout)).toEqual({
      id: expect.any(String),
      name: "billing",
      scopes: ["users:write"],
      created_at: expect.stringMatching(/Z$/),
      secret: expect.stringMatching(form),
    });
    const lines = (await kit.run("service:list", "--json")).stdout.trim().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ name: "billing", scopes: ["users:write"], last_used_at: null, revoked_at: null }),
    );
  });

  test.each([
    ["CRM", "introspect"],
    ["crm x", "introspect"],
    ["../crm", "introspect"],
    ["other", ""],
    ["other", "admin"],
    ["other", "introspect,"],
    ["other", "Introspect"],
  ])("refuses the name %j with the scope %j", async (name, scope) => {
    const { code, stdout } = await kit.run("service:create", name, "--scope", scope);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  test("a name is one service's, until that is revoked", async () => {
    const first = await kit.create("nightly");
    const taken = await kit.run("service:create", "nightly", "--scope", "introspect");
    expect(taken).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("nightly already") });
    expect((await kit.run("service:revoke", "nightly")).code).toBe(0);
    const second = await kit.create("nightly");
    const ada = await people.register("ada");
    const { access } = secretsOf(ada.client);
    expect((await kit.introspect(second, access)).at("active")).toBe(true);
    expect((await kit.introspect(first, access)).status).toBe(401);
  });
});

describe("service:revoke", () => {
  test("V-09 holds from the next request on, in every process", async () => {
    const other = await startTarget({ roles: ["http"], migrate: false, env: { DB_DATABASE: target.databasePath } });
    try {
      const secret = await kit.create("reports");
      const there = serviceKit({ ...target, url: other.url });
      for (const { introspect } of [kit, there]) expect((await introspect(secret, "x")).at("active")).toBe(false);
      expect((await kit.run("service:revoke", "reports")).code).toBe(0);
      for (const { introspect } of [kit, there])
        expectRefusal(await introspect(secret, "x"), 401, "unauthorized", "unauthorized");
    } finally {
      await other.stop();
    }
    expect(about("reports", "service.revoked")).toMatchObject([{ actor: "operator" }]);
    expect(await kit.run("service:revoke", "reports")).toMatchObject({ code: 1, stdout: "" });
    expect(about("reports", "service.revoked")).toHaveLength(1);
  });
});

describe("a secret", () => {
  test("V-08 that is missing, malformed, unknown or somebody's token is 401, with a challenge (RFC 6750)", async () => {
    const ada = await people.register("ada");
    const { access } = secretsOf(ada.client);
    for (const wrong of [undefined, "", "x", "gh_", `gh_${"A".repeat(43)}`, `gh_${"A".repeat(44)}`, access]) {
      const answer = await kit.introspect(wrong, access);
      expectRefusal(answer, 401, "unauthorized", "unauthorized");
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await ada.client.post("/api/v1/auth/introspect", { token: access })).status).toBe(401);
  });

  test("V-08 opens what its scopes name, and nothing that asks for a session", async () => {
    const secret = await kit.create("reader", "users:read");
    const answer = await kit.introspect(secret, "x");
    expectRefusal(answer, 403, "forbidden", "forbidden");
    expect(answer.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="introspect"');
    const { client } = await people.register("ada");
    const headers = { authorization: `Bearer ${secret}` };
    for (const path of ["me", "verify", "sessions"])
      expect((await client.copy().get(`/api/v1/auth/${path}`, { headers })).status).toBe(401);
  });

  test("V-13 that is wrong waits for its answer where many are; a right one from the same address is served meanwhile", async () => {
    const good = await kit.create("patient");
    let waiting = 0;
    const guesses = Array.from({ length: 150 }, async (_, index) => {
      waiting += 1;
      const { status } = await kit.introspect(`gh_${String(index).padStart(43, "C")}`, "x");
      waiting -= 1;
      return status;
    });
    expect((await kit.introspect(good, "x")).status).toBe(200);
    expect(waiting).toBeGreaterThan(0);
    expect(new Set(await Promise.all(guesses))).toEqual(new Set([401]));
  });

  test("V-10 leaves a row in the audit log for each minute, address and outcome, with the number of its uses", async () => {
    const [used, refused] = [await kit.create("busy"), `gh_${"B".repeat(43)}`];
    await Promise.all(Array.from({ length: 50 }, () => kit.introspect(used, "x")));
    await Promise.all(Array.from({ length: 50 }, () => kit.introspect(refused, "x")));
    await eventually("the use to be written down", () => about("busy", "service.used").length > 0);
    expect(about("busy", "service.used")).toMatchObject([
      { actor: "service", outcome: "success", reason: null, address: "127.0.0.1", actor_user_id: null },
    ]);
    const unknown = () => audit.all("action = 'service.refused' and reason = 'unknown_secret'");
    await eventually("the refusal to be written down", () => unknown().length > 0);
    expect(unknown()[0]).toMatchObject({ actor: "anonymous", outcome: "failure", service: null, address: "127.0.0.1" });
    expect(about("busy", "service.used")).toHaveLength(1);
    expect(rows.get("select last_used_at from services where name = 'busy'")["last_used_at"]).toBeWithin(
      Date.now() - minute,
      Date.now() + 1,
    );
    const listed = await kit.run("audit:list", "--action", "service.used", "--json");
    expect(listed.stdout).toContain('"service":"busy"');
    expect(listed.stdout).not.toContain(used);
    const aboutOne = await kit.run("audit:list", "--service", "busy", "--json");
    expect(aboutOne.stdout).toContain('"action":"service.used"');
    expect(aboutOne.stdout).toContain('"action":"service.created"');
    for (const line of aboutOne.stdout.trim().split("\n")) expect(line).toContain('"service":"busy"');
    expect((await kit.run("audit:list", "--service", "nobody")).stdout).toBe("no entries\n");
  });
});
