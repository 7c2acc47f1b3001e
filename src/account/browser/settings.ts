import type { Settings } from "../shared/settings.ts";

// The server that wrote them is of the same release: no more is asked than that they are there.
const isSettings = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && "base" in value;

/** The settings that the server wrote into the page. */
export function readSettings(root: HTMLElement): Settings {
  const settings: unknown = JSON.parse(root.dataset["settings"] ?? "null");
  if (!isSettings(settings)) throw new Error("the page has no settings");
  return settings;
}
