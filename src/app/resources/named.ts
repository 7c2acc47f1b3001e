import { settingOf } from "../../config/index.ts";

/**
 * Returns a function that finds a resource by its name, and otherwise throws which variable to set. Features get their resources while the
 * app is put together, so a missing one stops the start.
 */
export const finderOf =
  <Resource extends { readonly name: string }>(family: string, what: string, all: readonly Resource[]) =>
  (name: string): Resource => {
    const found = all.find((each) => each.name === name);
    if (found === undefined) throw new Error(`there is no ${what} "${name}": set ${settingOf(family, name, "DRIVER")}`);
    return found;
  };
