import { describe } from "bun:test";
import { guideMissing, whyMissing } from "./app.fixture.ts";
import { followGuide } from "./guide.fixture.ts";
import { watchedTabs } from "./pages.fixture.ts";
import { testServer } from "./server.fixture.ts";

const files = {
  // It is made ahead, once for all.
  "app/common/route.ts": `export const GET = () => new Response("for all", { headers: { "cache-control": "public, max-age=600" } });`,
  // Its author has told caches to keep what is a person's.
  "app/kept/route.ts": `import { getUser } from "@/lib/gatehouse";
    export const GET = async () => new Response("Hello, " + (await getUser())?.username + "!", { headers: { "cache-control": "public, max-age=600" } });`,
};

describe.skipIf(guideMissing !== undefined)(`Y-05 Y-06 Y-07 Y-08 an app of Next.js${whyMissing}`, () => {
  const app = followGuide("next", {
    port: 8080,
    files,
    build: "npm run build",
    start: (port) => `npm start -- --port ${port}`,
  });
  testServer(app, watchedTabs(), { guarded: "/notes", kept: ["/kept"], common: ["/common"] });
});
