import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packWheel } from "../../src/build/archives/server.kits.ts";
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
    wheel,
    site,
    /** Starts an app of the suite by its name. */
    start: (program: string, settings: GatedSettings): Promise<GatedApp> =>
      startGated([join(python.bin, "python"), join(programs, program)], settings, {
        cwd: folder,
        env: { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" },
      }),
  };
}
