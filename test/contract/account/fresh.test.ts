import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { auth } from "../../support/auth.ts";
import { chromiumMissing, goTo, openPlainTab, showOn } from "../../support/chromium.ts";
import { startStage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `a fresh account in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: Awaited<ReturnType<typeof startStage>>;
    let visitor: Visitor;
    beforeAll(async () => {
      stage = await startStage({ shared: true });
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });

    test("fits on one screen, with its buttons on one side, and marks in the list where one is", async () => {
      const ada = await stage.people.register("ada", { display_name: "Ada Lovelace" });
      stage.rows.prove(ada);
      await ada.client.post(auth("logout"));
      const { tab } = visitor;
      await showOn(tab, 1280, "light");
      // Passkeys are of a name, and have none at an address of numbers.
      const here = stage.target.url.replace("127.0.0.1", "localhost");
      await goTo(tab, `${here}/login?next=/account`);
      await visitor.shows("Sign in");
      await visitor.fill("login", ada.email);
      await visitor.fill("password", ada.password);
      await tab.press("Enter");
      await visitor.says("Sign out everywhere");
      await visitor.until(
        "all sections",
        async () => (await visitor.ask("document.querySelector('.skeleton-line') === null")) === true,
      );
      const groups = `[...document.querySelectorAll(".group")].map((group) => group.getBoundingClientRect())`;
      expect(Number(await visitor.ask(`${groups}.at(-1).bottom`))).toBeLessThanOrEqual(900);
      const sides = `[...document.querySelectorAll(".group button")].map((each) => Math.round(each.getBoundingClientRect().right))`;
      expect(await visitor.ask(`[...new Set(${sides})].length`)).toBe(1);
      const marked = `document.querySelector("nav [aria-current]").textContent`;
      expect(await visitor.ask(marked)).toBe("Profile");
      await visitor.ask(`document.querySelector("nav [href='#deletion']").click()`);
      await visitor.until("the mark", async () => (await visitor.ask(marked)) === "Delete account");
    });
  },
);
