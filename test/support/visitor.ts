import { expect } from "bun:test";
import { findBarriers } from "./axe.ts";
import { askBrowser, goTo, readPage, showOn } from "./chromium.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
const at = (value: unknown, path: string): unknown =>
  path.split(".").reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);

const schemes = ["light", "dark"] as const;
const widths = [1280, 390] as const;

/** Plays a person at a tab who reads pages, types and clicks, and collects the browser's complaints about the pages. */
export async function createVisitor(tab: Bun.WebView) {
  const page = readPage(tab);
  const complaints: string[] = [];
  const requested: string[] = [];
  await goTo(tab, "about:blank");
  // Violations of a page's policy and uncaught errors of its script appear on its console.
  tab.addEventListener("Log.entryAdded", (event) => {
    const entry = at(event, "data.entry");
    const text = String(at(entry, "text"));
    // A visitor who enters a field before the page focuses one has done nothing wrong, and neither has the page.
    if (text.startsWith("Autofocus processing was blocked")) return;
    if (at(entry, "source") !== "network" && at(entry, "source") !== "recommendation") complaints.push(text);
  });
  tab.addEventListener("Runtime.consoleAPICalled", (event) => {
    complaints.push(JSON.stringify(at(event, "data.args")));
  });
  tab.addEventListener("Runtime.exceptionThrown", (event) => {
    complaints.push(JSON.stringify(at(event, "data.exceptionDetails")));
  });
  tab.addEventListener("Network.requestWillBeSent", (event) => {
    requested.push(String(at(event, "data.request.url")));
  });
  for (const domain of ["Log", "Runtime", "Network"]) await askBrowser(tab, `${domain}.enable`);

  const heading = (): Promise<unknown> => page.ask("document.querySelector('h1')?.textContent");
  const focused = (): Promise<unknown> =>
    page.ask("document.activeElement?.name || document.activeElement?.textContent");

  return {
    ...page,
    tab,
    heading,
    focused,
    /** Returns the complaints about pages since the last call. */
    takeComplaints: (): readonly string[] => complaints.splice(0),
    /** Returns the requested addresses since the last call. */
    takeRequests: (): readonly string[] => requested.splice(0),
    says: (text: string): Promise<void> => page.until(text, async () => (await page.text()).includes(text)),
    shows: (title: string): Promise<void> => page.until(title, async () => (await heading()) === title),
    async open(url: string, title: string): Promise<void> {
      await goTo(tab, url);
      await page.until(title, async () => (await heading()) === title);
    },
    isAt: (path: string): Promise<void> =>
      page.until(path, async () => (await page.ask("location.pathname + location.search")) === path),
    /** Waits until the focus is on the field of that id, or on the element with those words. */
    isOn: (what: string): Promise<void> =>
      page.until(`the focus on ${what}`, async () =>
        [await page.ask("document.activeElement.id"), await page.ask("document.activeElement.textContent")].includes(
          what,
        ),
      ),
    /**
     * Presses the last button or follows the last link with those words, once it is possible: a dialog stands at the end of its subject.
     * A way to sign in may say after its words that this browser used it last.
     */
    press: (words: string): Promise<void> =>
      page.until(words, async () => {
        const isPressed = await page.ask(`((found) => {
          if (found === undefined || found.getAttribute("aria-disabled") === "true") return false;
          found.focus();
          found.click();
          return true;
        })([...document.querySelectorAll("button, a")].findLast(({ textContent }) => textContent.trim().replace(/ last used$/, "") === ${JSON.stringify(words)}))`);
        return isPressed === true;
      }),
    /** Types into the field of that name or id, replacing its content. */
    async fill(name: string, text: string): Promise<void> {
      await page.until(
        name,
        async () =>
          (await page.ask(`((field) => {
            field?.focus();
            field?.select();
            return field !== null;
          })(document.querySelector("[name=${name}], #${name}"))`)) === true,
      );
      await tab.type(text);
    },
    /** Waits for a whole address, of this site or another, until its page has loaded: one that is still loading would block the next. */
    arrivesAt: (url: string): Promise<void> =>
      page.until(
        url,
        async () => (await page.ask("document.readyState === 'complete' ? location.href : ''")) === url && !tab.loading,
      ),
    /**
     * Fails with axe's findings in the page, in both colour schemes, on a desktop and a phone, and if the page is wider than the screen.
     */
    async expectNoBarriers(state: string): Promise<void> {
      const barriers: unknown[] = [];
      for (const width of widths) {
        for (const scheme of schemes) {
          await showOn(tab, width, scheme);
          const rules = scheme === "light" ? "all" : "colours";
          for (const barrier of await findBarriers(page, rules)) barriers.push({ width, scheme, barrier });
        }
        const excess = Number(await page.ask("document.documentElement.scrollWidth - innerWidth"));
        if (excess > 0) barriers.push(`${excess} px wider than ${width}`);
      }
      expect({ state, barriers }).toEqual({ state, barriers: [] });
    },
  };
}

export type Visitor = Awaited<ReturnType<typeof createVisitor>>;
