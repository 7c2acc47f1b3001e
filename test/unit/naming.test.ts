import { describe, expect, test } from "bun:test";
import { maxNameLength, registerName, type NameKind } from "../../src/core/naming.ts";

const none = new Set<string>();

const good: Record<NameKind, string[]> = {
  command: ["api", "migrate", "maintenance:enable", "auth:create-user", "route:list"],
  job: ["auth:send-password-reset", "reports:sync", "syncreports"],
  schedule: ["auth:cleanup", "backup:daily", "dailybackup"],
  topic: ["auth.registered", "auth.refresh-reused", "maintenance.enabled", "billing.invoice.paid", "reportsynced"],
  resource: ["default", "profiles", "uploads", "critical", "audit", "s3", "user-profiles", "tier-2"],
  role: ["admin", "a", "support-2nd-line", "x1-", `a${"b".repeat(31)}`],
  service: ["crm", "billing-worker", "s3"],
  client: ["Shop", "Grafana (intern)", "Läden für alle", "x"],
  provider: ["keycloak", "acme-login", "sso2"],
  webhook: ["ledger", "billing-system", "crm2"],
  hook: ["gate", "risk-engine"],
  parameter: ["id", "user_id", "provider"],
};

const bad: Record<NameKind, string[]> = {
  command: ["", "Migrate", "maintenance:", ":enable", "a:b:c", "auth:create_user", "route list", "auth:x\n"],
  job: [
    "sync-reports",
    "SyncReports",
    "Auth:send",
    "auth:Send",
    "auth.send",
    "auth:send:now",
    "auth:-send",
    "auth:send-",
    "1auth:send",
  ],
  schedule: ["daily-backup", "auth:", "backup daily", "backup:dai--ly"],
  topic: [
    "auth-registered",
    "auth:registered",
    "auth.",
    ".registered",
    "auth..registered",
    "auth.loggedIn",
    "auth.logged_in",
  ],
  resource: ["Uploads", "up_loads", "-loads", "up-", "up--loads", "uploads:x", "../x", ""],
  role: ["", "Admin", "1st", "-admin", "a_b", "a b", "a,b", "ädmin", "admin\n", `a${"b".repeat(32)}`],
  service: ["", "CRM", "crm-", "crm:x", "crm x", "../crm"],
  client: ["", " Shop", "Shop ", "Sh\u202Eop", "Sh\u200Bop", "a\nb", "x".repeat(65)],
  provider: ["Ledger", "billing_system", "-crm", "crm-", "a--b", "2fast", ""],
  webhook: ["Ledger", "billing_system", "-crm", "crm-", "a--b", "2fast", ""],
  hook: ["Ledger", "billing_system", "-crm", "crm-", "a--b", "2fast", ""],
  parameter: [":id", "userId", "user-id", "_id", "id_", ""],
};

describe("names of operational identifiers", () => {
  for (const kind of ["command", "job", "schedule", "topic", "resource", "parameter"] as const) {
    test.each(good[kind])(`${kind} %j is accepted`, (name) => {
      expect(() => registerName(kind, name, none)).not.toThrow();
    });
    test.each(bad[kind])(`${kind} %j stops the start`, (name) => {
      expect(() => registerName(kind, name, none)).toThrow("does not match");
    });
  }

  test("a name that is already taken stops the start", () => {
    expect(() => registerName("job", "reports:sync", new Map([["reports:sync", 1]]))).toThrow("registered twice");
  });

  test("a name is bounded", () => {
    const name = `reports:${"x".repeat(maxNameLength)}`;
    expect(() => registerName("job", name, none)).toThrow("longer than");
  });
});
