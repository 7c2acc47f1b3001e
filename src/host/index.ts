export { createSystem, HostFailure, type System } from "./system/index.ts";
export {
  createReleases,
  listReleases,
  ownBinary,
  placesOf,
  usualPace,
  usualSmoke,
  type Audience,
  type ListedRelease,
} from "./release/index.ts";
export { exampleFolder, type HostApp } from "./files/index.ts";
export { isOn, readSettings as readHostSettings, settingsPath, topologies, type Settings } from "./files/settings.ts";
export { readAddress } from "./install/address.ts";
export { createInstall, type Installed } from "./install/install.ts";
export type { InstallOptions } from "./install/plan.ts";
export { untilReady } from "./readiness.ts";
export { checkInstalled, lookAtHost, type HostReport } from "./check/check.ts";
export { readStatus, type HostStatus } from "./check/status.ts";
export { followJournal, logUnits, type JournalLine } from "./system/journal.lines.ts";
export type { Finding } from "./check/finding.ts";
export { runErrand, type CallersFile } from "./caller/errand.ts";
export { createUninstall } from "./install/uninstall.ts";
