import { describe, expect, test } from "bun:test";
import { hour } from "../../../src/core/clock.ts";
import { hiddenFields, type PageVisitor, textOf, titleOf } from "../../support/staff.ts";
import { origin, stagePasskeys } from "../auth/passkeys.fixture.ts";
import { addPasskey, createInhabitants, location, password, serverKit } from "./kit.fixture.ts";

const twoStepPath = "/account/two-step";
const path = "/account/password/remove";

const addTo = async (visitor: PageVisitor): Promise<void> => {
  expect(location(await addPasskey(visitor, twoStepPath, origin))).toBe(twoStepPath);
};

/** Registers somebody with that many passkeys. */
async function settle(app: Awaited<ReturnType<typeof stagePasskeys>>, passkeys: number) {
  const ada = await createInhabitants(app).register("ada");
  for (let made = 0; made < passkeys; made += 1) await addTo(ada.visitor);
  return ada;
}

describe("M-93 the account on pages of the server", () => {
  test("goes without a password after a question and a proof, and only with two passkeys", async () => {
    const app = await stagePasskeys({ ...serverKit, AUTH_PASSWORDLESS: "allowed" });
    const { email, visitor } = await settle(app, 1);
    expect(textOf(await visitor.get("/account"))).not.toContain("Remove password");
    expect(location(await visitor.get(path))).toBe("/account");
    await addTo(visitor);
    expect((await visitor.get("/account")).text).toContain(`href="${path}"`);
    expect(titleOf(await visitor.get(path))).toBe("Sign in by passkeys alone?");
    app.rows.run("update auth_sessions set proved_at = ?", Date.now() - hour);
    const asked = await visitor.submit(path, {});
    expect([asked.status, titleOf(asked)]).toEqual([403, "Confirm that it is you"]);
    const done = await visitor.send(path, { ...hiddenFields(asked.text, path), current_password: password });
    expect(location(done)).toBe("/account");
    const page = textOf(await visitor.get("/account"));
    expect([page.includes("Your password is removed"), page.includes("Set a password by mail")]).toEqual([true, true]);
    expect(app.rows.get("select password_hash from users where email_key = ?", email)).toEqual({ password_hash: null });
    expect(location(await visitor.get(path))).toBe("/account");
  });

  test("keeps its password where passwords stay", async () => {
    const { visitor } = await settle(await stagePasskeys(serverKit), 2);
    const page = await visitor.get("/account");
    expect([textOf(page).includes("Remove password"), location(await visitor.get(path))]).toEqual([false, "/account"]);
    const { csrf = "" } = hiddenFields(page.text, "/logout");
    expect((await visitor.send(path, { csrf })).status).toBe(403);
  });
});
