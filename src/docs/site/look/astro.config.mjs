import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import settings from "./settings.json" with { type: "json" };

// Runs where build.ts has put it, beside the pages and settings.json.
export default defineConfig({
  base: settings.base,
  outDir: "./made",
  cacheDir: "./cache",
  // Everything in files of their own: the service permits no style and no script by what stands in a page, but for a few scripts by their hashes.
  build: { inlineStylesheets: "never" },
  vite: { build: { assetsInlineLimit: 0 } },
  integrations: [
    starlight({
      title: "Gatehouse",
      favicon: "/favicon.svg",
      pagefind: false,
      // A line that is too long goes on below, so that nothing has to be scrolled sideways.
      expressiveCode: { defaultProps: { wrap: true } },
      components: { Search: "./src/Search.astro" },
      customCss: ["./src/style.css"],
      sidebar: settings.sidebar,
    }),
  ],
});
