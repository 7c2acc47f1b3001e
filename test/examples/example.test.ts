import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromiumMissing, goTo, openPlainTab } from "../support/chromium.ts";
import { commandLine } from "../support/process.ts";
import { freePort, listens, whyNoProxy } from "../support/proxy.ts";
import { createVisitor, type Visitor } from "../support/visitor.ts";

/** The example of src/kits/example, started as its README says, word for word but for the ports. */
const missing =
  chromiumMissing ?? whyNoProxy("nginx") ?? (Bun.which("node") === null ? "node is not installed" : undefined);
const source = join(import.meta.dir, "../../src/kits/example");
const password = "a long walk by the sea";

describe.skipIf(missing !== undefined)(
  `the example of an app with Gatehouse and nginx${missing === undefined ? "" : ` (skipped: ${missing})`}`,
  () => {
    const ports = { gatehouse: freePort(), site: freePort(), app: freePort() };
    const site = `http://127.0.0.1:${ports.site}`;
    let folder = "";
    let visitor: Visitor;
    let programs: Bun.Subprocess<"ignore", "pipe", "pipe">;
    const start = () =>
      Bun.spawn(["node", "start.js"], {
        cwd: folder,
        env: { PATH: process.env["PATH"] ?? "", API_HTTP_PORT: String(ports.gatehouse) },
        stdin: "ignore",
        stdout: "pipe",
        stderr: "pipe",
      });
    const eachListens = async (is: boolean): Promise<boolean> =>
      (await Promise.all(Object.values(ports).map((port) => listens(port)))).every((listening) => listening === is);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "gatehouse-example-"));
      await cp(source, folder, { recursive: true });
      const replaced = new Map([
        ["3000", ports.gatehouse],
        ["8080", ports.site],
        ["8081", ports.app],
      ]);
      for (const name of ["app.js", "nginx.conf", "start.js"]) {
        const path = join(folder, name);
        const text = await Bun.file(path).text();
        await Bun.write(
          path,
          text.replaceAll(/\b(?:3000|8080|8081)\b/g, (port) => String(replaced.get(port))),
        );
      }
      // The binary that the README asks for, or the sources in its place.
      await Bun.write(join(folder, "gatehouse"), `#!/bin/sh\nexec ${commandLine("app").join(" ")} "$@"\n`);
      await chmod(join(folder, "gatehouse"), 0o755);
      programs = start();
      visitor = await createVisitor(openPlainTab({ width: 1280, height: 900 }));
      await visitor.until("the programs", () => eachListens(true));
    }, 120_000);
    afterAll(async () => {
      visitor.tab.close();
      Bun.WebView.closeAll();
      programs.kill("SIGTERM");
      await programs.exited;
      await rm(folder, { recursive: true, force: true });
    });

    test("a stranger is led to the sign-in page, registers, and the app says who they are, until they sign out", async () => {
      await goTo(visitor.tab, `${site}/`);
      await visitor.isAt("/login?next=/");
      await goTo(visitor.tab, `${site}/register?next=/`);
      await visitor.fill("email", "o'brien@example.test");
      await visitor.fill("password", password);
      await visitor.press("Create account");
      await visitor.shows("Hello, o'brien@example.test!");
      await visitor.says("You are signed in as o'brien@example.test.");
      await visitor.arrivesAt(`${site}/`);
      await visitor.press("Sign out");
      await visitor.isAt("/login?next=/");
      expect(visitor.takeComplaints()).toEqual([]);
    }, 120_000);

    test("no client says itself who it is", async () => {
      const headers = { "X-Auth-Username": "ada", "X-Auth-Email": "ada@example.test" };
      const answer = await fetch(`${site}/`, { headers, redirect: "manual" });
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toBe(`${site}/login?next=/`);
    });

    test("all three end with the one command, and when one of them ends by itself", async () => {
      programs.kill("SIGTERM");
      expect(await programs.exited).toBe(0);
      expect(await eachListens(false)).toBe(true);
      programs = start();
      await visitor.until("the programs", () => eachListens(true));
      process.kill(Number(await Bun.file(join(folder, "data/nginx.pid")).text()), "SIGTERM");
      expect(await programs.exited).toBe(1);
      expect(await eachListens(false)).toBe(true);
      expect(await programs.stderr.text()).toContain("nginx ended by itself");
    }, 120_000);
  },
);
