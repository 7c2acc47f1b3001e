import { afterEach, expect, test } from "bun:test";
import { Elysia } from "elysia";
import { docsRoutes } from "../../../src/http/index.ts";
import { serveSite, type Site } from "./site.ts";
import { usualLook } from "../../support/looks.ts";

let site: Site | undefined;
afterEach(async () => {
  await site?.stop();
});

test("/openapi/json describes the routes of the app and not its own", async () => {
  site = await serveSite();
  const document: unknown = await (await site.get("/openapi/json")).json();
  expect(document).toMatchObject({
    openapi: "3.1.0",
    info: { title: "Gatehouse: app", version: "1.2.3" },
    paths: { "/api/people": { post: { requestBody: {} } }, "/api/items/{id}": { get: {} } },
  });
  expect(JSON.stringify(document)).not.toContain('"/openapi');
});

test("a document that could not be made is tried again by the next who asks", async () => {
  const root = new Elysia().onError(() => new Response(null, { status: 500 }));
  const { routes } = root;
  let failing = true;
  Object.defineProperty(root, "routes", {
    get: () => {
      if (failing) throw new Error("out of memory");
      return routes;
    },
  });
  root.use(
    docsRoutes({
      app: "app",
      version: "1.2.3",
      brand: { mark: { product: "Gatehouse", home: "/", icon: "data:," }, look: usualLook },
    }),
  );
  const ask = async () => (await root.handle(new Request("http://localhost/openapi/json"))).status;
  expect(await ask()).toBe(500);
  failing = false;
  expect(await ask()).toBe(200);
});

test("the reference at /openapi loads nothing from another host", async () => {
  site = await serveSite();
  const page = await (await site.get("/openapi")).text();
  const loaded = [...page.matchAll(/<(?:script|link rel="stylesheet") (?:src|href)="([^"]+)"/g)].map(
    ([, at = ""]) => at,
  );
  expect(loaded.map((at) => at.split("?")[0])).toEqual([
    "/openapi/swagger-ui.css",
    "/openapi/style.css",
    "/openapi/swagger-ui.js",
    "/openapi/start.js",
  ]);
  for (const path of loaded) {
    const answer = await site.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain(path.includes(".css") ? "text/css" : "text/javascript");
    expect((await answer.text()).length).toBeGreaterThan(50);
  }
});
