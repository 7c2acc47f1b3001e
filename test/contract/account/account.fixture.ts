import { becomeClient, goTo, openPlainTab } from "../../support/chromium.ts";
import type { Client } from "../../support/client.ts";
import { startStage } from "../../support/stage.ts";
import { createVisitor } from "../../support/visitor.ts";

const providers = {
  AUTH_OAUTH_GITHUB_CLIENT_ID: "client",
  AUTH_OAUTH_GITHUB_CLIENT_SECRET: "secret",
  AUTH_OAUTH_GOOGLE_CLIENT_ID: "client",
  AUTH_OAUTH_GOOGLE_CLIENT_SECRET: "secret",
};

/** Starts Gatehouse, and a browser that shows its account page. */
export async function startAccountPage() {
  const stage = await startStage({ shared: true, env: providers });
  const tab = openPlainTab({ width: 1280, height: 900 });
  const visitor = await createVisitor(tab);
  return {
    stage,
    tab,
    visitor,
    /** Shows the page in the browser of that client. */
    async open(client: Client, path = "/account", shows = "Sign out everywhere"): Promise<void> {
      await becomeClient(tab, client);
      await goTo(tab, `${stage.target.url}${path}`);
      await visitor.says(shows);
      // Each section fetches its data, which then replaces a skeleton.
      await visitor.until(
        "all sections",
        async () => (await visitor.ask("document.querySelector('.skeleton-line') === null")) === true,
      );
    },
    async stop(): Promise<void> {
      tab.close();
      Bun.WebView.closeAll();
      await stage.stop();
    },
  };
}

export type AccountPage = Awaited<ReturnType<typeof startAccountPage>>;
