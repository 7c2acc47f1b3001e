import { beforeAll, describe } from "bun:test";
import { join } from "node:path";
import { sharedFolder } from "../support/folder.ts";
import { pythonMissing } from "../support/python.ts";
import { stage } from "../support/stage.ts";
import { gateConformance, gateEnvironment } from "./gate.conformance.ts";
import { installLimitMs, installWheel } from "./python.fixture.ts";
import { quickStart } from "./quick.start.ts";

const staged = await stage({ env: gateEnvironment });
const because = pythonMissing === undefined ? "" : ` (${pythonMissing})`;

describe.skipIf(pythonMissing !== undefined)(`the gate in Flask${because}`, () => {
  const folder = sharedFolder();
  let kit: Awaited<ReturnType<typeof installWheel>>;
  beforeAll(async () => {
    kit = await installWheel(folder);
  }, installLimitMs);

  gateConformance(staged, (settings) => kit.start("flask_app.py", settings));

  quickStart(staged, {
    chapter: "flask.md",
    languages: ["sh", "python"],
    async place([install = "", source = ""], port) {
      await kit.rehearse(install);
      await Bun.write(join(folder, "app.py"), source);
      return {
        command: [join(kit.python.bin, "flask"), "run", "--port", String(port)],
        cwd: folder,
        env: { PYTHONPATH: kit.site },
      };
    },
  });
});
