// oxlint-disable-next-line import/no-unassigned-import -- keeps what several pages share in this script
import "./common.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { AccountContext, createAccount } from "./context.ts";
import { loadPage } from "./page.files.ts";
import { createPages } from "./pages.ts";
import { Unloaded } from "./parts/unloaded.tsx";
import { readSettings } from "./settings.ts";
import type { Spoken } from "./words.ts";

/** Fills the page that the server sent, in the language that the server chose. */
export async function start(spoken: Spoken): Promise<void> {
  const root = document.querySelector<HTMLElement>("#app");
  if (root === null) return;
  const pages = createPages(loadPage);
  const account = createAccount(readSettings(root), pages, spoken);
  const isLoaded = await pages.load(account.router.place.value.path ?? "/login").then(
    () => true,
    () => false,
  );
  if (!isLoaded && !wasReloaded()) return location.reload();
  root.replaceChildren();
  render(<AccountContext.Provider value={account}>{isLoaded ? <App /> : <Unloaded />}</AccountContext.Provider>, root);

  // A page that the back button restores may belong to a user who has signed out since: a reload asks the server again.
  addEventListener("pageshow", ({ persisted }) => {
    const isPersonal = account.session.user.value !== undefined || account.router.place.value.path === "/account";
    if (!persisted || !isPersonal) return;
    root.hidden = true;
    location.reload();
  });
}

/** Whether the page has been reloaded already. During a rolling release the file of a page may be gone, which one reload mends. */
function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return !(navigation instanceof PerformanceNavigationTiming) || navigation.type === "reload";
}
