export { createSystem, HostFailure, type System } from "./system/index.ts";
