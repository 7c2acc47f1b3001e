import { afterAll, beforeAll, describe } from "bun:test";
import { chromiumMissing } from "../../support/chromium.ts";
import { startStage, type StartedStage } from "../../support/stage.ts";
import { becomeStaff, createPageVisitor } from "../../support/staff.ts";
import type { Visitor } from "../../support/visitor.ts";
import { visitAsStaff } from "../staff/visitor.fixture.ts";
import { openWhole, tryPages, type Shown } from "./tries.cases.ts";

const grace = { email: "grace@example.test", password: "a long walk by the sea", display_name: "Grace Hopper" };

describe.skipIf(chromiumMissing !== undefined)(
  `the pages of staff for everybody, in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    let stage: StartedStage;
    let visitor: Visitor;
    let pages: readonly Shown[] = [];
    beforeAll(async () => {
      stage = await startStage({ app: "admin", env: { ORGANIZATIONS_ENABLED: "true" } });
      const { target, rows } = stage;
      await createPageVisitor(target.url).submit("/register", grace);
      becomeStaff(rows, grace.email);
      const own = String(rows.get("select id from users")["id"]);
      visitor = await visitAsStaff(target.url, grace);
      const paths = [
        "/",
        "/people",
        `/people/${own}`,
        `/people/${own}/delete`,
        "/people/invitations",
        "/organizations",
        "/organizations/new",
        "/audit",
        "/jobs",
        "/apps",
        "/mail-previews",
        "/webhooks",
        "/schedules",
        "/maintenance",
        "/two-step",
        "/nowhere",
      ];
      pages = paths.map((path) => ({ name: path, open: () => openWhole(visitor, `${target.url}${path}`) }));
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
