import { describe } from "bun:test";
import { guideMissing, whyMissing } from "./app.fixture.ts";
import { followGuide } from "./guide.fixture.ts";
import { watchedTabs } from "./pages.fixture.ts";
import { testServer } from "./server.fixture.ts";

/** The template of Nuxt's starter is in a repository and in no package: these are its files, but for the page that the guide replaces. */
const template = {
  "package.json": JSON.stringify({
    name: "nuxt-app",
    type: "module",
    private: true,
    scripts: { build: "nuxt build", dev: "nuxt dev", preview: "nuxt preview", postinstall: "nuxt prepare" },
    dependencies: { nuxt: "^4.4.8", vue: "^3.5.38", "vue-router": "^5.1.0" },
  }),
  "nuxt.config.ts": `export default defineNuxtConfig({ compatibilityDate: "2025-07-15", devtools: { enabled: true } })`,
  "tsconfig.json": JSON.stringify({
    files: [],
    references: ["app", "server", "shared", "node"].map((name) => ({ path: `./.nuxt/tsconfig.${name}.json` })),
  }),
};

const files = {
  // Nitro keeps this page, which is made by the first request for it.
  "nuxt.config.ts": `export default defineNuxtConfig({
    compatibilityDate: "2025-07-15",
    routeRules: { "/common": { swr: 600 }, "/common.json": { swr: 600 } },
  });`,
  "app/pages/common.vue": `<script setup lang="ts">
    import { useAuth } from "gatehouse-client/vue";
    const { status, user } = useAuth();
  </script>
  <template><p>For all: {{ status }} {{ user?.username }}</p></template>`,
  "server/routes/common.json.ts": `export default defineEventHandler(({ context }) => ({ user: context.user ?? null }));`,
  // Its author has told caches to keep what is a person's.
  "server/routes/kept.ts": `export default defineEventHandler((event) => {
    setHeader(event, "cache-control", "public, max-age=600");
    return "Hello, " + event.context.user?.username + "!";
  });`,
};

describe.skipIf(guideMissing !== undefined)(`Y-03 Y-05 Y-06 Y-07 Y-08 Q-16 an app of Nuxt${whyMissing}`, () => {
  const app = followGuide("nuxt", {
    port: 8080,
    starter: { command: /^npm create nuxt.*\n/, files: template },
    node: "22.19.0",
    files,
    build: "npm run build",
    start: (port) => `PORT=${port} node .output/server/index.mjs`,
  });
  testServer(app, watchedTabs(), {
    guarded: "/notes",
    posted: "/api/notes",
    kept: ["/kept"],
    common: ["/common", "/common.json"],
  });
});
