import { describe } from "bun:test";
import { guideMissing, whyMissing } from "./app.fixture.ts";
import { followGuide } from "./guide.fixture.ts";
import { testPages, watchedTabs } from "./pages.fixture.ts";

describe.skipIf(guideMissing !== undefined)(`Y-01 Y-02 an app of React with Vite${whyMissing}`, () => {
  const app = followGuide("react-vite", {
    port: 5173,
    // Its own type checker takes the package, and its bundler.
    build: "npm run build",
    // In development React mounts everything twice.
    start: (port) => `npm run dev -- --port ${port} --strictPort`,
  });
  testPages(app, watchedTabs());
});
