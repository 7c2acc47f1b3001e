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

/** Before Cache Components, a page says by itself that it is made ahead, though it asks who is signed in, and for how long it is kept. */
const classicFiles = {
  ...files,
  "next.config.ts": `import type { NextConfig } from "next";
    const config: NextConfig = {};
    export default config;`,
  "app/ahead/page.tsx": `import { getUser } from "@/lib/gatehouse";
    export const dynamic = "force-static";
    export const revalidate = 600;
    export default async function Ahead() { return <p>For all: {(await getUser())?.username}</p>; }`,
};

describe.skipIf(guideMissing !== undefined).each([
  ["of Next.js", files, ["/common"]],
  ["of Next.js without Cache Components", classicFiles, ["/common", "/ahead"]],
] as const)(`Y-03 Y-05 Y-06 Y-07 Y-08 an app %s${whyMissing}`, (_, files, common) => {
  const app = followGuide("next", {
    port: 8080,
    files,
    build: "npm run build",
    start: (port) => `npm start -- --port ${port}`,
  });
  testServer(app, watchedTabs(), { guarded: "/notes", kept: ["/kept"], common });

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
