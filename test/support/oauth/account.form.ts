import { arrives, readPage } from "../chromium.ts";
import type { StandIn } from "./provider.ts";

/** Waits until the tab shows the provider's form, and signs in there. */
export async function signInAtProvider(tab: Bun.WebView, provider: StandIn, account: string): Promise<void> {
  await arrives(tab, (url) => url.origin === provider.url);
  const page = readPage(tab);
  await page.until(
    "the form of the provider",
    async () => (await page.ask('document.querySelector("input[name=account]") !== null')) === true,
  );
  await tab.click("input[name=account]");
  await tab.type(account);
  await tab.click("button");
}
