import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Person } from "../../support/auth.ts";
import { askBrowser, chromiumMissing, goTo } from "../../support/chromium.ts";
import { startAtLocalhost, type AtLocalhost } from "./factors.fixture.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `in a browser that lacks${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let shown: AtLocalhost;
    let visitor: AtLocalhost["visitor"];
    let grace: Person;
    beforeAll(async () => {
      shown = await startAtLocalhost();
      ({ visitor } = shown);
      grace = await shown.stage.people.register("grace");
    }, 120_000);
    afterAll(() => shown.stop());

    /** Runs a script first in each page of the tab, until the work is over. */
    async function lacking(script: string, work: () => Promise<void>): Promise<void> {
      const added = await askBrowser(shown.tab, "Page.addScriptToEvaluateOnNewDocument", { source: script });
      try {
        await work();
      } finally {
        const { identifier } = Object(added);
        await askBrowser(shown.tab, "Page.removeScriptToEvaluateOnNewDocument", { identifier });
      }
    }

    test("what turns WebAuthn into JSON, as those before 2024 do, passkeys are made and used all the same", async () => {
      const lacks = `const own = globalThis.PublicKeyCredential ?? {};
        delete own.parseCreationOptionsFromJSON; delete own.parseRequestOptionsFromJSON; delete own.prototype?.toJSON`;
      await lacking(lacks, async () => {
        await shown.openSignIn();
        expect(await visitor.ask("typeof PublicKeyCredential.parseRequestOptionsFromJSON")).toBe("undefined");
        await shown.givePassword(grace);
        await visitor.press("Add a passkey");
        await visitor.says("is added. Give it a name");
        // The browser knows which passkeys it already has: their ids went through the same conversion.
        await visitor.press("Cancel");
        await visitor.press("Add a passkey");
        await visitor.says("This device has a passkey for your account already.");
        await shown.authenticator.setVerified(false);
        await shown.openSignIn();
        await shown.authenticator.setVerified(true);
        await visitor.press("Sign in with a passkey");
        await visitor.shows("Your account");
      });
    });

    test("WebAuthn, nothing offers a passkey, and whoever has nothing else is told what to do", async () => {
      await lacking("delete globalThis.PublicKeyCredential", async () => {
        await goTo(shown.tab, `${shown.url}/account`);
        await visitor.says("This browser can't make passkeys.");
        expect(await visitor.text()).not.toContain("Add a passkey");
        await shown.openSignIn();
        expect(await visitor.text()).not.toContain("Sign in with a passkey");
        await shown.givePassword(grace);
        await visitor.shows("Your passkey does not work here");
        await visitor.says("This browser can't use it on this page.");
        await visitor.expectNoBarriers("without WebAuthn");
      });
    });
  },
);
