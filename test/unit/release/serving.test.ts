import { expect, test } from "bun:test";
import { askProcess } from "../../../src/host/release/serving.ts";
import { createSystem } from "../../../src/host/index.ts";
import { controlOf, sharedState, untilOpen } from "../../support/maintenance.ts";
import { openRows } from "../../support/rows.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();
const system = createSystem();

test("R-48 an instance in maintenance counts as one that serves, and no other whose smoke request fails", async () => {
  const target = await startTarget({ roles: ["http"], env: sharedState, ownProcess: true });
  const { pid = 0 } = target;
  const asked = (path: string, status: number) => askProcess(pid, { path, status }, system);
  expect(await asked("/api/v1/hello", 401)).toBe("serves");
  expect(await asked("/api/v1/hello", 200)).toBe("no");
  await controlOf(target).enable();
  await untilOpen(target, false);
  expect(await asked("/api/v1/hello", 401)).toBe("maintenance");
  expect(await asked("/a/page/of/the/app", 200)).toBe("maintenance");
  expect(await asked("/-/health", 200)).toBe("serves");
  // An instance that can't read whether it is closed refuses as well, but is not ready.
  const rows = openRows(target.databasePath);
  rows.run("alter table cache_entries rename to cache_elsewhere");
  expect(await asked("/api/v1/hello", 401)).toBe("no");
  rows.run("alter table cache_elsewhere rename to cache_entries");
  rows.close();
  await target.stop();
});
