import { describe, expect, test } from "bun:test";
import { auth, isCleared, isServed, listed } from "../../support/auth.ts";
import { createClient } from "../../support/client.ts";
import { runGatehouse } from "../../support/process.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people, browser } = await stage({
  env: { AUDIT_ADDRESS_BITS: "24,48", API_TRUSTED_PROXIES: "127.0.0.1/32,::1/128" },
});
const audit = readAudit(rows);
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const sessionAddresses = (userId: string) =>
  rows
    .all("select ip_address, short_address from auth_sessions where user_id = ?1 order by created_at", userId)
    .map((row) => [row["ip_address"], row["short_address"]]);

describe("where no more than the beginnings of addresses are kept", () => {
  test("A-18 the audit log has no whole address, and is still searched by one", async () => {
    const ada = await people.register("ada");
    const client = browser();
    await client.post(auth("login"), { login: ada.email, password: "wrong password" }, from("203.0.113.77"));
    const [row] = await audit.about(ada.id, 1, "auth.login-failed");
    expect(row?.["address"]).toBe("203.0.113.0");
    const signsIn = { login: ada.email, password: ada.password };
    await client.post(auth("login"), signsIn, from("2001:db8:1:2:3:4:5:6"));
    const found = await audit.about(ada.id, 1, "auth.logged-in");
    expect(found.map((each) => each["address"])).toContain("2001:db8:1::");
    const { stdout } = await runGatehouse(["audit:list", "--address", "203.0.113.77", "--json"], {
      env: target.env,
      cwd: target.folder,
    });
    expect(stdout).toContain('"203.0.113.0"');
    expect(stdout).not.toContain("203.0.113.77");
  });

  test("A-18 somebody sees whence a session of theirs is used as long as it is, and no whole address stays of it", async () => {
    const ada = await people.register("ada");
    const client = browser();
    await client.post(auth("login"), { login: ada.email, password: ada.password }, from("203.0.113.78"));
    expect(sessionAddresses(ada.id)).toContainEqual(["203.0.113.78", "203.0.113.0"]);
    expect((await listed(client)).map((session) => session.get("ip_address"))).toContain("203.0.113.78");
    await client.post(auth("logout"));
    expect(sessionAddresses(ada.id)).toContainEqual(["203.0.113.0", null]);
  });

  test("A-18 nor of one that has rested for too long, once it was cleaned up", async () => {
    const ada = await people.register("ada");
    const client = browser();
    await client.post(auth("login"), { login: ada.email, password: ada.password }, from("203.0.113.79"));
    await client.post(auth("login"), { login: ada.email, password: ada.password }, from("203.0.113.80"));
    await client.post(auth("login"), { login: ada.email, password: ada.password }, from("198.51.100.7"));
    const idle = `update auth_sessions set created_at = created_at - 3 * 3600000, last_seen_at = last_seen_at - 3 * 3600000
      where ip_address = ?`;
    rows.run(idle, "203.0.113.79");
    // Triggers of the database end sessions as well.
    rows.run("update auth_sessions set revoked_at = ? where ip_address = '198.51.100.7'", Date.now());
    const { stdout } = await runGatehouse(["auth:cleanup", "--json"], { env: target.env, cwd: target.folder });
    expect(stdout).toContain("addresses_of_ended_sessions");
    const left = sessionAddresses(ada.id);
    expect(left).toContainEqual(["203.0.113.0", null]);
    expect(left).toContainEqual(["198.51.100.0", null]);
    expect(left).toContainEqual(["203.0.113.80", "203.0.113.0"]);
  });
});

describe("signing out everywhere", () => {
  test("C-22 has the browser forget what it keeps of the site", async () => {
    const ada = await people.register("ada");
    const other = await ada.login();
    const answer = await ada.client.post(auth("logout-all"));
    expect([answer.status, isCleared(answer)]).toEqual([200, true]);
    expect(answer.headers.get("clear-site-data")).toBe('"cache", "cookies", "storage"');
    expect(await isServed(other)).toBe(false);
  });

  test("C-22 that was refused has it forget nothing", async () => {
    const answer = await createClient(target.url).post(auth("logout-all"));
    expect([answer.status, answer.headers.get("clear-site-data")]).toEqual([401, null]);
  });
});
