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
  type Places,
} from "./release/index.ts";
