import type { Page } from "./pages.ts";
import type { Path } from "../shared/settings.ts";

/** Loads a page. Each source is a file of its own, and with the page the server tells the browser which file the path needs. */
export async function loadPage(path: Path): Promise<Page> {
  if (path === "/login") return (await import("./pages/sign.in/page.tsx")).SignInPage;
  if (path === "/account") return (await import("./pages/account/page.tsx")).AccountPage;
  return (await import("./pages/seldom.ts")).seldomPages[path];
}
