import { settingOf } from "../../config/index.ts";

/**
 * Finds a resource by its name, or throws what to set. Features are given what they need while the app is put together, so that one
 * that is not configured stops the start.
 */
export const finderOf =
  <Resource extends { readonly name: string }>(family: string, what: string, all: readonly Resource[]) =>
  (name: string): Resource => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no ${what} "${name}": set ${settingOf(family, name, "DRIVER")}`);
    return found;
  };
