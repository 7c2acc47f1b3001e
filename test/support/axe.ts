import { source } from "axe-core";
import type { PageReader } from "./chromium.ts";

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Lists only violations. Style sheets are not read again, which only rules about audio and turned screens need. */
const options = { resultTypes: ["violations"], preload: false };
/** Rules that a change of colour scheme alone can break. */
const aboutColours = { ...options, runOnly: ["color-contrast", "link-in-text-block"] };

/** Returns axe's findings on the current page, each as the rule and the elements that break it. */
export async function findBarriers(page: PageReader, rules: "all" | "colours" = "all"): Promise<readonly unknown[]> {
  if ((await page.ask("typeof axe")) === "undefined") await page.ask(`(() => { ${source} })()`);
  // Animations are awaited, since their colours are temporary, except endless ones.
  const found = await page.ask(`Promise.all(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished.catch(() => {})))
    .then(() => axe.run(${JSON.stringify(rules === "all" ? options : aboutColours)}))
    .then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" ")))`);
  return isList(found) ? found : [found];
}
