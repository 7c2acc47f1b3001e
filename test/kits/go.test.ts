import { beforeAll, describe, expect, test } from "bun:test";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packGoModule } from "../../src/build/archives/server.kits.ts";
import { idpKit } from "../contract/idp/idp.fixture.ts";
import { secretsOf } from "../support/auth.ts";
import { createClient } from "../support/client.ts";
import { sharedFolder } from "../support/folder.ts";
import { stage } from "../support/stage.ts";
import { replaceEach } from "../support/proxy.ts";
import { gateConformance, gateEnvironment } from "./gate.conformance.ts";
import { startGated } from "./programs.fixture.ts";
import { quickStart } from "./quick.start.ts";

const buildLimitMs = 300_000;
const missing = ["go", "unzip"].filter((program) => Bun.which(program) === null);
const goMissing = missing.length > 0 ? `${missing.join(" and ")} is not installed` : undefined;
const root = join(import.meta.dir, "..", "..");
/** The compiler makes the standard library anew for this, and needs one of C: `--full` alone does. */
const checksRaces = process.env["GATEHOUSE_KITS"] === "all" && Bun.which("gcc") !== null;
/** As the other tests in Go compile, which share what is made once. */
const quickly = ["-gcflags=all=-N -l", ...(checksRaces ? ["-race"] : [])];
const staged = await stage({ env: gateEnvironment });

describe.skipIf(goMissing !== undefined)(`the gate in Go${goMissing === undefined ? "" : ` (${goMissing})`}`, () => {
  const folder = sharedFolder();
  const program = join(folder, "app", "app");
  const go = async (cwd: string, ...args: string[]): Promise<string> => {
    const child = Bun.spawn(["go", ...args], {
      cwd,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        GOCACHE: join(root, "node_modules", ".cache", "gatehouse-go"),
        GOPATH: join(folder, "gopath"),
        GOFLAGS: "-mod=mod -modcacherw",
        GOPROXY: `file://${join(folder, "proxy")}`,
        GONOSUMDB: "gatehouse.internal",
        GOTOOLCHAIN: "local",
        CGO_ENABLED: checksRaces ? "1" : "0",
      },
      stdout: "pipe",
      stderr: "pipe",
      timeout: buildLimitMs,
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`go ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };

  beforeAll(async () => {
    const { version } = manifest;
    const archive = await packGoModule(folder, version);
    // A folder is a proxy of modules, where files have the names of its protocol.
    const served = join(folder, "proxy", "gatehouse.internal", "gatehouse", "@v");
    await cp(archive, join(served, `v${version}.zip`));
    await cp(join(root, "src", "kits", "go", "go.mod"), join(served, `v${version}.mod`));
    await Bun.write(join(served, `v${version}.info`), JSON.stringify({ Version: `v${version}` }));
    await cp(join(import.meta.dir, "programs", "go"), join(folder, "app"), { recursive: true });
    await go(join(folder, "app"), "get", `gatehouse.internal/gatehouse@v${version}`);
    await go(join(folder, "app"), "build", ...quickly, "-o", program, ".");
  }, buildLimitMs + 10_000);

  test("is written as gofmt writes, and go vet has nothing to say", async () => {
    const source = join(root, "src", "kits", "go");
    const { stdout } = Bun.spawnSync(["gofmt", "-l", source, join(import.meta.dir, "programs", "go")]);
    expect(stdout.toString()).toBe("");
    expect(await go(source, "vet", ...quickly, "./...")).toBe("");
  });

  quickStart(staged, {
    chapter: "go.md",
    languages: ["sh", "go"],
    async place([install = "", source = ""]) {
      const cwd = join(folder, "shop");
      await Bun.write(join(cwd, "main.go"), source);
      await Bun.write(join(cwd, "go.mod"), "module example.com/shop\n\ngo 1.22\n");
      const script = replaceEach(install, [["path/to/gatehouse/dist/kits", folder]]);
      const { success, stderr } = Bun.spawnSync(["bash", "-euo", "pipefail", "-c", script], { cwd, stderr: "pipe" });
      if (!success) throw new Error(stderr.toString());
      await go(cwd, "mod", "tidy");
      await go(cwd, "build", ...quickly, "-o", "shop", ".");
      return { command: [join(cwd, "shop")], cwd };
    },
  });

  const { people, target } = staged;
  const { open } = gateConformance(staged, (settings) => startGated([program], settings, { cwd: folder }));

  test("Q-07 a gate behind another one asks for itself: it may take other tokens", async () => {
    const kit = idpKit(target);
    const [ada, shop] = [await people.register("ada"), await kit.register("Shop of two gates")];
    const statusOf = async (path: string, named?: string): Promise<number> => {
      const token = (await kit.signIn(ada.client, shop, { scope: "openid", resource: named })).textAt("access_token");
      return (await createClient(open()).get(path, { headers: { authorization: `Bearer ${token}` } })).status;
    };
    expect([await statusOf("/whoami"), await statusOf("/inner")]).toEqual([200, 401]);
    const { access } = secretsOf(ada.client);
    const person = await createClient(open()).get("/inner", { headers: { authorization: `Bearer ${access}` } });
    expect(person.at("id")).toBe(ada.id);
  });
});
