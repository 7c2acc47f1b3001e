import { expect, test } from "bun:test";
import { createServer, resolveConfig } from "vite";
import { gatehouse } from "../../src/kits/js/vite.ts";
import { sharedFolder } from "../support/folder.ts";

const folder = sharedFolder();

const answering = (text: string) => Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(text) });

test("Y-04 an app that passes on all of /api to its own server leaves Gatehouse what is Gatehouse's", async () => {
  using service = answering("the service");
  using api = answering("the app");
  const server = await createServer({
    root: folder,
    configFile: false,
    logLevel: "silent",
    plugins: [gatehouse(service.url.origin)],
    server: { host: "127.0.0.1", port: 0, proxy: { "/api": api.url.origin } },
  });
  try {
    await server.listen();
    const address = server.httpServer?.address();
    if (typeof address !== "object" || address === null) throw new Error("Vite does not listen");
    const textOf = async (path: string): Promise<string> =>
      (await fetch(`http://127.0.0.1:${address.port}${path}`)).text();
    expect(await textOf("/api/v1/auth/me")).toBe("the service");
    expect(await textOf("/login?next=/")).toBe("the service");
    expect(await textOf("/api/orders")).toBe("the app");
  } finally {
    await server.close();
  }
});

test("Y-04 the preview of an app passes on what its development server does", async () => {
  const config = await resolveConfig(
    {
      root: folder,
      configFile: false,
      plugins: [gatehouse("http://127.0.0.1:3000")],
      server: { proxy: { "/api": "http://127.0.0.1:8080" } },
    },
    "serve",
  );
  expect(Object.values(config.preview.proxy ?? {})).toEqual(["http://127.0.0.1:3000", "http://127.0.0.1:8080"]);
});
