import { pythonMissing, pythonPackages } from "./support/python.ts";

// Run by the check beside the build, so that no test waits for packages. Without Python the tests that need them are skipped.
if (pythonMissing === undefined) await pythonPackages();
