import { describe, expect, test } from "bun:test";
import type { By } from "../../../src/core/audit.ts";
import type { Accounts, People } from "../../../src/auth/index.ts";
import { auth } from "../../support/auth.ts";
import { office } from "../../support/office.ts";
import { stage } from "../../support/stage.ts";
import { readAudit } from "../audit/audit.fixture.ts";

const { target, rows, people: persons, browser } = await stage();
const { accounts }: { accounts: Accounts; people: People } = await office(target);
const audit = readAudit(rows);

const origin = { address: "198.51.100.7", userAgent: "Firefox", requestId: "a-request" };
const signIn = ({ username: login, password }: { username: string; password: string }) =>
  browser().post(auth("login"), { login, password });

describe("disable and enable", () => {
  test("R-01 a disabled account loses every session at once, and nobody signs in to it until it is enabled", async () => {
    const ada = await persons.register("ada");
    const by: By = { actor: "service", service: "crm", origin };
    expect(await accounts.disable(ada.email, by)).toBe(true);
    expect((await ada.client.get(auth("me"))).status).toBe(401);
    expect((await ada.client.post(auth("refresh"))).status).toBe(401);
    expect((await signIn(ada)).status).toBe(401);
    expect(await accounts.disable(ada.id, by)).toBe(false);
    expect(await accounts.enable(ada.id, by)).toBe(true);
    expect(await accounts.enable(ada.id, by)).toBe(false);
    expect((await ada.client.get(auth("me"))).status).toBe(401);
    expect((await signIn(ada)).status).toBe(200);
    const acts = audit.all("subject_user_id = ?1 and actor = 'service'", ada.id);
    expect(acts.map(({ action, service, address }) => ({ action, service, address }))).toEqual([
      { action: "auth.user-disabled", service: "crm", address: "198.51.100.7" },
      { action: "auth.user-enabled", service: "crm", address: "198.51.100.7" },
    ]);
  });
});
