import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import type { Client } from "./client.ts";

const chromiumPath = "/usr/bin/chromium";
/** Why a test in a real browser can't run here; undefined when it can. */
export const browserMissing: string | undefined = !existsSync(chromiumPath)
  ? "chromium is not installed"
  : Bun.which("openssl") === null
    ? "openssl is not installed"
    : undefined;

/** The same where no TLS is asked for. */
export const chromiumMissing: string | undefined = existsSync(chromiumPath) ? undefined : "chromium is not installed";

/** Ends TLS for `host` as a proxy does, and leads every request to a port of this machine. */
export interface Front {
  readonly port: number;
  stop(): Promise<void>;
}

export async function startFront(host: string, targetPort: number): Promise<Front> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`];
  const made = Bun.spawn(
    [
      "openssl",
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "1",
      "-keyout",
      key,
      "-out",
      cert,
      ...subject,
    ],
    { stdout: "ignore", stderr: "pipe", timeout: 20_000 },
  );
  const complaint = await made.stderr.text();
  if ((await made.exited) !== 0) throw new Error(complaint);
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (secure) => {
    const plain = connect(targetPort, "127.0.0.1");
    const end = (): void => {
      secure.destroy();
      plain.destroy();
    };
    secure.on("error", end).on("close", end);
    plain.on("error", end).on("close", end);
    secure.pipe(plain);
    plain.pipe(secure);
  });
  await rm(folder, { recursive: true });
  const listening = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", listening.resolve);
  await listening.promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the front has no port");
  return {
    port: address.port,
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      server.close(() => resolve());
      return promise;
    },
  };
}

const quiet = ["--no-sandbox", "--disable-component-update", "--disable-sync", "--disable-breakpad"];

/** A tab of a real browser, of the size of a desk's or a phone's. Its profile is empty, and goes with it. */
export const openPlainTab = ({ width, height }: { readonly width: number; readonly height: number }): Bun.WebView =>
  new Bun.WebView({ width, height, backend: { type: "chrome", path: chromiumPath, argv: quiet } });

/** A tab of a real browser, for which each of these hosts is what speaks TLS at its port. Its profile is empty, and goes with it. */
export function openTab(hosts: Readonly<Record<string, { readonly port: number }>>): Bun.WebView {
  const rules = Object.entries(hosts).map(([host, { port }]) => `MAP ${host}:443 127.0.0.1:${port}`);
  const argv = [...quiet, "--ignore-certificate-errors", `--host-resolver-rules=${rules.join()}`];
  return new Bun.WebView({ backend: { type: "chrome", path: chromiumPath, argv } });
}

/** A tab of a real browser, for which every host below `domain` is this machine. Its profile is empty, and goes with it. */
export const openTabWithin = (domain: string): Bun.WebView =>
  new Bun.WebView({
    backend: {
      type: "chrome",
      path: chromiumPath,
      argv: [...quiet, `--host-resolver-rules=MAP *.${domain} 127.0.0.1`],
    },
  });

interface History {
  readonly currentIndex?: number;
  readonly entries?: readonly { readonly url: string }[];
}
const isHistory = (value: unknown): value is History =>
  typeof value === "object" && value !== null && "entries" in value && Array.isArray(value.entries);

/** Asks the browser itself. While it changes from one page's process to another's it answers nobody: asked again then. */
export async function askBrowser(tab: Bun.WebView, method: string, withinMs = 5_000): Promise<unknown> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await tab.cdp(method);
    } catch (error) {
      if (!String(error).includes("Not attached to an active page") || performance.now() > deadline) throw error;
      await Bun.sleep(20);
    }
  }
}

/** What the address bar shows: an empty page with an error status is a page of the browser's own under another address. */
async function addressOf(tab: Bun.WebView): Promise<string> {
  if (!tab.url.startsWith("chrome-error:")) return tab.url;
  const history = await askBrowser(tab, "Page.getNavigationHistory");
  const { currentIndex = 0, entries = [] } = isHistory(history) ? history : {};
  return entries[currentIndex]?.url ?? tab.url;
}

export interface PageReader {
  ask(expression: string): Promise<unknown>;
  text(): Promise<string>;
  /** Waits until something is so on the page. */
  until(what: string, is: () => Promise<boolean>): Promise<void>;
}

/** Asks the page of a tab, and waits for what it is to become. */
export function readPage(tab: Bun.WebView, withinMs = 15_000): PageReader {
  const ask = (expression: string): Promise<unknown> => tab.evaluate(expression);
  const text = async (): Promise<string> => String(await ask("document.body?.innerText ?? ''"));
  /** A page that is being left can't be asked. */
  const asked = (is: () => Promise<boolean>): Promise<boolean> =>
    is().catch((error: unknown) => {
      if (String(error).includes("navigated")) return false;
      throw error;
    });
  return {
    ask,
    text,
    async until(what, is) {
      const deadline = performance.now() + withinMs;
      while (!(await asked(is))) {
        if (performance.now() > deadline) throw new Error(`${what} did not come about: ${tab.url}\n${await text()}`);
        await Bun.sleep(30);
      }
    },
  };
}

/** Waits until the tab is where it should be. */
export async function arrives(tab: Bun.WebView, at: (url: URL) => boolean, withinMs = 15_000): Promise<URL> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const url = tab.loading ? null : URL.parse(await addressOf(tab));
    if (url !== null && at(url)) return url;
    if (performance.now() > deadline) throw new Error(`the browser is still at ${await addressOf(tab)}`);
    await Bun.sleep(20);
  }
}

/** Gives the tab the session of that client, and no other cookie. */
export async function becomeClient(tab: Bun.WebView, client: Client): Promise<void> {
  // The page that is left would otherwise notice that its session is gone.
  await tab.navigate("about:blank");
  await tab.cdp("Network.clearBrowserCookies");
  for (const name of ["auth_access", "auth_refresh"])
    await tab.cdp("Network.setCookie", { name, value: client.cookie(name), url: client.url, httpOnly: true });
}

/** Shows the page on a screen of that width and in that colour scheme. */
export async function showOn(tab: Bun.WebView, width: number, scheme: "light" | "dark"): Promise<void> {
  await tab.cdp("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
  await tab.cdp("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
}
