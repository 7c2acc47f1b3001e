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

/** What a project of Django has besides the settings and views of the chapter. */
const project = {
  "settings.py": `ALLOWED_HOSTS = ["127.0.0.1"]\nROOT_URLCONF = "urls"\nSECRET_KEY = "of the tests"\n`,
  "urls.py": `from django.urls import path\nimport views\n\nurlpatterns = [path("", views.hello), path("admin", views.admin)]\n`,
};

describe.skipIf(pythonMissing !== undefined)(`the gate in Django${because}`, () => {
  const folder = sharedFolder();
  let kit: Awaited<ReturnType<typeof installWheel>>;
  beforeAll(async () => {
    kit = await installWheel(folder);
  }, installLimitMs);

  gateConformance(staged, (settings) => kit.start("django_app.py", settings));

  quickStart(staged, {
    chapter: "django.md",
    languages: ["sh", "python"],
    async place([install = "", settings = "", views = ""], port) {
      await kit.rehearse(install);
      await Bun.write(join(folder, "settings.py"), `${project["settings.py"]}${settings}`);
      await Bun.write(join(folder, "urls.py"), project["urls.py"]);
      await Bun.write(join(folder, "views.py"), views);
      return {
        command: [join(kit.python.bin, "django-admin"), "runserver", "--noreload", `127.0.0.1:${port}`],
        cwd: folder,
        env: { PYTHONPATH: `${kit.site}:${folder}`, DJANGO_SETTINGS_MODULE: "settings" },
      };
    },
  });
});
