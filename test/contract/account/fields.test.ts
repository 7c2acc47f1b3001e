import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { browserMissing } from "../../support/chromium.ts";
import { startAccountPage, type AccountPage } from "./account.fixture.ts";

describe.skipIf(browserMissing !== undefined)(
  `fields for passwords in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let shown: AccountPage;
    beforeAll(async () => {
      shown = await startAccountPage();
    }, 120_000);
    afterAll(() => shown.stop());

    test.each([
      ["/register", "Create an account", "password", "new-password"],
      ["/login", "Sign in", "password", "current-password"],
    ])(
      "U-06 on %s the field masks what is typed, until its person wants to see it",
      async (path, title, name, kind) => {
        const { stage, visitor } = shown;
        await visitor.open(`${stage.target.url}${path}`, title);
        const field = `document.querySelector('input[name="${name}"]')`;
        expect(await visitor.ask(`${field}.type`)).toBe("password");
        expect(await visitor.ask(`${field}.autocomplete`)).toBe(kind);
        await visitor.ask("document.querySelector('button.reveal').click()");
        expect(await visitor.ask(`document.querySelector('input[name="${name}"]').type`)).toBe("text");
      },
    );

    test("U-06 a password manager's text and a pasted one are taken, and judged while they are typed", async () => {
      const { stage, visitor } = shown;
      await visitor.open(`${stage.target.url}/register`, "Create an account");
      const pasted = `(() => {
        const field = document.querySelector('input[name="password"]');
        const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: new DataTransfer() });
        return field.dispatchEvent(event) && field.readOnly === false;
      })()`;
      expect(await visitor.ask(pasted)).toBe(true);
      await visitor.fill("password", "short");
      await visitor.says("3 more characters");
      await visitor.fill("password", "a long walk by the sea and back");
      await visitor.says("Strong password.");
    });
  },
);
