import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth, isServed, nextMail } from "../../support/auth.ts";
import { browserMissing } from "../../support/chromium.ts";
import { startAccountPage, type AccountPage } from "./account.fixture.ts";

describe.skipIf(browserMissing !== undefined)(
  `the link of the mail about a sign-in, in Chromium${browserMissing === undefined ? "" : ` (${browserMissing})`}`,
  () => {
    let shown: AccountPage;
    beforeAll(async () => {
      shown = await startAccountPage();
    }, 120_000);
    afterAll(() => shown.stop());

    test("M-08 ends the session at the press of a button, and then leads to a new password", async () => {
      const { stage, visitor } = shown;
      const ada = await stage.people.register("ada");
      stage.rows.prove(ada);
      const thief = await ada.login();
      const { text } = await nextMail(stage.mailbox, ada.email, "New sign-in to your account");
      const link = `${stage.target.url}${/\/reset-password\?token=\S+&reject=1/.exec(text)?.[0]}`;
      await visitor.open(link, "Was this not you?");
      await visitor.expectNoBarriers("asked");
      expect(await isServed(thief)).toBe(true);
      await visitor.press("It was not me");
      await visitor.shows("Choose a new password");
      await visitor.says("That device is signed out.");
      await visitor.expectNoBarriers("signed out");
      expect(await isServed(thief)).toBe(false);
      expect(await isServed(ada.client)).toBe(true);
      await visitor.fill("new_password", "words of rain and sun");
      await visitor.press("Change password");
      await visitor.shows("Your password is changed");
      const fields = { login: ada.email, password: "words of rain and sun" };
      expect((await stage.browser().post(auth("login"), fields)).status).toBe(200);
      await visitor.open(link, "This link does not work any more");
    });
  },
);
