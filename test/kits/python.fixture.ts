import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packWheel } from "../../src/build/archives/server.kits.ts";
import { replaceEach } from "../support/proxy.ts";
import { pythonPackages } from "../support/python.ts";
import type { GatedApp, GatedSettings } from "./gate.conformance.ts";
import { startGated } from "./programs.fixture.ts";

/** The calling hook must allow for making the environment of Python's packages. */
export const installLimitMs = 6 * 60_000;

/** Installs the wheel into a folder, as `pip` does elsewhere. */
export async function installWheel(folder: string) {
  const python = await pythonPackages();
  const wheel = await packWheel(folder, manifest.version);
  const site = join(folder, "site");
  const options = ["--disable-pip-version-check", "--no-index", "--quiet", "--target", site];
  const installed = await python.run("python", ["-m", "pip", "install", ...options, wheel], { cwd: folder });
  if (installed.code !== 0) throw new Error(`the wheel could not be installed: ${installed.stderr}`);
  const programs = join(import.meta.dir, "programs", "python");
  return {
    python,
    site,
    /** Runs a printed line that installs, as far as it goes without an index and without a change of the packages that tests share. */
    async rehearse(line: string): Promise<void> {
      const script = replaceEach(line, [["path/to/gatehouse/dist/kits", folder]]);
      const PATH = `${python.bin}:${process.env["PATH"] ?? ""}`;
      const env = { PATH, HOME: folder, PIP_DRY_RUN: "1", PIP_NO_INDEX: "1", PIP_DISABLE_PIP_VERSION_CHECK: "1" };
      const pip = Bun.spawn(["bash", "-c", script], { cwd: folder, env, stderr: "pipe", timeout: 60_000 });
      const [stdout, stderr] = await Promise.all([pip.stdout.text(), pip.stderr.text()]);
      if ((await pip.exited) !== 0 || !stdout.includes(`Would install gatehouse-auth-${manifest.version}\n`))
        throw new Error(`${line} would not install the kit alone: ${stdout}${stderr}`);
    },
    /** Starts an app of the suite by its name. */
    start: (program: string, settings: GatedSettings): Promise<GatedApp> =>
      startGated([join(python.bin, "python"), join(programs, program)], settings, {
        cwd: folder,
        env: { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" },
      }),
  };
}
