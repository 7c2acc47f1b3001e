import { beforeAll, describe } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { nodeMissing } from "../examples/examples.fixture.ts";
import { sharedFolder } from "../support/folder.ts";
import { stage } from "../support/stage.ts";
import { gateConformance, gateEnvironment } from "./gate.conformance.ts";
import { installPackage, link, npmMissing } from "./installed.fixture.ts";
import { startGated } from "./programs.fixture.ts";

const missing = npmMissing ?? nodeMissing;
const because = missing === undefined ? "" : ` (${missing})`;
const staged = await stage({ env: gateEnvironment });

describe.skipIf(missing !== undefined)(`the gates in JavaScript${because}`, () => {
  const folder = sharedFolder();
  let cwd = "";
  beforeAll(async () => {
    cwd = await installPackage(folder);
    for (const name of ["express", "hono", "@hono/node-server"]) await link(cwd, name);
    await cp(join(import.meta.dir, "programs", "js"), cwd, { recursive: true });
  }, 120_000);

  describe.each(["express", "hono"])("in %s", (name) => {
    gateConformance(staged, (settings) => startGated(["node", `${name}_app.js`], settings, { cwd }));
  });
});
