import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { packClient } from "../../src/build/npm/client.ts";
import { sharedFolder } from "../support/folder.ts";

const mostBytes = 2 * 1024;
const folder = sharedFolder();
beforeAll(() => packClient(join(folder, "client"), "1.2.3"));

const built = (name: string): Promise<string> => Bun.file(join(folder, "client", `${name}.js`)).text();

test.each([
  ["react", "react", ["GatehouseProvider", "useAuth", "useUser"]],
  ["vue", "vue", ["createGatehouse", "useAuth"]],
  ["svelte", undefined, ["createAuth"]],
])(
  `%s takes at most ${mostBytes / 1024} KB of a page's download beside the framework and the client`,
  async (name, framework, exports) => {
    const module = await built(name);
    expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual(mostBytes);
    const { imports, exports: exported } = new Bun.Transpiler({ loader: "js" }).scan(module);
    const needed = ["./index.js", ...(framework === undefined ? [] : [framework])];
    expect({ exported: exported.toSorted(), imports: imports.map(({ path }) => path).toSorted() }).toEqual({
      exported: exports,
      imports: needed,
    });
  },
);

test("the components of React are for browsers, to a framework that has others", async () => {
  expect(await built("react")).toStartWith(`"use client";`);
});
