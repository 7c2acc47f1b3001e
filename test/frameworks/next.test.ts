import { describe, expect, test } from "bun:test";
import { secretsOf } from "../support/auth.ts";
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
  // It takes any name, such as one that a cache in front of the app takes for a file by how it ends.
  "app/people/[name]/route.ts": `import { getUser } from "@/lib/gatehouse";
    export const GET = async () => new Response("Hello, " + (await getUser())?.username + "!", { headers: { "cache-control": "public, max-age=600" } });`,
  "public/mark.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
};

describe.skipIf(guideMissing !== undefined)(`Y-05 Y-06 Y-07 Y-08 an app of Next.js${whyMissing}`, () => {
  const app = followGuide("next", {
    port: 8080,
    files,
    build: "npm run build",
    start: (port) => `npm start -- --port ${port}`,
  });
  testServer(app, watchedTabs(), { guarded: "/notes", kept: ["/kept"], common: ["/common"] });

  test("Q-15 what is made for a person is kept by no cache of others, though its name ends like that of a file", async () => {
    const ada = await app().people.register("ada");
    const { access } = secretsOf(ada.client);
    const get = (path: string, cookie: string) => fetch(`${app().url}${path}`, { headers: { cookie } });
    for (const name of ["ada.css", "ada.json", "ada.lovelace"]) {
      const answer = await get(`/people/${name}`, `auth_access=${access}`);
      expect(await answer.text()).toBe(`Hello, ${ada.username}!`);
      expect({ name, kept: answer.headers.get("cache-control") }).toEqual({ name, kept: "private, no-cache" });
    }
    // A browser may keep a file, and asks whether it is still the same.
    const file = await get("/mark.svg", `auth_access=${access}`);
    expect([file.status, file.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(file.headers.get("etag")).toMatch(/"[^"]+"$/);
  });
});
