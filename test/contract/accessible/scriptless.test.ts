import { afterAll, beforeAll, describe } from "bun:test";
import { chromiumMissing, openPlainTab, showOn } from "../../support/chromium.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { createVisitor, type Visitor } from "../../support/visitor.ts";
import { password, serverKit } from "../kit/kit.fixture.ts";
import { openWhole, tryPages, type Shown } from "./tries.cases.ts";

describe.skipIf(chromiumMissing !== undefined)(
  `the pages that the server writes for everybody, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let visitor: Visitor;
    let pages: readonly Shown[] = [];
    beforeAll(async () => {
      stage = await startStage({ env: serverKit });
      const { url } = stage.target;
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      await showOn(visitor.tab, 1280, "light");
      const open = (path: string): Shown => ({ name: path, open: () => openWhole(visitor, `${url}${path}`) });
      await openWhole(visitor, `${url}/register`);
      await visitor.fill("email", "ada@example.test");
      await visitor.fill("password", password);
      await visitor.tab.press("Enter");
      await visitor.isAt("/account");
      const ofTheAccount = ["", "/profile", "/username", "/email", "/password", "/two-step", "/delete"];
      pages = [
        ...ofTheAccount.map((path) => open(`/account${path}`)),
        ...["/forgot-password", "/reset-password?token=none", "/verify-email?token=none", "/nowhere"].map(open),
      ];
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    });
    tryPages(
      () => visitor,
      () => pages,
    );
  },
);
