import type { Brand } from "../http/pages/brand/brand.ts";
import { standalonePage } from "../http/pages/standalone.tsx";
import type { Words } from "../words/index.ts";

/** The page that people see while maintenance is on. */
export const maintenancePage = (brand: Brand["alone"], words: Words) =>
  standalonePage(brand, words, (language) => words.say(language, "service").maintenance);
