import { describe } from "bun:test";
import { guideMissing, whyMissing } from "./app.fixture.ts";
import { followGuide } from "./guide.fixture.ts";
import { testPages, watchedTabs } from "./pages.fixture.ts";

describe.skipIf(guideMissing !== undefined)(`Y-01 Y-02 an app of Svelte with Vite${whyMissing}`, () => {
  const app = followGuide("svelte", {
    port: 5173,
    // Its own type checker takes the package, and its bundler.
    build: "npm run check && npm run build",
    start: (port) => `npm run dev -- --port ${port} --strictPort`,
  });
  testPages(app, watchedTabs());
});
