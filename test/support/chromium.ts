import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import type { Client } from "./client.ts";

const chromiumPath = "/usr/bin/chromium";
/** Why a test in a real browser can't run here; undefined if it can. */
export const browserMissing: string | undefined = !existsSync(chromiumPath)
  ? "chromium is not installed"
  : Bun.which("openssl") === null
    ? "openssl is not installed"
    : undefined;

/** Why tests in a browser without TLS are skipped; undefined where they can run. */
export const chromiumMissing: string | undefined = existsSync(chromiumPath) ? undefined : "chromium is not installed";

/** Ends TLS for `host` as a proxy does, and forwards every request to a port of this machine. */
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

let settings: string | undefined;

/** Opens a tab. All tabs of a process belong to one browser, with the settings of the first: other settings need a new browser. */
function openWith(
  rules: readonly string[],
  size: { readonly width?: number; readonly height?: number } = {},
): Bun.WebView {
  const argv = [...quiet, ...rules];
  if (settings !== argv.join(" ")) Bun.WebView.closeAll();
  settings = argv.join(" ");
  return new Bun.WebView({ ...size, backend: { type: "chrome", path: chromiumPath, argv } });
}

/** Opens a tab of a real browser, with the size of a desktop's or phone's. Its profile starts empty and is removed with it. */
export const openPlainTab = (size: { readonly width: number; readonly height: number }): Bun.WebView =>
  openWith([], size);

/**
 * Opens a tab of a real browser, for which each of these hosts is the TLS server at its port. Its profile starts empty and is removed with
 * it.
 */
export function openTab(hosts: Readonly<Record<string, { readonly port: number }>>): Bun.WebView {
  const rules = Object.entries(hosts).map(([host, { port }]) => `MAP ${host}:443 127.0.0.1:${port}`);
  return openWith(["--ignore-certificate-errors", `--host-resolver-rules=${rules.join()}`]);
}

/** Opens a tab of a real browser, for which every host below `domain` is this machine. Its profile starts empty and is removed with it. */
export const openTabWithin = (domain: string): Bun.WebView =>
  openWith([`--host-resolver-rules=MAP *.${domain} 127.0.0.1`]);

interface History {
  readonly currentIndex?: number;
  readonly entries?: readonly { readonly url: string }[];
}
const isHistory = (value: unknown): value is History =>
  typeof value === "object" && value !== null && "entries" in value && Array.isArray(value.entries);

/** Whether an error comes from a change of pages, or of page processes: asked again, the browser answers. */
const isBetweenPages = (error: unknown): boolean =>
  /Not attached to an active page|navigated or closed|ERR_ABORTED/.test(String(error));

async function askAgain<T>(ask: () => Promise<T>, withinMs: number): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isBetweenPages(error) || performance.now() > deadline) throw error;
      await Bun.sleep(20);
    }
  }
}

/** Asks the browser itself, by a method of its DevTools protocol. */
export const askBrowser = (tab: Bun.WebView, method: string, parameters?: Record<string, unknown>): Promise<unknown> =>
  askAgain(() => tab.cdp(method, parameters), 10_000);

/** Returns the address bar's content. For an empty page with an error status, the browser shows a page of its own under another address. */
async function addressOf(tab: Bun.WebView): Promise<string> {
  if (!tab.url.startsWith("chrome-error:")) return tab.url;
  const history = await askBrowser(tab, "Page.getNavigationHistory");
  const { currentIndex = 0, entries = [] } = isHistory(history) ? history : {};
  return entries[currentIndex]?.url ?? tab.url;
}

export interface PageReader {
  ask(expression: string): Promise<unknown>;
  text(): Promise<string>;
  /** Waits until the condition holds on the page. */
  until(what: string, is: () => Promise<boolean>): Promise<void>;
}

/** Reads the page of a tab, and waits for changes of it. */
export function readPage(tab: Bun.WebView, withinMs = 60_000): PageReader {
  const ask = (expression: string): Promise<unknown> => tab.evaluate(expression);
  const text = async (): Promise<string> => String(await ask("document.body?.innerText ?? ''"));
  /** Whether the condition holds. A page that is being left can't be asked, so the answer is no. */
  const asked = (is: () => Promise<boolean>): Promise<boolean> =>
    is().catch((error: unknown) => {
      if (isBetweenPages(error)) return false;
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

/**
 * Leads the tab to an address. A navigation that the previous page has just begun, for example by a script, may replace it: then it is
 * repeated.
 */
export const goTo = (tab: Bun.WebView, url: string): Promise<void> => askAgain(() => tab.navigate(url), 15_000);

/** Waits until the tab is at an expected address. */
export async function arrives(tab: Bun.WebView, at: (url: URL) => boolean, withinMs = 60_000): Promise<URL> {
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
  // The previous page is left first: it would notice that its session is gone.
  await goTo(tab, "about:blank");
  await askBrowser(tab, "Network.clearBrowserCookies");
  for (const name of ["auth_access", "auth_refresh"])
    await askBrowser(tab, "Network.setCookie", { name, value: client.cookie(name), url: client.url, httpOnly: true });
}

/** Shows the page on a screen of that width and in that colour scheme, without motion: nothing has to be waited for then. */
export async function showOn(tab: Bun.WebView, width: number, scheme: "light" | "dark"): Promise<void> {
  await askBrowser(tab, "Emulation.setDeviceMetricsOverride", {
    width,
    height: 900,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await askBrowser(tab, "Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-color-scheme", value: scheme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ],
  });
}

const isMade = (value: unknown): value is { readonly authenticatorId: string } =>
  typeof value === "object" &&
  value !== null &&
  "authenticatorId" in value &&
  typeof value.authenticatorId === "string";

/** A passkey as the browser's own authenticator stores it. */
interface KeptPasskey {
  readonly credentialId: string;
  readonly signCount: number;
  readonly userName?: string;
  readonly userDisplayName?: string;
}
const isKept = (value: unknown): value is { readonly credentials: readonly KeptPasskey[] } =>
  typeof value === "object" && value !== null && "credentials" in value && Array.isArray(value.credentials);

/** Adds an authenticator to the browser, such as a fingerprint reader that somebody always touches with the right finger. */
export async function addAuthenticator(tab: Bun.WebView) {
  await askBrowser(tab, "WebAuthn.enable", { enableUI: false });
  const made = await askBrowser(tab, "WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (!isMade(made)) throw new Error("the browser made no authenticator");
  const { authenticatorId } = made;
  const ask = (method: string, parameters: object) =>
    askBrowser(tab, `WebAuthn.${method}`, { authenticatorId, ...parameters });

  async function passkeys(): Promise<readonly KeptPasskey[]> {
    const kept = await ask("getCredentials", {});
    if (!isKept(kept)) throw new Error("the authenticator lists no passkeys");
    return kept.credentials;
  }

  return {
    passkeys,

    /** Sets whether the person uses the right finger from now on. */
    setVerified: (isUserVerified: boolean) => ask("setUserVerified", { isUserVerified }),

    /** Sets whether somebody touches the authenticator on request from now on. */
    setPresent: (enabled: boolean) => ask("setAutomaticPresenceSimulation", { enabled }),

    /** Replaces a passkey by an earlier copy. */
    async putBack(copy: KeptPasskey): Promise<void> {
      await ask("removeCredential", { credentialId: copy.credentialId });
      await ask("addCredential", { credential: copy });
    },
  };
}

export type BrowserAuthenticator = Awaited<ReturnType<typeof addAuthenticator>>;
