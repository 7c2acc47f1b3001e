import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { packClient } from "../../src/build/npm/client.ts";
import { calm } from "../support/auth.ts";
import {
  addAuthenticator,
  askBrowser,
  type BrowserAuthenticator,
  chromiumMissing,
  goTo,
  openPlainTab,
} from "../support/chromium.ts";
import { sharedFolder } from "../support/folder.ts";
import { eventually } from "../support/log.ts";
import { replaceEach } from "../support/proxy.ts";
import { startTarget, type Target } from "../support/target.ts";
import { example } from "./examples.fixture.ts";

// The first hour of a developer: Vite's own server, the one line of its proxy, and a page with the typed client, on a service that was
// started without settings.
const vite = join(import.meta.dir, "..", "..", "node_modules", "vite", "bin", "vite.js");
const limitMs = 60_000;

const page = `<!doctype html><title>An app</title><script type="module" src="/main.js"></script>`;
const script = `
  import { createClient } from "gatehouse-client";
  import { createPasskey, getPasskey } from "gatehouse-client/passkeys";
  const named = (result) => (result.ok ? (result.user?.email ?? "ok") : result.code);
  const through = (baseUrl) => {
    const auth = createClient({ baseUrl, timeoutMs: 20_000 });
    return {
      call: async (name, ...given) => named(await auth[name](...given)),
      async addPasskey() {
        const asked = await auth.getPasskeyCreationOptions();
        const made = asked.ok ? await createPasskey(asked.options) : asked;
        return named(made.ok ? await auth.addPasskey({ credential: made.credential }) : made);
      },
      async usePasskey() {
        const asked = await auth.getPasskeyRequestOptions();
        const given = asked.ok ? await getPasskey(asked.options) : asked;
        return named(given.ok ? await auth.loginWithPasskey({ credential: given.credential }) : given);
      },
    };
  };
  window.through = through;
`;

/** Starts Vite's server in a folder. Resolves to its port once it listens, at a port that was free. */
async function startVite(cwd: string) {
  const holder = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = holder;
  await holder.stop(true);
  const command = [process.execPath, "--bun", vite, "--port", String(port), "--strictPort", "--host", "127.0.0.1"];
  const env = { PATH: process.env["PATH"], HOME: cwd };
  const child = Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "inherit" });
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually("an answer of Vite", answers, limitMs);
  return {
    port,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

describe.skipIf(chromiumMissing !== undefined)(
  `Vite's one line in Chromium${chromiumMissing === undefined ? "" : ` (${chromiumMissing})`}`,
  () => {
    const folder = sharedFolder();
    let target: Target;
    let server: Awaited<ReturnType<typeof startVite>>;
    let tab: Bun.WebView;
    let authenticator: BrowserAuthenticator;

    beforeAll(async () => {
      target = await startTarget({ env: { ...calm, APP_ENV: "local" }, shared: true });
      const project = join(folder, "app");
      await mkdir(project);
      const tarball = await packClient(join(folder, "client"), manifest.version);
      const line = example("On your own machine", "js");
      const config = replaceEach(line, [["http://localhost:3000", `http://localhost:${target.port}`]]);
      await writeFile(join(project, "package.json"), '{ "type": "module" }');
      await writeFile(join(project, "vite.config.js"), config);
      await writeFile(join(project, "index.html"), page);
      await writeFile(join(project, "main.js"), script);
      const added = Bun.spawn([process.execPath, "add", tarball], { cwd: project, stdout: "ignore", stderr: "pipe" });
      if ((await added.exited) !== 0) throw new Error(await added.stderr.text());
      server = await startVite(project);
      tab = openPlainTab({ width: 600, height: 400 });
      await open("localhost");
      authenticator = await addAuthenticator(tab);
    }, 2 * limitMs);
    afterAll(async () => {
      tab.close();
      Bun.WebView.closeAll();
      await server.stop();
      await target.stop();
    });

    async function open(host: string): Promise<void> {
      await goTo(tab, `http://${host}:${server.port}/`);
      await eventually(
        "the script of the page",
        async () => (await tab.evaluate("typeof window.through")) === "function",
      );
    }
    /** Has the page ask by its client. `service`: the address that it names; without one it asks its own server. */
    const ask = (what: string, service = ""): Promise<unknown> =>
      tab.evaluate(`window.through(${JSON.stringify(service)}).${what}`);
    const call = (name: string, input: object = {}, service = ""): Promise<unknown> =>
      ask(`call(${JSON.stringify(name)}, ${JSON.stringify(input)})`, service);
    const lose = (host: string, name: string) =>
      askBrowser(tab, "Network.deleteCookies", { name, url: `http://${host}:${server.port}` });
    const password = "a long walk by the sea";

    test.each(["localhost", "127.0.0.1"])(
      "X-87 a page of %s registers, is still signed in after a reload and a refresh, signs out and in again",
      async (host) => {
        const email = `ada.${host.replaceAll(".", "-")}@example.test`;
        await open(host);
        expect(await call("register", { email, password })).toBe(email);
        await open(host);
        expect(await call("getMe")).toBe(email);
        expect(await call("refresh")).toBe(email);
        await lose(host, "auth_access");
        expect(await call("getMe")).toBe(email);
        expect(await call("logout")).toBe("ok");
        expect(await call("getMe")).toBe("unauthorized");
        expect(await call("login", { login: email, password: "another walk" })).toBe("invalid_credentials");
        expect(await call("login", { login: email, password })).toBe(email);
        expect(await call("logout")).toBe("ok");
      },
    );

    test("X-87 X-89 a page that calls the service itself is signed in under the same name, and told where it would not be", async () => {
      const email = "grace@example.test";
      const [near, far] = ["localhost", "127.0.0.1"].map((host) => `http://${host}:${target.port}`);
      await open("localhost");
      expect(await call("register", { email, password }, near)).toBe(email);
      await open("localhost");
      expect(await call("getMe", {}, near)).toBe(email);
      expect(await call("refresh", {}, near)).toBe(email);
      expect(await call("logout", {}, near)).toBe("ok");
      for (const [name, input] of [
        ["login", { login: email, password }],
        ["register", { email: "hopper@example.test", password }],
        ["getPasskeyRequestOptions", {}],
      ] as const)
        expect(await call(name, input, far)).toBe("cross_site_session");
      expect(await call("getMe", {}, far)).toBe("unauthorized");
      expect(await call("login", { login: email, password }, near)).toBe(email);
      expect(await call("logout", {}, near)).toBe("ok");
    });

    test("M-49 passkeys work at any port of localhost, and 127.0.0.1 is refused before a device makes one", async () => {
      const email = "lin@example.test";
      await open("localhost");
      expect(await call("register", { email, password })).toBe(email);
      expect(await ask("addPasskey()")).toBe("ok");
      expect(await authenticator.passkeys()).toHaveLength(1);
      expect(await call("logout")).toBe("ok");
      expect(await ask("usePasskey()")).toBe(email);
      expect(await call("logout")).toBe("ok");
      await goTo(tab, `http://localhost:${target.port}/login`);
      await open("127.0.0.1");
      expect(await call("register", { email: "noether@example.test", password })).toBe("noether@example.test");
      for (const act of ["addPasskey()", "usePasskey()"]) expect(await ask(act)).toBe("passkey_origin");
      expect(await authenticator.passkeys()).toHaveLength(1);
    });
  },
);
