import { source } from "axe-core";
import type { PageReader } from "./chromium.ts";

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Nothing is listed that is as it should be, and no style sheet read again, which only rules of audio and of turned screens ask for. */
const options = { resultTypes: ["violations"], preload: false };
/** The rules that another colour scheme can break where the layout stays as it is. */
const aboutColours = { ...options, runOnly: ["color-contrast", "link-in-text-block"] };

/** What axe finds wrong with the page that is shown, each as the rule and the elements that break it. */
export async function findBarriers(page: PageReader, rules: "all" | "colours" = "all"): Promise<readonly unknown[]> {
  if ((await page.ask("typeof axe")) === "undefined") await page.ask(`(() => { ${source} })()`);
  // What is on its way in or out has its colours for a moment only. What turns for ever is not waited for.
  const found = await page.ask(`Promise.all(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => {})))
    .then(() => axe.run(${JSON.stringify(rules === "all" ? options : aboutColours)}))
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
  return isList(found) ? found : [found];
}
