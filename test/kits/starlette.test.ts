import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { secretsOf } from "../support/auth.ts";
import { sharedFolder } from "../support/folder.ts";
import { pythonMissing } from "../support/python.ts";
import { stage } from "../support/stage.ts";
import { gateConformance, gateEnvironment } from "./gate.conformance.ts";
import { installLimitMs, installWheel } from "./python.fixture.ts";
import { quickStart } from "./quick.start.ts";

const staged = await stage({ env: gateEnvironment });
const { people } = staged;
const because = pythonMissing === undefined ? "" : ` (${pythonMissing})`;
const root = join(import.meta.dir, "..", "..");

describe.skipIf(pythonMissing !== undefined)(`the gate in Starlette${because}`, () => {
  const folder = sharedFolder();
  let kit: Awaited<ReturnType<typeof installWheel>>;
  beforeAll(async () => {
    kit = await installWheel(folder);
  }, installLimitMs);

  const { open, closed, browserOf, give } = gateConformance(staged, (settings) =>
    kit.start("starlette_app.py", settings),
  );

  test("Starlette's own @requires knows who is signed in, and their roles", async () => {
    const ada = await people.register("ada");
    expect((await browserOf(ada).get("/by-scopes")).status).toBe(403);
    give(ada, "admin editor");
    expect((await browserOf(ada).get("/by-scopes")).json).toEqual({ scopes: ["authenticated", "admin", "editor"] });
  });

  test("Q-03 a web socket knows who has opened it, and none opens for strangers or from a page of another site", async () => {
    const ada = await people.register("ada");
    const { access, refresh } = secretsOf(ada.client);
    const cookie = `auth_access=${access}; auth_refresh=${refresh}`;
    const first = (headers: Record<string, string>, of = open()): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${of.replace("http:", "ws:")}/socket`, { headers });
        socket.addEventListener("message", ({ data }) => resolve(String(data)));
        socket.addEventListener("close", () => resolve("closed"));
      });
    expect(JSON.parse(await first({ cookie }))).toMatchObject({ id: ada.id });
    expect(JSON.parse(await first({ cookie, origin: open() }))).toMatchObject({ id: ada.id });
    expect(await first({ cookie, origin: "https://evil.example" })).toBe("closed");
    expect(await first({ cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toBe("closed");
    expect(JSON.parse(await first({}))).toBeNull();
    expect(await first({}, closed())).toBe("closed");
    expect(JSON.parse(await first({ cookie }, closed()))).toMatchObject({ id: ada.id });
  });

  test("the kit says its types, which hold, and is written as it should be", async () => {
    const source = join(root, "src", "kits", "python", "gatehouse_auth");
    const own = ["--cache-dir", join(folder, "cache")];
    const { python } = kit;
    const env = { HOME: folder };
    const typed = await python.run("mypy", ["--strict", ...own, source], { cwd: folder, env, limitMs: 120_000 });
    expect(typed).toEqual({ code: 0, stdout: expect.stringContaining("no issues"), stderr: "" });
    const style = ["--isolated", "--line-length", "150", "--target-version", "py39"];
    const paths = [join(root, "src", "kits", "python"), join(import.meta.dir, "programs", "python")];
    const linted = await python.run("ruff", ["check", "--select", "E,F,W,B,I", ...style, ...own, ...paths], {
      cwd: folder,
    });
    expect(linted.stdout).toBe("All checks passed!\n");
    const format = ["format", "--check", "--isolated", "--line-length", "150", ...own];
    expect((await python.run("ruff", [...format, ...paths], { cwd: folder })).code).toBe(0);
  }, 150_000);

  quickStart(staged, {
    chapter: "fastapi.md",
    languages: ["sh", "python"],
    async place([install = "", source = ""], port) {
      await kit.rehearse(install);
      await Bun.write(join(folder, "app.py"), source);
      return {
        command: [join(kit.python.bin, "uvicorn"), "app:app", "--port", String(port)],
        cwd: folder,
        env: { PYTHONPATH: kit.site },
      };
    },
  });
});
