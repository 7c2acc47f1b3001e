import { describe } from "bun:test";
import { guideMissing, whyMissing } from "./app.fixture.ts";
import { followGuide } from "./guide.fixture.ts";
import { watchedTabs } from "./pages.fixture.ts";
import { testServer } from "./server.fixture.ts";

// An app may say of any page that caches keep it.
const files = {
  "src/routes/kept/+page.server.ts": `export const load = ({ locals, setHeaders }) => {
    setHeaders({ "cache-control": "public, max-age=600" });
    return { user: locals.user };
  };`,
  "src/routes/kept/+page.svelte": `<script>let { data } = $props();</script>Hello, {data.user?.username}!`,
  "src/routes/common/+server.ts": `export const GET = () => new Response("for all", { headers: { "cache-control": "public, max-age=600" } });`,
};

describe.skipIf(guideMissing !== undefined)(`Y-03 Y-05 Y-06 Y-07 Y-08 Q-16 an app of SvelteKit${whyMissing}`, () => {
  const app = followGuide("sveltekit", {
    port: 5173,
    files,
    build: "npm run check && npm run build",
    start: (port) => `npm run preview -- --port ${port} --strictPort`,
  });
  testServer(app, watchedTabs(), { guarded: "/notes", kept: ["/kept"], common: ["/common"] });
});
