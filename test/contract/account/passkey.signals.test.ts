import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, type Person } from "../../support/auth.ts";
import { askBrowser, becomeClient, chromiumMissing, goTo } from "../../support/chromium.ts";
import { createClient, type Client } from "../../support/client.ts";
import { startAtLocalhost, type AtLocalhost } from "./factors.fixture.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `what devices keep of an account in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    let ada: Person;
    let client: Client;
    beforeAll(async () => {
      shown = await startAtLocalhost();
      ({ visitor } = shown);
      ada = await shown.stage.people.register("ada", { display_name: "Ada Lovelace" });
      client = createClient(shown.url);
      await client.post(auth("login"), { login: ada.email, password: ada.password });
      await becomeClient(shown.tab, client);
      await goTo(shown.tab, `${shown.url}/account`);
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
    }, 120_000);
    afterAll(() => shown.stop());

    const keeps = (what: string, is: (kept: Awaited<ReturnType<typeof shown.authenticator.passkeys>>) => boolean) =>
      visitor.until(what, async () => is(await shown.authenticator.passkeys()));

    test("M-95 another name of the account reaches the passkey that a device keeps", async () => {
      const [made] = await shown.authenticator.passkeys();
      expect([made?.userName, made?.userDisplayName]).toEqual([ada.username, "Ada Lovelace"]);
      shown.stage.rows.run("update users set display_name = 'Ada King' where id = ?", ada.id);
      await goTo(shown.tab, `${shown.url}/account`);
      await keeps("the new name", ([kept]) => kept?.userDisplayName === "Ada King");
      expect(await shown.authenticator.passkeys()).toHaveLength(1);
    });

    test("M-95 a passkey that is removed on the page leaves the device", async () => {
      await visitor.press("Remove");
      await visitor.says("It no longer signs you in.");
      await visitor.ask("document.querySelector('dialog button.danger').click()");
      await visitor.says("is removed.");
      await keeps("no passkey", (kept) => kept.length === 0);
    });

    test("M-95 one that is gone from the service leaves the device once it has failed to sign in", async () => {
      await visitor.press("Add a passkey");
      await visitor.says("is added. Give it a name");
      // A page of the account would tell the device by itself.
      await goTo(shown.tab, "about:blank");
      shown.stage.rows.run("delete from auth_passkeys");
      // The test's authenticator accepts the browser's suggestion at once.
      await askBrowser(shown.tab, "Network.clearBrowserCookies");
      await goTo(shown.tab, `${shown.url}/login`);
      await visitor.says("This passkey is not known here.");
      await keeps("no passkey", (kept) => kept.length === 0);
      expect(visitor.takeComplaints()).toEqual([]);
    });
  },
);
