// oxlint-disable-next-line import/no-unassigned-import -- keeps what several pages share in this script
import "./common.ts";
import { render } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isPersonal, type Path, type Settings } from "../shared/settings.ts";
import { chapterOf } from "../shared/words.ts";
import { AccountContext, createAccount, useAccount, type Told } from "./context.ts";
import { createPages, type Page as PageOfPath } from "./router.ts";
import { Button } from "./parts/form.tsx";
import { Page } from "./parts/page.tsx";

/** Loads a page. Each source is a file of its own, and with the page the server tells the browser which file the path needs. */
async function loadPage(path: Path): Promise<PageOfPath> {
  if (path === "/login") return (await import("./pages/sign.in/page.tsx")).SignInPage;
  if (path === "/account") return (await import("./pages/account/page.tsx")).AccountPage;
  if (path === "/account/organization") return (await import("./pages/organization/page.tsx")).OrganizationPage;
  if (path === "/accept-invitation") return (await import("./pages/invitation/page.tsx")).InvitationPage;
  return (await import("./pages/seldom.ts")).seldomPages[path];
}

// A server of the same release has written the settings, so this check only asks whether they are there.
const isSettings = (value: unknown): value is Settings =>
  typeof value === "object" && value !== null && "base" in value;

/** Fills the page that the server sent, in the language that the server chose and with the settings that it wrote into the page. */
export async function start(told: Told): Promise<void> {
  const root = document.querySelector<HTMLElement>("#app");
  if (root === null) return;
  const settings: unknown = JSON.parse(root.dataset["settings"] ?? "null");
  if (!isSettings(settings)) throw new Error("the page has no settings");
  const pages = createPages(async (path) => {
    const chapter = chapterOf(path);
    const [page] = await Promise.all([loadPage(path), chapter && account.learn(chapter)]);
    return page;
  });
  const account = createAccount(settings, pages, told);
  const isLoaded = await pages.load(account.router.place.value.path ?? "/login").then(
    () => true,
    () => false,
  );
  if (!isLoaded && !wasReloaded()) return location.reload();
  root.replaceChildren();
  render(<AccountContext.Provider value={account}>{isLoaded ? <App /> : <Unloaded />}</AccountContext.Provider>, root);

  // A page that the back button restores may belong to a user who has signed out since: a reload asks the server again.
  addEventListener("pageshow", ({ persisted }) => {
    const isSomebodys = account.session.user.value !== undefined || isPersonal(account.router.place.value.path);
    if (!persisted || !isSomebodys) return;
    root.hidden = true;
    location.reload();
  });
}

/** Whether the page has been reloaded already. During a rolling release the file of a page may be gone, which one reload mends. */
function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType("navigation");
  return !(navigation instanceof PerformanceNavigationTiming) || navigation.type === "reload";
}

/** The page of the current path, which has been loaded before. The server sends no page for other paths. */
function App() {
  const { router, pages } = useAccount();
  const { path = "/login" } = router.place.value;
  const Shown = pages.at(path);
  return (
    <>
      <TroubleBar />
      <ImpersonationBar />
      {Shown && <Shown key={path} />}
    </>
  );
}

/** Reports trouble with the service or the connection, above every page. */
function TroubleBar() {
  const { connection, words } = useAccount();
  const trouble = connection.trouble.value;
  return (
    <div class="trouble" role="alert">
      {trouble && (
        <p>
          {words.value.trouble[trouble.kind]}
          {trouble.kind === "broken" && trouble.requestId !== undefined && (
            <small>{words.value.trouble.reference({ id: trouble.requestId })}</small>
          )}
        </p>
      )}
    </div>
  );
}

/** Loads what says above every page that it is not the person who looks at their account, where that can be. */
function ImpersonationBar() {
  const { settings } = useAccount();
  const bar = useSignal<PageOfPath | undefined>(undefined);
  useEffect(() => {
    if (settings.impersonation === undefined) return;
    void import("./parts/impersonation.bar.tsx").then(
      (part) => (bar.value = part.ImpersonationBar),
      () => wasReloaded() || location.reload(),
    );
  }, []);
  return bar.value === undefined ? <></> : <bar.value />;
}

/** Replaces a page whose file could not be loaded, even after a reload. */
function Unloaded() {
  const { trouble } = useAccount().words.value;
  return (
    <Page title={trouble.unloaded}>
      <p>{trouble.changing}</p>
      <Button kind="primary" onClick={() => location.reload()}>
        {trouble.again}
      </Button>
    </Page>
  );
}
