import { expect, test } from "bun:test";
import { openRows } from "../../support/rows.ts";
import { createClient } from "../../support/client.ts";
import { endTargetsAfterEach, startTarget } from "../../support/target.ts";

endTargetsAfterEach();

test("readiness checks every cache that is configured, by its name and driver", async () => {
  const target = await startTarget({
    roles: ["http"],
    env: { CACHE_DRIVER: "memory", CACHE_SHARED_DRIVER: "database" },
  });
  const client = createClient(target.url);
  const headers = { authorization: `Bearer ${target.env["APP_DIAG_TOKEN"]}` };
  const cacheChecks = async () => {
    const answer = await client.get("/-/ready", { headers });
    const checks = answer.at("checks");
    if (!Array.isArray(checks)) throw new Error(`no checks in ${answer.text}`);
    return {
      status: answer.status,
      checks: checks.filter((check) => JSON.stringify(check).includes('"type":"cache"')),
    };
  };
  expect(await cacheChecks()).toMatchObject({
    status: 200,
    checks: [
      { name: "default", driver: "memory", status: "ok" },
      { name: "shared", driver: "database", status: "ok" },
    ],
  });
  const rows = openRows(target.databasePath);
  rows.run("drop table cache_entries");
  rows.close();
  expect(await cacheChecks()).toMatchObject({
    status: 503,
    checks: [
      { name: "default", driver: "memory", status: "ok" },
      {
        name: "shared",
        driver: "database",
        status: "failed",
        error: expect.stringMatching(/cache_entries|a table is missing/),
      },
    ],
  });
  await target.stop();
});
