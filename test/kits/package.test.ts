import { beforeAll, describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sharedFolder } from "../support/folder.ts";
import { installPackage, link, npmMissing } from "./installed.fixture.ts";

/** The most bytes of each module, gzipped, without those that it shares with others. */
const budgets = { server: 4_096, express: 1_024, hono: 1_024 } as const;

const folder = sharedFolder();
describe.skipIf(npmMissing !== undefined)(`the package${npmMissing === undefined ? "" : ` (${npmMissing})`}`, () => {
  let app = "";
  let installed = "";
  beforeAll(async () => {
    app = await installPackage(folder);
    installed = join(app, "node_modules", "gatehouse-client");
    for (const name of ["express", "hono", "@types/express", "@types/node"]) await link(app, name);
  }, 60_000);

  test.each(Object.entries(budgets))("has %s in at most %d bytes", async (name, most) => {
    const module = await Bun.file(join(installed, `${name}.js`)).text();
    expect(Bun.gzipSync(module, { level: 9 }).length).toBeLessThanOrEqual(most);
  });

  test("asks for no module of one runtime, and for no package besides its own and those of frameworks", async () => {
    const manifest: { readonly peerDependencies: object } = await Bun.file(join(installed, "package.json")).json();
    const frameworks = Object.keys(manifest.peerDependencies);
    const modules = (await readdir(installed)).filter((name) => name.endsWith(".js"));
    expect(modules.length).toBeGreaterThan(6);
    const scan = async (name: string): Promise<string[]> =>
      new Bun.Transpiler({ loader: "js" })
        .scan(await Bun.file(join(installed, name)).text())
        .imports.map((each) => each.path);
    const imported = (await Promise.all(modules.map(scan))).flat();
    expect(imported.length).toBeGreaterThan(0);
    const isOwn = (path: string): boolean => path.startsWith("./") && modules.includes(path.slice(2));
    const isOfFramework = (path: string): boolean =>
      frameworks.some((name) => path === name || path.startsWith(`${name}/`));
    expect(imported.filter((path) => !isOwn(path) && !isOfFramework(path))).toEqual([]);
  });

  test("has every file that its manifest leads to, and none that leads out of it", async () => {
    const { exports }: { readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>> } =
      await Bun.file(join(installed, "package.json")).json();
    const named = Object.values(exports).flatMap((each) => Object.values(each));
    for (const path of named) expect([path, await Bun.file(join(installed, path)).exists()]).toEqual([path, true]);
    const types = (await readdir(installed, { recursive: true })).filter((name) => name.endsWith(".d.ts"));
    for (const name of types) {
      const text = await Bun.file(join(installed, name)).text();
      for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g)) {
        const target = join(installed, dirname(name), path.replace(/\.js$/, ".d.ts"));
        expect([name, path, await Bun.file(target).exists()]).toEqual([name, path, true]);
      }
    }
  });

  test("has types that strict programs with Express and Hono can rely on", async () => {
    await Bun.write(
      join(app, "program.ts"),
      `import express, { type Request } from "express";
      import { Hono } from "hono";
      import { gatehouse, requireUser } from "gatehouse-client/express";
      import { gatehouse as gatehouseOfHono, requireUser as requireUserOfHono } from "gatehouse-client/hono";
      import { createGate, type GateUser } from "gatehouse-client/server";

      const gate = createGate({ baseUrl: "https://auth.example.com" });
      export async function answer(request: globalThis.Request): Promise<Response> {
        const { user, headers, response } = await gate(request, { role: "editor", signIn: true });
        if (response) return response;
        const known: GateUser = user;
        return new Response(known.organization?.slug ?? known.username, { headers });
      }
      export async function greet(request: globalThis.Request): Promise<string> {
        const { user, response } = await gate(request, { optional: true });
        if (response) return "later";
        // @ts-expect-error nobody may be signed in
        user.username;
        return user?.username ?? "stranger";
      }
      // @ts-expect-error a need that there is none of
      void gate(new Request("https://app.example.com"), { roles: ["editor"] });
      // @ts-expect-error a need that is missing
      void gate(new Request("https://app.example.com"), { role: undefined });

      const app = express();
      app.use(gatehouse({ baseUrl: "https://auth.example.com" }));
      app.get("/", (req, res) => void res.send(req.user?.username ?? "stranger"));
      app.get("/:org", requireUser((req: Request) => ({ org: String(req.params["org"]) })), (req, res) => void res.json(req.user?.roles));

      const hono = new Hono();
      hono.use(gatehouseOfHono({ baseUrl: "https://auth.example.com" }));
      hono.get("/orders", requireUserOfHono({ role: "editor" }), (c) => c.text(c.get("user").username));
      hono.get("/", gatehouseOfHono({ baseUrl: "https://auth.example.com" }), (c) => {
        // @ts-expect-error nobody may be signed in
        c.get("user").username;
        return c.text(c.get("user")?.username ?? "stranger");
      });`,
    );
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: "es2022",
      module: "nodenext",
      lib: ["es2022", "dom", "dom.iterable"],
      types: ["node"],
      skipLibCheck: false,
    };
    await Bun.write(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["program.ts"] }));
    const child = Bun.spawn([process.execPath, "check", "--no-pretty"], { cwd: app, stdout: "pipe", stderr: "pipe" });
    const [output, complaints] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect({ code: await child.exited, output: `${output}${complaints}` }).toMatchObject({ code: 0 });
  }, 60_000);
});
