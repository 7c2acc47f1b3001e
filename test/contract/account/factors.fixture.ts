import type { Person } from "../../support/auth.ts";
import { addAuthenticator, askBrowser, goTo, openPlainTab } from "../../support/chromium.ts";
import { startStage } from "../../support/stage.ts";
import { createVisitor } from "../../support/visitor.ts";

/**
 * Starts Gatehouse at localhost, and a browser with an authenticator: an IP address can have no passkey. The pages and the service share
 * one origin, whose port is known before the service starts.
 */
export async function startAtLocalhost(env: Readonly<Record<string, string>> = {}) {
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url);
      return fetch(`${stage.target.url}${pathname}${search}`, {
        method,
        headers,
        body,
        redirect: "manual",
        decompress: false,
      });
    },
  });
  const url = `http://localhost:${front.port}`;
  const stage = await startStage({ shared: true, env: { APP_URL: url, ...env } });
  const tab = openPlainTab({ width: 1280, height: 900 });
  const visitor = await createVisitor(tab);
  return {
    url,
    stage,
    tab,
    visitor,
    authenticator: await addAuthenticator(tab),
    /** Opens the sign-in in a browser without cookies. */
    async openSignIn(query = ""): Promise<void> {
      await goTo(tab, "about:blank");
      await askBrowser(tab, "Network.clearBrowserCookies");
      await visitor.open(`${url}/login${query}`, "Sign in");
    },
    async givePassword({ email, password }: Person): Promise<void> {
      await visitor.fill("login", email);
      await visitor.fill("password", password);
      await tab.press("Enter");
    },
    async stop(): Promise<void> {
      tab.close();
      Bun.WebView.closeAll();
      await front.stop(true);
      await stage.stop();
    },
  };
}

export type AtLocalhost = Awaited<ReturnType<typeof startAtLocalhost>>;
