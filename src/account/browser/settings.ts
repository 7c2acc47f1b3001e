import type { Settings } from "../shared/settings.ts";

// A server of the same release has written the settings, so this check only asks whether they are there.
const isSettings = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && "base" in value;

/** Reads the settings that the server wrote into the page. */
export function readSettings(root: HTMLElement): Settings {
  const settings: unknown = JSON.parse(root.dataset["settings"] ?? "null");
  if (!isSettings(settings)) throw new Error("the page has no settings");
  return settings;
}
